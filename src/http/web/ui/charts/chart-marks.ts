// The marks of a chart: lines, columns and the grid. Positions across are percentages, so a chart fits every width.

import { line } from "d3-shape";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { noValue } from "../numbers/number-or-dash.ts";
import { bandCenter, roundToTenth, type YAxis } from "./chart-scale.ts";

export interface ChartSeries {
  name: string;
  /** A value for each label; null if there is none. */
  values: readonly (number | null)[];
  /** What tips and the table show instead of a formatted value, such as a rate with its range. */
  texts?: readonly HtmlValue[];
  /** A series to compare with, such as the year before: dashed and gray. */
  isComparison?: boolean;
}

/** A single case among the labels, such as a campaign. */
export interface ChartDot {
  /** The place: 2.5 is in the middle of the third label. */
  at: number;
  value: number;
  /** The size, from 0 to 1. */
  size: number;
  /** The value may change. */
  isHollow?: boolean;
}

interface ChartMarks {
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** The first label whose values may change; undefined if none may. */
  unfinishedFrom?: number | undefined;
  dots?: readonly ChartDot[];
}

const dashes = ["", "9 4", "2 4", "10 3 2 3", "1 4"] as const;
const comparisonDash = "4 4";
const unfinishedDash = "1 5";

/** The class with the color of a series. */
export function seriesClass({ isComparison }: ChartSeries, index: number): string {
  return isComparison ? "s5" : `s${(index % 5) + 1}`;
}

/** A sixth series looks like the first one, as in the style sheet. */
const dashOf = ({ isComparison }: ChartSeries, index: number) =>
  isComparison ? comparisonDash : (dashes[index % dashes.length] ?? "");

/** The lines are drawn this wide, and stretched to the width of the plot. */
const canvasWidth = 1000;

type Point = readonly [index: number, value: number | null];

/** One line per series, straight from each value to the next. Those with missing values between them get dots. */
export function renderLines(
  { labels, series, unfinishedFrom = labels.length, dots = [] }: ChartMarks,
  { scale: y }: YAxis,
  height: number,
): Html {
  const count = labels.length;
  const x = ([index]: Point) => ((index + 0.5) / count) * canvasWidth;
  const yOf = ([, value]: Point) => y(value ?? 0);
  const stroke = line<Point>(x, yOf).digits(1);
  const knownOf = ({ values }: ChartSeries) =>
    values.map((value, index): Point => [index, value]).filter(([, value]) => value !== null);
  /** The points before a label, and from the last of them on. */
  const splitAt = (points: readonly Point[], end: number): [Point[], Point[]] => {
    const before = points.filter(([index]) => index < end);
    return [before, points.slice(Math.max(before.length - 1, 0))];
  };
  const drawn = series.map((each, place) => {
    const [finished, others] = splitAt(knownOf(each), each.isComparison ? count : unfinishedFrom);
    const dash = dashOf(each, place);
    return html`<g class="${seriesClass(each, place)}"><path class="line" d="${stroke(finished)}"${dash !== "" && html` stroke-dasharray="${dash}"`}/>${others.length > 1 && html`<path class="line" d="${stroke(others)}" stroke-dasharray="${unfinishedDash}"/>`}</g>`;
  });
  const first = series.find(({ isComparison }) => !isComparison);
  const areas = (first ? splitAt(knownOf(first), unfinishedFrom) : []).map((points) =>
    areaUnder(stroke(points) ?? "", y(0)),
  );
  const cases = dots.map(
    ({ at, value, size, isHollow }) =>
      html`<circle class="case${isHollow && " hollow"} s1" cx="${round((at / count) * 100)}%" cy="${roundToTenth(y(value))}" r="${roundToTenth(1.5 + 4.5 * size)}"/>`,
  );
  // The first series is on top.
  return html`<svg viewBox="0 0 ${canvasWidth} ${height}" preserveAspectRatio="none" width="100%" height="${height}"><path class="under" fill="url(#shade)" d="${areas.join("")}"/>${drawn.toReversed()}</svg>${cases}${series.map((each, place) => renderDots(each, seriesClass(each, place), y, dots.length > 0))}`;
}

/** The area between a line and a height: straight down from the end of each of its parts, and back below its start. */
function areaUnder(path: string, height: number): string {
  const parts = path.split("M").filter((part) => part !== "" && !part.endsWith("Z"));
  return parts.map((part) => `M${part}V${roundToTenth(height)}H${part.split(",")[0]}Z`).join("");
}

/** Dots for values beside missing ones, which are not known from the line. Beside the dots of cases only lone ones have one. */
function renderDots(
  { values, isComparison }: ChartSeries,
  className: string,
  y: (value: number) => number,
  hasCases: boolean,
): HtmlValue {
  const isLine = values.filter((value) => value !== null).length > 1;
  if (hasCases && isLine && !isComparison) return false;
  return values.map((value, index) => {
    const isBesideGap = values[index - 1] === null || values[index + 1] === null || values.length === 1;
    return (
      value !== null &&
      isBesideGap &&
      html`<circle class="${className}" cx="${bandCenter(index, values.length)}%" cy="${roundToTenth(y(value))}" r="3.5"/>`
    );
  });
}

/** Columns of several series, side by side. */
export function renderColumns({ labels, series }: ChartMarks, { scale: y }: YAxis): Html {
  const band = 100 / labels.length;
  // A single wide column would look like a wall.
  const width = Math.min(band * 0.7, 12) / series.length;
  return html`${series.map((each, place) => {
    const offset = (place - series.length / 2) * width;
    const columns = each.values.map((value, index) => {
      if (value === null || value === 0) return false;
      const [from, to] = [roundToTenth(y(0)), roundToTenth(y(value))];
      const left = round(band * (index + 0.5) + offset);
      // A value that is not 0 stays visible, however small it is.
      const height = Math.max(Math.abs(from - to), 1);
      return html`<rect x="${left}%" y="${roundToTenth(Math.min(from, to))}" width="${round(width * 0.92)}%" height="${roundToTenth(height)}"/>`;
    });
    return html`<g class="${seriesClass(each, place)}">${columns}</g>`;
  })}`;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** A value of a series as tips and the table show it. */
export function valueText(
  locale: Locale,
  { values, texts = [] }: ChartSeries,
  index: number,
  format: (value: number) => string,
): HtmlValue {
  const value = values[index] ?? null;
  return texts[index] || (value === null ? noValue(locale) : format(value));
}

/** The mark next to the legend's word for dots. */
export const caseMark = html`<svg class="sample s1" viewBox="0 0 24 12" aria-hidden="true"><circle class="case" cx="12" cy="6" r="4.5"/></svg>`;

/** The mark next to a series in the legend. */
export function legendMark(series: ChartSeries, index: number, isLine: boolean): Html {
  const dash = dashOf(series, index);
  const mark = isLine
    ? html`<path class="line" d="M1 6H23"${dash !== "" && html` stroke-dasharray="${dash}"`}/>`
    : html`<rect x="6" width="12" height="12" rx="3"/>`;
  return html`<svg class="sample ${seriesClass(series, index)}" viewBox="0 0 24 12" aria-hidden="true">${mark}</svg>`;
}

/** The horizontal grid lines. */
export function renderGrid({ scale: y, ticks }: YAxis): Html {
  return html`${ticks.map(({ value }) => {
    const height = roundToTenth(y(value));
    return html`<line class="grid${value === 0 && " zero"}" x2="100%" y1="${height}" y2="${height}"/>`;
  })}`;
}

/** The patterns of all charts of a page, once per page. */
export const chartPatterns = html`<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
<linearGradient id="shade" x2="0" y2="1"><stop class="shade-top" offset="0"/><stop class="shade-end" offset="1"/></linearGradient>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" y2="6"/></pattern>
</defs></svg>`;

/** Covers a part of a chart with the hatching of a period that is not over. */
export function hatched(attributes: Html): Html {
  return html`<rect fill="url(#hatch)" ${attributes}/>`;
}
