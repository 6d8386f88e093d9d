// Charts of the web application: a picture that needs no script, and the same numbers as a table.

import { type Html, html } from "../../html.ts";
import { columnsOf, gridOf, linesOf, sampleOf } from "./chart-marks.ts";
import { area, axisOf, breadthOf, placeLabels } from "./chart-scale.ts";
import { formatCount } from "./number-format.ts";
import { head, numberHead, tableOf } from "./table.ts";

export interface Chart {
  title: string;
  kind: "lines" | "columns" | "stacked";
  /** What stands on the x axis, in words. */
  across: string;
  labels: readonly string[];
  /** A value for each label; null where there is none. */
  series: readonly { name: string; values: readonly (number | null)[] }[];
  format: (value: number) => string;
  /** Where the axis ends, unless a value is larger. */
  max?: number;
  /** Where it is wider than its window, the end is seen first. */
  beginsAtEnd?: boolean;
}

/** A figure with a title, a legend where there are several series, the picture, and a table of its numbers. */
export function chartOf(chart: Chart): Html {
  const { title, series } = chart;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  return html`<figure class="figure">
<figcaption>${title}</figcaption>
${
  isEmpty
    ? html`<p class="soft">There are no numbers for this yet.</p>`
    : html`${legendOf(chart)}
<div class="${chart.beginsAtEnd ? "wide latest" : "wide"}" role="region" aria-label="${title}: the picture" tabindex="0">${pictureOf(chart)}</div>
${numbersOf(chart)}`
}
</figure>`;
}

function legendOf({ kind, series }: Chart): Html | false {
  if (series.length < 2) return false;
  return html`<ul class="legend">${series.map(
    ({ name }, index) => html`<li>${sampleOf(index, kind === "lines")} ${name}</li>`,
  )}</ul>`;
}

function pictureOf(chart: Chart): Html {
  const { kind, labels, format, max } = chart;
  const axis = axisOf(reachOf(chart), format, max);
  const breadth = breadthOf(axis, labels.length);
  const marks =
    kind === "lines" ? linesOf(chart, axis, breadth) : columnsOf(chart, axis, breadth, kind === "stacked");
  const base = area.height - area.bottom;
  return html`<svg class="chart" viewBox="0 0 ${area.width} ${area.height}" role="img" aria-label="${inWords(chart)}">
${gridOf(axis, breadth)}
${placeLabels(labels, breadth).map(
  ({ text, at, anchor }) => html`<text x="${at}" y="${base + 20}" text-anchor="${anchor}">${text}</text>`,
)}
${marks}
</svg>`;
}

/** All that the axis has to reach. */
function reachOf({ kind, labels, series }: Chart): number[] {
  const values = series.flatMap((each) => each.values.filter((value) => value !== null));
  if (kind !== "stacked") return values;
  const sumAt = (place: number) => series.reduce((sum, each) => sum + (each.values[place] ?? 0), 0);
  return [...values, ...labels.map((_, place) => sumAt(place))];
}

const kinds = { lines: "Line chart", columns: "Column chart", stacked: "Stacked column chart" } as const;

/** The picture for who cannot see it: what it is of, and between what its numbers lie. */
function inWords({ title, kind, across, labels, series, format }: Chart): string {
  const ends = labels.length > 1 ? `, from ${labels[0]} to ${labels.at(-1)}` : `, ${labels[0]}`;
  const ranges = series.map(({ name, values }) => {
    const numbers = values.filter((value) => value !== null);
    if (numbers.length === 0) return `${name}: no numbers.`;
    const [least, most] = numbers.reduce(
      ([low, high], value): [number, number] => [Math.min(low, value), Math.max(high, value)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as [number, number],
    );
    return least === most
      ? `${name}: ${format(most)}.`
      : `${name}: between ${format(least)} and ${format(most)}.`;
  });
  return `${title}. ${kinds[kind]} by ${across.toLowerCase()}${ends}. ${ranges.join(" ")} All numbers are in the table below.`;
}

function numbersOf({ title, across, labels, series, format }: Chart): Html {
  const rows = labels.map((label, place) => {
    const cells = series.map(({ values }) => {
      const value = values[place] ?? null;
      return html`<td class="number">${value === null ? formatCount(null) : format(value)}</td>`;
    });
    return html`<tr><th scope="row">${label}</th>${cells}</tr>\n`;
  });
  const heads = [head(across), ...series.map(({ name }) => numberHead(name))];
  return html`<details><summary>As a table<span class="visually-hidden">: ${title}</span></summary>
${tableOf(title, heads, rows, `${title}: the table`)}</details>`;
}
