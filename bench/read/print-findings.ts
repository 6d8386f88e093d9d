// Prints the results: ratios first, absolute figures second.

import { styleText } from "node:util";
import { type Findings, figuresOf, isReached, type Measured, type Ratio, rangeOf } from "./findings.ts";

export function printFindings({ ratios, figures, notes, versions }: Findings, runs: number): void {
  console.log(`Medians and ranges of ${runs} runs`);
  for (const ratio of ratios) console.log(ratioLine(ratio));
  console.log("");
  for (const measured of figures) console.log(figureLine(measured));
  console.log("");
  for (const note of notes) console.log(note);
  console.log(versions.join(", "));
}

function ratioLine(ratio: Ratio): string {
  const { least, median, most } = rangeOf(ratio.values);
  const [ours, other] = ratio.cpuUs ?? [];
  const cost =
    ours === undefined ? "" : `, CPU ${ours.toFixed(0)} vs. ${(other ?? 0).toFixed(0)} µs per request`;
  const spread = `${formatNumber(least, ratio.unit)} to ${formatNumber(most, ratio.unit)}`;
  return `${formatNumber(median, ratio.unit).padStart(8)} ${ratio.unit.padEnd(2)} ${ratio.name} (${spread}${cost})${goalText(ratio)}`;
}

function goalText(ratio: Ratio): string {
  const reached = isReached(ratio);
  if (!ratio.goal || reached === undefined) return "";
  const words = reached ? styled("green", "reached") : styled("red", "not reached");
  return `; goal ${ratio.goal.bound} ${ratio.goal.value}: ${words}`;
}

function styled(color: "green" | "red", text: string): string {
  return styleText(color, text, { stream: process.stdout });
}

export function formatNumber(value: number, unit: Ratio["unit"]): string {
  return unit === "x" ? value.toFixed(2) : unit === "ms" ? value.toFixed(1) : value.toFixed(0);
}

function figureLine(measured: Measured): string {
  const rate = figuresOf(measured, (load) => load.rate);
  const cpu = figuresOf(measured, (load) => load.cpuUs);
  const spread = `${rate?.least.toFixed(0)} to ${rate?.most.toFixed(0)}`;
  const latency = (of: "p50" | "p99" | "most") =>
    figuresOf(measured, ({ latencies }) => latencies?.[of])?.median.toFixed(2);
  const parts = [
    `${rate?.median.toFixed(0).padStart(8)} /s ${measured.name} (${spread})`,
    cpu && `CPU ${cpu.median.toFixed(0)} µs (${cpu.least.toFixed(0)} to ${cpu.most.toFixed(0)})`,
    latency("p50") && `p50 ${latency("p50")} ms, p99 ${latency("p99")} ms, maximum ${latency("most")} ms`,
  ];
  return parts.filter((part) => part).join(", ");
}
