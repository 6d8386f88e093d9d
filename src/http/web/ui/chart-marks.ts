// The marks of a chart: lines with points, columns, and the grid. Series differ in shape and pattern, not only in color.

import {
  line,
  stack,
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolTimes,
  symbolTriangle,
} from "d3-shape";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { bandCenter, chartArea, roundToTenth, type XScale, type YAxis } from "./chart-scale.ts";

interface ChartData {
  locale: Locale;
  labels: readonly string[];
  series: readonly { name: string; values: readonly (number | null)[] }[];
  format: (value: number) => string;
}

const dashes = ["", "7 4", "2 4", "10 3 2 3", "1 3"] as const;
const opacities = ["1", "0.4", "0", "0.7", "0.15"] as const;
const outlines = ["", "", "", "4 2", "2 2"] as const;
const symbols = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolTimes] as const;

/** A sixth series looks like the first one, as in the style sheet. */
const styleOf = <Style>(styles: readonly Style[], index: number) => styles[index % styles.length] as Style;
const classOf = (index: number) => `s${(index % 5) + 1}`;

/** Above this number of labels, points are smaller and columns closer. */
const manyLabels = 40;

/** One line per series, with a point for each value. A missing value interrupts the line. */
export function renderLines(chart: ChartData, { scale: y }: YAxis, x: XScale): Html {
  const path = line<number | null>(
    (_, index) => bandCenter(x, index),
    (value) => roundToTenth(y(value ?? 0)),
  )
    .defined((value) => value !== null)
    .digits(1);
  const radius = chart.labels.length > manyLabels ? 2 : 3.5;
  return html`${chart.series.map(({ name, values }, series) => {
    const shape = pointShape(series, radius);
    const points = values.map((value, index) => {
      if (value === null) return false;
      const position = `translate(${bandCenter(x, index)},${roundToTenth(y(value))})`;
      return html`<path transform="${position}" d="${shape}">${tooltip(chart, name, index, value)}</path>`;
    });
    return html`<g class="${classOf(series)}">
<path class="line" d="${path(values)}"${dashAttribute(dashes, series)}/>
${points}
</g>`;
  })}`;
}

/** Columns of several series, side by side or stacked. */
export function renderColumns(chart: ChartData, { scale: y }: YAxis, x: XScale, isStacked: boolean): Html {
  const { labels, series } = chart;
  const share = labels.length > manyLabels ? 0.9 : 0.7;
  const width = Math.min(x.bandwidth() * share, 60) / (isStacked ? 1 : series.length);
  const starts = isStacked ? stackStarts(chart) : undefined;
  return html`${series.map(({ name, values }, place) => {
    const offset = isStacked ? -width / 2 : (place - series.length / 2) * width;
    const columns = values.map((value, index) => {
      if (value === null || value === 0) return false;
      const start = starts?.[place]?.[index] ?? 0;
      const [from, to] = [roundToTenth(y(start)), roundToTenth(y(start + value))];
      const left = roundToTenth(bandCenter(x, index) + offset);
      // A value that is not 0 stays visible, however small it is.
      const height = Math.max(Math.abs(from - to), 0.5);
      return html`<rect x="${left}" y="${Math.min(from, to)}" width="${roundToTenth(Math.max(width - 1, 0.5))}" height="${roundToTenth(height)}">${tooltip(chart, name, index, value)}</rect>`;
    });
    return html`<g class="${classOf(place)}" fill-opacity="${styleOf(opacities, place)}"${dashAttribute(outlines, place)}>${columns}</g>`;
  })}`;
}

/** Where each column of each series starts, on top of the series before it. */
function stackStarts({ labels, series }: ChartData): number[][] {
  const stacked = stack<number, number>()
    .keys(series.map((_, place) => place))
    .value((index, place) => series[place]?.values[index] ?? 0)(labels.map((_, index) => index));
  return stacked.map((columns) => columns.map(([start]) => start));
}

/** The mark next to a series in the legend. */
export function legendMark(index: number, isLine: boolean): Html {
  const mark = isLine
    ? html`<path class="line" d="M0 6H28"${dashAttribute(dashes, index)}/><path transform="translate(14,6)" d="${pointShape(index, 3.5)}"/>`
    : html`<rect x="1" y="1" width="26" height="10" fill-opacity="${styleOf(opacities, index)}"${dashAttribute(outlines, index)}/>`;
  return html`<svg class="sample ${classOf(index)}" viewBox="0 0 28 12" width="28" height="12" aria-hidden="true">${mark}</svg>`;
}

/** The horizontal grid lines with the labels of the y axis. */
export function renderGrid({ scale: y, ticks }: YAxis, x: XScale): Html {
  const [left, right] = [roundToTenth(x.range()[0]), chartArea.width - chartArea.right];
  return html`${ticks.map(({ value, label }) => {
    const height = roundToTenth(y(value));
    return html`<line class="grid" x1="${left}" x2="${right}" y1="${height}" y2="${height}"/>
<text x="${left - 8}" y="${height + 4}" text-anchor="end">${label}</text>`;
  })}`;
}

function pointShape(index: number, radius: number): string {
  return symbol(styleOf(symbols, index), Math.PI * radius ** 2).digits(1)() ?? "";
}

function dashAttribute(patterns: readonly string[], index: number): HtmlValue {
  const pattern = styleOf(patterns, index);
  return pattern !== "" && html` stroke-dasharray="${pattern}"`;
}

/** Browsers show the title of a mark on hover. */
function tooltip({ locale, labels, format }: ChartData, name: string, index: number, value: number): Html {
  return html`<title>${locale.strings.ui.pointLabel(labels[index] ?? "", name, format(value))}</title>`;
}
