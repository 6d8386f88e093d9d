// Charts: an SVG that needs no script, and the same numbers as a table.

import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { legendMark, renderColumns, renderGrid, renderLines } from "./chart-marks.ts";
import { chartArea, makeXScale, makeYAxis, placeLabels } from "./chart-scale.ts";
import { columnHeader, numberColumnHeader, renderTable } from "./table.ts";

export interface Chart {
  locale: Locale;
  title: string;
  kind: "lines" | "columns" | "stacked";
  /** The title of the x axis. */
  xTitle: string;
  labels: readonly string[];
  /** A value for each label; null if there is none. */
  series: readonly { name: string; values: readonly (number | null)[] }[];
  format: (value: number) => string;
  /** The y axis reaches at least this value. */
  max?: number;
  /** Scrolls to the end first where the chart is wider than the window. */
  startsAtEnd?: boolean;
}

/** A figure with a title, a legend if there are several series, the chart, and a table of its numbers. */
export function renderChart(chart: Chart): Html {
  const { locale, title, series } = chart;
  const { strings } = locale;
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  return html`<figure class="figure">
<figcaption>${title}</figcaption>
${
  isEmpty
    ? html`<p class="soft">${strings.ui.noData}</p>`
    : html`${renderLegend(chart)}
<div class="${chart.startsAtEnd ? "wide latest" : "wide"}" role="region" aria-label="${strings.ui.chartRegion(title)}" tabindex="0">${renderSvg(chart)}</div>
${renderData(chart)}`
}
</figure>`;
}

function renderLegend({ kind, series }: Chart): Html | false {
  if (series.length < 2) return false;
  return html`<ul class="legend">${series.map(
    ({ name }, index) => html`<li>${legendMark(index, kind === "lines")} ${name}</li>`,
  )}</ul>`;
}

function renderSvg(chart: Chart): Html {
  const { kind, labels, format, max } = chart;
  const y = makeYAxis(valuesToReach(chart), format, max);
  const x = makeXScale(y, labels.length);
  const marks = kind === "lines" ? renderLines(chart, y, x) : renderColumns(chart, y, x, kind === "stacked");
  const base = chartArea.height - chartArea.bottom;
  return html`<svg class="chart" viewBox="0 0 ${chartArea.width} ${chartArea.height}" role="img" aria-label="${describe(chart)}">
${renderGrid(y, x)}
${placeLabels(labels, x).map(
  ({ text, x: at, anchor }) => html`<text x="${at}" y="${base + 20}" text-anchor="${anchor}">${text}</text>`,
)}
${marks}
</svg>`;
}

/** The values that the y axis has to reach, with the sums of stacked columns. */
function valuesToReach({ kind, labels, series }: Chart): number[] {
  const values = series.flatMap((each) => each.values.filter((value) => value !== null));
  if (kind !== "stacked") return values;
  const sumAt = (index: number) => series.reduce((sum, each) => sum + (each.values[index] ?? 0), 0);
  return [...values, ...labels.map((_, index) => sumAt(index))];
}

/** The chart in a sentence, for screen readers. */
function describe({ locale: { strings }, title, kind, xTitle, labels, series, format }: Chart): string {
  const [first = "", last = ""] = [labels[0], labels.at(-1)];
  const span = labels.length > 1 ? strings.ui.fromTo(first, last) : first;
  const ranges = series.map(({ name, values }) => {
    const numbers = values.filter((value) => value !== null);
    if (numbers.length === 0) return strings.ui.seriesWithoutData(name);
    const low = numbers.reduce((least, value) => Math.min(least, value));
    const high = numbers.reduce((most, value) => Math.max(most, value));
    return low === high
      ? strings.ui.seriesValue(name, format(high))
      : strings.ui.seriesRange(name, format(low), format(high));
  });
  return strings.ui.chartDescription({ title, kind: strings.ui.chartKinds[kind], xTitle, span, ranges });
}

function renderData({ locale, title, xTitle, labels, series, format }: Chart): Html {
  const { strings } = locale;
  const rows = labels.map((label, index) => {
    const cells = series.map(({ values }) => {
      const value = values[index] ?? null;
      return html`<td class="number">${value === null ? locale.format.count(null) : format(value)}</td>`;
    });
    return html`<tr><th scope="row">${label}</th>${cells}</tr>\n`;
  });
  const headers = [columnHeader(xTitle), ...series.map(({ name }) => numberColumnHeader(name))];
  return html`<details><summary>${strings.ui.showTable}<span class="visually-hidden">: ${title}</span></summary>
${renderTable(title, headers, rows, strings.ui.tableRegion(title))}</details>`;
}
