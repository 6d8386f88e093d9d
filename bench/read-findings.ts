// What a measurement of reading finds: ratios with their goals, absolute figures, and what has to be said about them.

import type { Load } from "./read-load.ts";

export interface Goal {
  bound: "at least" | "at most";
  value: number;
}

/** A ratio, or another number that has a goal; one value for each run. */
export interface Ratio {
  name: string;
  values: number[];
  unit: "x" | "ms" | "MB";
  goal?: Goal | undefined;
  /** Processor time of a request of both sides, in microseconds, in the median. */
  processorUs?: [ours: number, other: number] | undefined;
}

/** A server under one load; one for each run. */
export interface Measured {
  name: string;
  runs: Load[];
}

export interface Findings {
  ratios: Ratio[];
  figures: Measured[];
  remarks: string[];
  /** In words, as far as it is known which. */
  versions: string[];
}

export const atLeast = (value: number): Goal => ({ bound: "at least", value });
export const atMost = (value: number): Goal => ({ bound: "at most", value });

export interface Spread {
  least: number;
  median: number;
  most: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (place: number) => sorted[place] ?? Number.NaN;
  const median = (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2;
  return { least: at(0), median, most: at(sorted.length - 1) };
}

export function isReached({ values, goal }: Ratio): boolean | undefined {
  if (!goal) return undefined;
  const { median } = spreadOf(values);
  return goal.bound === "at least" ? median >= goal.value : median <= goal.value;
}

/** The rate of one to the rate of the other, run by run. */
export function rateRatio(name: string, ours: Measured, other: Measured, goal?: Goal): Ratio {
  const values = ours.runs.map(({ rate }, run) => rate / (other.runs[run]?.rate ?? Number.NaN));
  return { name, values, unit: "x", goal, processorUs: processorOf(ours, other) };
}

/** The processor time of a request of one to that of the other, run by run. */
export function processorRatio(name: string, ours: Measured, other: Measured, goal?: Goal): Ratio {
  const values = ours.runs.map(
    ({ processorUs }, run) => (processorUs ?? Number.NaN) / (other.runs[run]?.processorUs ?? Number.NaN),
  );
  return { name, values, unit: "x", goal, processorUs: processorOf(ours, other) };
}

/** The time of one to the time of the other, run by run, as far as both were measured. */
export function timeRatio(name: string, one: Measured, other: Measured, goal?: Goal): Ratio {
  const values = one.runs.map(({ seconds }, run) => seconds / (other.runs[run]?.seconds ?? Number.NaN));
  return { name, values, unit: "x", goal, processorUs: processorOf(one, other) };
}

export function figuresOf({ runs }: Measured, of: (load: Load) => number | undefined): Spread | undefined {
  const values = runs.map(of).filter((value) => value !== undefined);
  return values.length > 0 ? spreadOf(values) : undefined;
}

function processorOf(ours: Measured, other: Measured): [number, number] | undefined {
  const [one, two] = [ours, other].map((each) => figuresOf(each, ({ processorUs }) => processorUs)?.median);
  return one === undefined || two === undefined ? undefined : [one, two];
}
