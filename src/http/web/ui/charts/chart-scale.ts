// The scales of a chart: round steps on the y axis, and as many labels on the x axis as fit.

import { type ScaleLinear, scaleLinear } from "d3-scale";

/** The margins of the plot in pixels: the space above, that of the x labels, and that on both sides into which they may reach. */
export const chartMargin = { top: 8, bottom: 28, side: 14 } as const;

/**
 * The widths of a plot in pixels, from which on more x labels are shown, from narrow to wide. The style sheet has a
 * class for each.
 */
export const chartWidths = { narrow: 240, phone: 352, card: 480, page: 800 } as const;

/** The width of a character, in a wide font. */
const characterWidth = 7.5;
const labelGap = 12;
const maxLabelLength = 18;
const maxSteps = 5;

export interface YAxis {
  scale: ScaleLinear<number, number>;
  ticks: { value: number; label: string }[];
}

/**
 * Returns an axis with at most five steps of 1, 2 or 5 times a power of ten. It includes 0 and all values. No two
 * labels read the same, and there are no fractions if all values are whole.
 *
 * @param height of the chart in pixels, with its margins
 */
export function makeYAxis(values: readonly number[], format: (value: number) => string, height = 240): YAxis {
  const low = Math.min(0, extreme(values, Math.min));
  const high = Math.max(0, extreme(values, Math.max)) || 1;
  const areWhole = values.every(Number.isInteger);
  const range = [height - chartMargin.bottom, chartMargin.top];
  // A longer axis is the last resort: small values may all format alike, such as an index of 0.2 and one of 0.4.
  for (let factor = 1; ; factor *= 2) {
    for (let count = maxSteps; count >= 1; count--) {
      const scale = scaleLinear([low * factor, high * factor], range).nice(count);
      const ticks = scale.ticks(count).map((value) => ({ value, label: format(value) }));
      const isShort =
        ticks.length <= maxSteps + 1 && !(areWhole && ticks.some(({ value }) => value % 1 !== 0));
      const areDistinct = new Set(ticks.map(({ label }) => label)).size === ticks.length;
      if (isShort && (areDistinct || ticks.length <= 2)) return { scale, ticks };
    }
  }
}

/** The width of the labels of the y axis in pixels, with a gap to the plot. */
export function yAxisWidth({ ticks }: YAxis): number {
  return (
    Math.ceil(
      extreme(
        ticks.map(({ label }) => textWidth(label)),
        Math.max,
      ),
    ) + 8
  );
}

type WidthName = keyof typeof chartWidths;

interface PlacedLabel {
  index: number;
  text: string;
  /** It begins at the edge of the chart, because it would reach beyond it if it were below its band. */
  isAtEdge: boolean;
  /** The plot width from which on the label is shown. */
  from: WidthName;
  /** The plot width from which on it is hidden again. */
  until?: WidthName | undefined;
}

/**
 * For each width of the plot, as many x labels as fit without overlapping, at equal distances that suit months.
 *
 * @param place where in its band each label is, from 0 to 1
 */
export function placeLabels(labels: readonly string[], place = 0.5): PlacedLabel[] {
  const texts = labels.map(truncate);
  const widest = extreme(texts.map(textWidth), Math.max) + labelGap;
  const steps: Partial<Record<WidthName, number>> = {};
  let step = 1;
  // Goes from wide to narrow: each step is a multiple of the last, so narrower plots only leave labels out.
  for (const name of ["page", "card", "phone", "narrow"] as const) {
    // Of the weeks of a quarter, each second has a label.
    const width = widest + (name === "page" ? 5 : 0);
    step = roundUpToStep(Math.ceil((width * labels.length) / chartWidths[name]), step);
    steps[name] = step;
  }
  const names = Object.keys(chartWidths) as WidthName[];
  const [first = ""] = texts;
  const fitsBelow = (name: WidthName) =>
    (chartWidths[name] / labels.length) * place - textWidth(first) / 2 >= -chartMargin.side;
  const firstFits = names.find(fitsBelow);
  const isFirstAtEdge = firstFits !== "narrow";
  const firstEnd = (name: WidthName) =>
    fitsBelow(name) ? -chartMargin.side : textWidth(first) - chartMargin.side + labelGap / 2;
  return texts.flatMap((text, index): PlacedLabel[] => {
    if (index === 0 && isFirstAtEdge) {
      const atEdge = { index, text, isAtEdge: true, from: "narrow", until: firstFits } as const;
      return firstFits ? [atEdge, { index, text, isAtEdge: false, from: firstFits }] : [atEdge];
    }
    const half = textWidth(text) / 2;
    const from = names.find((name) => {
      const width = chartWidths[name];
      const center = ((index + place) / labels.length) * width;
      const fits = center - half >= firstEnd(name) && center + half <= width + chartMargin.side;
      return index % (steps[name] ?? 1) === 0 && (index === 0 || fits);
    });
    return from === undefined ? [] : [{ index, text, isAtEdge: false, from }];
  });
}

/** The smallest distance between labels of at least `needed` that is a multiple of `base`. */
function roundUpToStep(needed: number, base: number): number {
  const steps = [1, 2, 3, 4, 6, 12].filter((step) => step % base === 0);
  return steps.find((step) => step >= needed) ?? Math.ceil(needed / base) * base;
}

/** The center of a label's band, or another place in it, as a percentage of the plot's width. */
export function bandCenter(index: number, count: number, place = 0.5): number {
  return roundToTenth(((index + place) / count) * 100);
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
