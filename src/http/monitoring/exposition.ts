// What was measured, as the text that Prometheus reads
// (prometheus.io/docs/instrumenting/exposition_formats, text format 0.0.4).

import { Histogram } from "./histogram.ts";
import { type Measured, type MeasurementName, measurements, type Sample } from "./metrics.ts";

export const contentType = "text/plain; version=0.0.4; charset=utf-8";

export function exposition(measured: Measured): string {
  const names = Object.keys(measurements) as MeasurementName[];
  return names.flatMap((name) => linesOf(name, measured[name] ?? [])).join("");
}

function linesOf(name: MeasurementName, samples: readonly Sample[]): string[] {
  if (samples.length === 0) return [];
  const { type, meaning } = measurements[name];
  return [
    `# HELP ${name} ${meaning.replaceAll("`", "")}.\n`,
    `# TYPE ${name} ${type}\n`,
    ...samples.flatMap(({ labels = {}, value }) =>
      value instanceof Histogram ? linesOfHistogram(name, labels, value) : [line(name, labels, value)],
    ),
  ];
}

function linesOfHistogram(
  name: string,
  labels: Record<string, string>,
  { bounds, counts, sum }: Histogram,
): string[] {
  let upTo = 0;
  const buckets = counts.map((count, place) => {
    upTo += count;
    return line(`${name}_bucket`, { ...labels, le: String(bounds[place] ?? "+Inf") }, upTo);
  });
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, upTo)];
}

function line(name: string, labels: Record<string, string>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
