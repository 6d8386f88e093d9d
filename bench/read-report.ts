// The findings as lines for a terminal: ratios first, absolute figures second.

import { styleText } from "node:util";
import { type Findings, figuresOf, isReached, type Measured, type Ratio, spreadOf } from "./read-findings.ts";

export function printFindings({ ratios, figures, remarks, versions }: Findings, runs: number): void {
  console.log(`Medians of ${runs} runs, and the least and the most of them`);
  for (const ratio of ratios) console.log(ratioLine(ratio));
  console.log("");
  for (const measured of figures) console.log(figureLine(measured));
  console.log("");
  for (const remark of remarks) console.log(remark);
  console.log(versions.join(", "));
}

function ratioLine(ratio: Ratio): string {
  const { least, median, most } = spreadOf(ratio.values);
  const [ours, other] = ratio.processorUs ?? [];
  const cost =
    ours === undefined ? "" : `, processor ${ours.toFixed(0)} to ${(other ?? 0).toFixed(0)} µs a request`;
  const spread = `${number(least, ratio.unit)} to ${number(most, ratio.unit)}`;
  return `${number(median, ratio.unit).padStart(8)} ${ratio.unit.padEnd(2)} ${ratio.name} (${spread}${cost})${goalText(ratio)}`;
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

export function number(value: number, unit: Ratio["unit"]): string {
  return unit === "x" ? value.toFixed(2) : unit === "ms" ? value.toFixed(1) : value.toFixed(0);
}

function figureLine(measured: Measured): string {
  const rate = figuresOf(measured, (load) => load.rate);
  const processor = figuresOf(measured, (load) => load.processorUs);
  const spread = `${rate?.least.toFixed(0)} to ${rate?.most.toFixed(0)}`;
  const latency = (of: "p50" | "p99" | "most") =>
    figuresOf(measured, ({ latencies }) => latencies?.[of])?.median.toFixed(2);
  const parts = [
    `${rate?.median.toFixed(0).padStart(8)} /s ${measured.name} (${spread})`,
    processor &&
      `processor ${processor.median.toFixed(0)} µs (${processor.least.toFixed(0)} to ${processor.most.toFixed(0)})`,
    latency("p50") && `p50 ${latency("p50")} ms, p99 ${latency("p99")} ms, longest ${latency("most")} ms`,
  ];
  return parts.filter((part) => part).join(", ");
}
