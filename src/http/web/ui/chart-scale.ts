// The scales of a chart: round steps on the y axis, and as many labels on the x axis as fit.

import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from "d3-scale";

/** The size of the chart and its margins, in SVG user units. */
export const chartArea = { width: 560, height: 240, minLeft: 40, right: 12, top: 12, bottom: 30 } as const;

/** The width of a character, in a wide font. */
const characterWidth = 9;
const labelGap = 8;
const maxLabelLength = 18;
const maxSteps = 5;

export interface YAxis {
  scale: ScaleLinear<number, number>;
  ticks: { value: number; label: string }[];
}

/** The bands of the x axis, one per label, by the label's index. */
export type XScale = ScaleBand<number>;

/**
 * Returns an axis with at most five steps of 1, 2 or 5 times a power of ten. It includes 0, all values and `max`. No two
 * labels read the same, and there are no fractions if all values are whole.
 */
export function makeYAxis(values: readonly number[], format: (value: number) => string, max = 0): YAxis {
  const low = Math.min(0, extreme(values, Math.min));
  const high = Math.max(0, max, extreme(values, Math.max)) || 1;
  const areWhole = values.every(Number.isInteger);
  // A longer axis is the last resort: small values may all format alike, such as an index of 0.2 and one of 0.4.
  for (let factor = 1; ; factor *= 2) {
    for (let count = maxSteps; count >= 1; count--) {
      const scale = scaleLinear(
        [low * factor, high * factor],
        [chartArea.height - chartArea.bottom, chartArea.top],
      ).nice(count);
      const ticks = scale.ticks(count).map((value) => ({ value, label: format(value) }));
      const isShort =
        ticks.length <= maxSteps + 1 && !(areWhole && ticks.some(({ value }) => value % 1 !== 0));
      const areDistinct = new Set(ticks.map(({ label }) => label)).size === ticks.length;
      if (isShort && (areDistinct || ticks.length <= 2)) return { scale, ticks };
    }
  }
}

/** The x axis, to the right of the widest label of the y axis. */
export function makeXScale({ ticks }: YAxis, count: number): XScale {
  const widest = Math.max(...ticks.map(({ label }) => textWidth(label)));
  const left = Math.min(Math.max(widest + labelGap, chartArea.minLeft), chartArea.width / 2);
  return scaleBand<number>([left, chartArea.width - chartArea.right]).domain(
    Array.from({ length: count }, (_, index) => index),
  );
}

/** The center of a band, from the left edge of the chart. */
export function bandCenter(x: XScale, index: number): number {
  return roundToTenth((x(index) ?? 0) + x.bandwidth() / 2);
}

interface PlacedLabel {
  text: string;
  x: number;
  anchor: "start" | "middle" | "end";
}

/** As many x labels as fit without overlapping, at equal distances that suit months. */
export function placeLabels(labels: readonly string[], scale: XScale): PlacedLabel[] {
  const texts = labels.map(truncate);
  const widest = extreme(texts.map(textWidth), Math.max) + labelGap;
  const needed = Math.ceil(widest / scale.step());
  const every = [1, 2, 3, 4, 6, 12].find((step) => step >= needed) ?? Math.ceil(needed / 12) * 12;
  const placed: PlacedLabel[] = [];
  let end = 0;
  texts.forEach((text, index) => {
    if (index % every !== 0) return;
    const x = bandCenter(scale, index);
    const half = textWidth(text) / 2;
    const anchor = x + half > chartArea.width ? "end" : x < half ? "start" : "middle";
    const left = anchor === "middle" ? x - half : anchor === "end" ? x - 2 * half : x;
    if (left < end) return;
    end = left + 2 * half + labelGap;
    placed.push({ text, x, anchor });
  });
  return placed;
}

/** One decimal is precise enough for coordinates. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function truncate(text: string): string {
  const characters = [...text];
  return characters.length > maxLabelLength ? `${characters.slice(0, maxLabelLength - 1).join("")}…` : text;
}

function textWidth(text: string): number {
  return [...text].length * characterWidth;
}

/** Spreading a long list into Math.max overflows the stack. Returns 0 for an empty list. */
function extreme(values: readonly number[], pick: (a: number, b: number) => number): number {
  return values.reduce((most, value) => pick(most, value), values[0] ?? 0);
}
