// The results of a benchmark: ratios with their goals first, absolute figures second.

import { styleText } from "node:util";
import type { Load } from "./page-load.ts";

interface Goal {
  bound: "at least" | "at most";
  value: number;
}

/** A ratio, or another number with a goal. One value for each run. */
interface Ratio {
  name: string;
  values: number[];
  unit: "x" | "ms" | "MB";
  goal?: Goal | undefined;
}

/** The loads of one server, one for each run. */
export interface Measured {
  name: string;
  runs: Load[];
}

export interface Findings {
  ratios: Ratio[];
  figures: Measured[];
}

export const atLeast = (value: number): Goal => ({ bound: "at least", value });
export const atMost = (value: number): Goal => ({ bound: "at most", value });

/** The ratio of a figure of two servers in each run, by default of the rates. */
export function ratioOf(
  name: string,
  one: Measured,
  other: Measured,
  { goal, of = ({ rate }) => rate }: { goal?: Goal; of?: (load: Load) => number } = {},
): Ratio {
  const values = one.runs.map((load, run) => {
    const beside = other.runs[run];
    return beside ? of(load) / of(beside) : Number.NaN;
  });
  return { name, values, unit: "x", goal };
}

export function printFindings({ ratios, figures }: Findings): void {
  for (const { name, values, unit, goal } of ratios) {
    const digits = unit === "x" ? 2 : unit === "ms" ? 1 : 0;
    const { text, median } = spreadOf(values, digits);
    console.log(`${text.padStart(24)} ${unit.padEnd(2)} ${name}${goal ? goalText(goal, median) : ""}`);
  }
  console.log("");
  for (const { name, runs } of figures) {
    const cpu = spreadOf(runs.map(({ cpuUs }) => cpuUs));
    console.log(`${spreadOf(runs.map(({ rate }) => rate)).text.padStart(24)} /s ${name}, CPU ${cpu.text} µs`);
    // Then the figures are not those of the server.
    if (runs.some(({ clientCpuUs, cpuUs }) => clientCpuUs > cpuUs))
      console.log(`${"".padStart(27)} The client used more CPU time than the server.`);
  }
}

function spreadOf(values: readonly number[], digits = 0): { text: string; median: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const median = (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2;
  const [least, middle, most] = [at(0), median, at(sorted.length - 1)].map((value) => value.toFixed(digits));
  return { text: sorted.length > 1 ? `${middle} (${least} to ${most})` : `${middle}`, median };
}

function goalText({ bound, value }: Goal, median: number): string {
  const isReached = bound === "at least" ? median >= value : median <= value;
  const words = isReached ? styleText("green", "reached") : styleText("red", "not reached");
  return `; goal ${bound} ${value}: ${words}`;
}
