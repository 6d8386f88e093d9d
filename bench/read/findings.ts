// The results of the read benchmark: ratios with their goals, absolute figures and notes.

import type { Load } from "./page-load.ts";

export interface Goal {
  bound: "at least" | "at most";
  value: number;
}

/** A ratio, or another number with a goal. One value for each run. */
export interface Ratio {
  name: string;
  values: number[];
  unit: "x" | "ms" | "MB";
  goal?: Goal | undefined;
  /** Median CPU time per request of both sides, in microseconds. */
  cpuUs?: [ours: number, other: number] | undefined;
}

/** The loads of one server, one for each run. */
export interface Measured {
  name: string;
  runs: Load[];
}

export interface Findings {
  ratios: Ratio[];
  figures: Measured[];
  notes: string[];
  /** Names with versions, such as `Node 26.10.0`. */
  versions: string[];
}

export const atLeast = (value: number): Goal => ({ bound: "at least", value });
export const atMost = (value: number): Goal => ({ bound: "at most", value });

export interface Range {
  least: number;
  median: number;
  most: number;
}

export function rangeOf(values: readonly number[]): Range {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const median = (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2;
  return { least: at(0), median, most: at(sorted.length - 1) };
}

export function isReached({ values, goal }: Ratio): boolean | undefined {
  if (!goal) return undefined;
  const { median } = rangeOf(values);
  return goal.bound === "at least" ? median >= goal.value : median <= goal.value;
}

/** The ratio of the rates in each run. */
export function rateRatio(name: string, ours: Measured, other: Measured, goal?: Goal): Ratio {
  const values = ours.runs.map(({ rate }, run) => rate / (other.runs[run]?.rate ?? Number.NaN));
  return { name, values, unit: "x", goal, cpuUs: cpuUsOf(ours, other) };
}

/** The ratio of the CPU times per request in each run. */
export function cpuRatio(name: string, ours: Measured, other: Measured, goal?: Goal): Ratio {
  const values = ours.runs.map(
    ({ cpuUs }, run) => (cpuUs ?? Number.NaN) / (other.runs[run]?.cpuUs ?? Number.NaN),
  );
  return { name, values, unit: "x", goal, cpuUs: cpuUsOf(ours, other) };
}

/** The ratio of the times in each run that has both. */
export function timeRatio(name: string, one: Measured, other: Measured, goal?: Goal): Ratio {
  const values = one.runs.map(({ seconds }, run) => seconds / (other.runs[run]?.seconds ?? Number.NaN));
  return { name, values, unit: "x", goal, cpuUs: cpuUsOf(one, other) };
}

export function figuresOf({ runs }: Measured, of: (load: Load) => number | undefined): Range | undefined {
  const values = runs.map(of).filter((value) => value !== undefined);
  return values.length > 0 ? rangeOf(values) : undefined;
}

function cpuUsOf(ours: Measured, other: Measured): [number, number] | undefined {
  const [one, two] = [ours, other].map((each) => figuresOf(each, ({ cpuUs }) => cpuUs)?.median);
  return one === undefined || two === undefined ? undefined : [one, two];
}
