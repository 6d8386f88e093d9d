// Where things stand in a chart: round steps on the one axis, and as many labels on the other as have room.

/** The picture with the margins of what is drawn in it, in units of the picture. */
export const area = { width: 560, height: 240, leftMin: 40, right: 12, top: 12, bottom: 30 } as const;
const drawnHeight = area.height - area.top - area.bottom;

/** What a character of a label takes, in a font that is wide. */
const characterWidth = 9;
const labelGap = 8;
const labelLengthMax = 18;
const stepsMax = 5;

export interface Axis {
  bottom: number;
  top: number;
  ticks: { value: number; label: string }[];
}

/** What is drawn, from the left to the right, and for how many labels. */
export interface Breadth {
  left: number;
  width: number;
  count: number;
}

/** As broad as the labels of the axis leave room for. */
export function breadthOf({ ticks }: Axis, count: number): Breadth {
  const widest = Math.max(...ticks.map(({ label }) => widthOf(label)));
  const left = Math.min(Math.max(widest + labelGap, area.leftMin), area.width / 2);
  return { left, width: area.width - area.right - left, count };
}

/**
 * An axis that starts at 0, or below where a value does, in steps of 1, 2 or 5, ten times as much, and so on: as small as
 * they can be without two labels that read the same. There is nothing between whole numbers where all values are whole.
 *
 * @param max the end of the axis, unless a value is larger
 */
export function axisOf(values: readonly number[], format: (value: number) => string, max?: number): Axis {
  const highest = Math.max(0, max ?? 0, largest(values));
  const lowest = Math.min(0, -largest(values.map((value) => -value)));
  const span = highest - lowest || 1;
  const least = values.every(Number.isInteger) ? 0 : Number.NEGATIVE_INFINITY;
  for (let exponent = Math.max(Math.floor(Math.log10(span / stepsMax)), least); ; exponent++) {
    for (const digit of [1, 2, 5]) {
      const from = Math.floor(round((lowest / digit) * 10 ** -exponent));
      const until = Math.ceil(round(((highest || 1) / digit) * 10 ** -exponent));
      if (until - from > stepsMax) continue;
      const valueAt = (step: number) =>
        exponent < 0 ? (step * digit) / 10 ** -exponent : step * digit * 10 ** exponent;
      const ticks = Array.from({ length: until - from + 1 }, (_, index) => {
        const value = valueAt(from + index);
        return { value, label: format(value) };
      });
      const areDistinct = new Set(ticks.map(({ label }) => label)).size === ticks.length;
      if (areDistinct || until - from <= 1) return { bottom: valueAt(from), top: valueAt(until), ticks };
    }
  }
}

/** Where a value stands, from the top of the picture. */
export function heightOf({ bottom, top }: Axis, value: number): number {
  return tenths(area.top + drawnHeight * (1 - (value - bottom) / (top - bottom)));
}

/** The middle of what belongs to a label, from the left of the picture. */
export function middleOf({ left, width, count }: Breadth, index: number): number {
  return tenths(left + (width * (index + 0.5)) / count);
}

interface PlacedLabel {
  text: string;
  at: number;
  anchor: "start" | "middle" | "end";
}

/** As many labels as fit beside each other, at equal distances that suit months. */
export function placeLabels(labels: readonly string[], breadth: Breadth): PlacedLabel[] {
  const texts = labels.map(shortened);
  const widest = largest(texts.map(widthOf)) + labelGap;
  const needed = Math.ceil(widest / (breadth.width / breadth.count));
  const every = [1, 2, 3, 4, 6, 12].find((step) => step >= needed) ?? Math.ceil(needed / 12) * 12;
  const placed: PlacedLabel[] = [];
  let end = 0;
  texts.forEach((text, index) => {
    if (index % every !== 0) return;
    const at = middleOf(breadth, index);
    const half = widthOf(text) / 2;
    const anchor = at + half > area.width ? "end" : at < half ? "start" : "middle";
    const left = anchor === "middle" ? at - half : anchor === "end" ? at - 2 * half : at;
    if (left < end) return;
    end = left + 2 * half + labelGap;
    placed.push({ text, at, anchor });
  });
  return placed;
}

/** Units of the picture need no more than a decimal. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > labelLengthMax ? `${characters.slice(0, labelLengthMax - 1).join("")}…` : text;
}

function widthOf(text: string): number {
  return [...text].length * characterWidth;
}

/** 0 where there is none. (A long list is too much for `Math.max`.) */
function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), values[0] ?? 0);
}

/** Without what binary fractions leave over. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
