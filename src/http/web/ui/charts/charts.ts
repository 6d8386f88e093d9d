// Charts: an SVG that needs no script and fits every width, and the same numbers as a table.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { columnHeader, numberColumnHeader, renderTable } from "../lists/table.ts";
import { renderHits } from "./chart-hits.ts";
import {
  type ChartDot,
  type ChartSeries,
  caseMark,
  hatched,
  legendMark,
  renderColumns,
  renderGrid,
  renderLines,
  valueText,
} from "./chart-marks.ts";
import {
  bandCenter,
  chartMargin,
  makeYAxis,
  placeLabels,
  roundToTenth,
  type YAxis,
  yAxisWidth,
} from "./chart-scale.ts";

export type { ChartDot, ChartSeries } from "./chart-marks.ts";

export interface Chart {
  locale: Locale;
  title: string;
  kind: "lines" | "columns";
  /** The title of the x axis. */
  xTitle: string;
  labels: readonly string[];
  /** Shorter labels for the x axis. */
  axisLabels?: readonly string[];
  /** Where in its band a label of the x axis is, from 0 to 1: the first day of a week is at its start. */
  labelPlace?: number;
  series: readonly ChartSeries[];
  /** Single cases, behind the lines. */
  dots?: readonly ChartDot[];
  /** Their texts should be in the labels, too: screen readers and the table have only these. */
  /** What a dot and its size are, for the legend. */
  dotNote?: string | undefined;
  format: (value: number) => string;
  /** The format of the y axis, if `format` has more decimals than its round steps need. */
  formatTick?: (value: number) => string;
  /** The height in pixels; 240 by default. */
  height?: number;
  /** Why the values of a label may change, for each label. From the first such label on, the chart is hatched. */
  unfinished?: readonly (string | undefined)[];
  /** Says in the legend why the values may change, if more than the last label has a reason. */
  unfinishedNote?: string | undefined;
  /** Shown instead of a chart without values. */
  emptyText?: string | undefined;
  /** Where a click on each label leads. */
  urls?: readonly string[];
  /** Shown beside the title. */
  heading?: HtmlValue;
}

/** A figure with a title, a legend if there are several series, the chart, and a table of its numbers. */
export function renderChart(chart: Chart): Html {
  const { locale, title, series, heading, emptyText = locale.t("ui.noData"), dots = [] } = chart;
  const isEmpty = dots.length === 0 && series.every(({ values }) => values.every((value) => value === null));
  return html`<figure class="figure">
<div class="card-head"><figcaption><h2>${title}</h2></figcaption>${heading}${!isEmpty && renderLegend(chart)}</div>
${
  isEmpty
    ? html`<p class="soft">${emptyText}</p>`
    : html`${renderPlot(chart)}
${renderData(chart)}`
}
</figure>`;
}

/** The first label whose values may change; undefined if none may. */
function unfinishedFrom({ unfinished = [] }: Chart): number | undefined {
  const first = unfinished.findIndex((note) => note !== undefined);
  return first === -1 ? undefined : first;
}

function renderLegend(chart: Chart): Html | false {
  const { title, kind, series, unfinished, dots = [] } = chart;
  const unfinishedNote = chart.unfinishedNote ?? unfinished?.find((note) => note !== undefined);
  if (series.length < 2 && unfinishedNote === undefined && dots.length === 0) return false;
  // A series that is called as the chart is needs no name.
  const items = series.map(
    (each, index) =>
      each.name !== title && html`<li>${legendMark(each, index, kind === "lines")} ${each.name}</li>`,
  );
  const hatching =
    unfinishedNote !== undefined &&
    html`<li><svg class="sample" viewBox="0 0 24 12" aria-hidden="true">${hatched(html`x="2" width="20" height="12"`)}</svg> ${unfinishedNote}</li>`;
  const cases = dots.length > 0 && html`<li>${caseMark} ${chart.dotNote}</li>`;
  return html`<ul class="legend">${series.length > 1 && items}${cases}${hatching}</ul>`;
}

/** The y axis with its labels, and beside it the plot, which takes the rest of the width. */
function renderPlot(chart: Chart): Html {
  const { title, kind, labels, series, dots, format, formatTick = format, height = 240 } = chart;
  const y = makeYAxis(valuesToReach(chart), formatTick, height);
  const from = unfinishedFrom(chart);
  const drawn = { labels, series, unfinishedFrom: from, dots: dots ?? [] };
  const marks = kind === "lines" ? renderLines(drawn, y, height) : renderColumns(drawn, y);
  const width = from === undefined ? 0 : roundToTenth((100 / labels.length) * (labels.length - from));
  const hatch =
    width > 0 &&
    hatched(
      html`x="${roundToTenth(100 - width)}%" width="${width}%" y="${chartMargin.top}" height="${height - chartMargin.bottom - chartMargin.top}"`,
    );
  return html`<div class="plot">${renderYAxis(y, height)}<div class="area"><svg height="${height}" role="img" aria-label="${title}">
${renderGrid(y)}${hatch}
${marks}
${renderXLabels(chart, height)}</svg>
${renderHits({ ...chart, title, hasDots: kind === "lines" }, y)}</div></div>`;
}

function renderYAxis(axis: YAxis, height: number): Html {
  const width = yAxisWidth(axis);
  const labels = axis.ticks.map(
    ({ value, label }) =>
      html`<text x="${width - 8}" y="${roundToTenth(axis.scale(value)) + 4}" text-anchor="end">${label}</text>`,
  );
  return html`<svg class="axis" width="${width}" height="${height}" aria-hidden="true">${labels}</svg>`;
}

function renderXLabels({ labels, axisLabels = labels, labelPlace }: Chart, height: number): HtmlValue {
  return placeLabels(axisLabels, labelPlace).map(({ index, text, isAtEdge, from, until }) => {
    const [x, anchor] = isAtEdge
      ? [-chartMargin.side, "start"]
      : [`${bandCenter(index, labels.length, labelPlace)}%`, "middle"];
    return html`<text class="from-${from}${until !== undefined && ` until-${until}`}" x="${x}" y="${height - 6}" text-anchor="${anchor}">${text}</text>`;
  });
}

/** The values that the y axis has to reach. */
const valuesToReach = ({ series, dots = [] }: Chart): number[] => [
  ...series.flatMap(({ values }) => values.filter((value) => value !== null)),
  ...dots.map(({ value }) => value),
];

function renderData({ locale, title, xTitle, labels, series, format, urls }: Chart): Html {
  const rows = labels.map((label, index) => {
    const cells = series.map((each) => html`<td>${valueText(locale, each, index, format)}</td>`);
    const url = urls?.[index];
    const header = url === undefined ? label : html`<a href="${url}">${label}</a>`;
    return html`<tr><th scope="row">${header}</th>${cells}</tr>\n`;
  });
  const headers = [columnHeader(xTitle), ...series.map(({ name }) => numberColumnHeader(name))];
  return html`<details class="data"><summary>${locale.t("ui.showTable")}<span class="visually-hidden">, ${title}</span></summary>
${renderTable(title, headers, rows, { name: locale.t("ui.tableRegion", { title }) })}</details>`;
}
