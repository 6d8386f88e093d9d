// What is drawn in a chart: lines with marks, and columns. Each series has a form of its own besides its colour.

import { type Html, type HtmlValue, html } from "../../html.ts";
import { type Axis, area, type Breadth, heightOf, middleOf, tenths } from "./chart-scale.ts";

/** What is drawn of a chart. */
interface Drawn {
  labels: readonly string[];
  series: readonly { name: string; values: readonly (number | null)[] }[];
  format: (value: number) => string;
}

const dashes = ["", "7 4", "2 4", "10 3 2 3", "1 3"] as const;
const fills = ["1", "0.4", "0", "0.7", "0.15"] as const;
const outlines = ["", "", "", "4 2", "2 2"] as const;

/** As the colours in the style sheet: a sixth series looks like the first one again. */
const formOf = <Form>(forms: readonly Form[], index: number) => forms[index % forms.length] as Form;
const classOf = (index: number) => `s${(index % 5) + 1}`;

export function linesOf(chart: Drawn, axis: Axis, breadth: Breadth): Html {
  const size = breadth.count > 40 ? 2 : 3.5;
  return html`${chart.series.map(({ name, values }, index) => {
    const points = values.map((value, place) =>
      value === null ? null : { at: middleOf(breadth, place), height: heightOf(axis, value) },
    );
    return html`<g class="${classOf(index)}">
<path class="line" d="${pathOf(points)}"${dashed(dashes, index)}/>
${points.map(
  (point, place) =>
    point &&
    html`<path d="${shapeOf(index, point.at, point.height, size)}">${tipOf(chart, name, place, values[place])}</path>`,
)}
</g>`;
  })}`;
}

/** Columns of several series stand side by side, or one on top of the other. */
export function columnsOf(chart: Drawn, axis: Axis, breadth: Breadth, isStacked: boolean): Html {
  const { width: all, count } = breadth;
  const slot = all / count;
  const width = Math.min(slot * (count > 40 ? 0.9 : 0.7), 60) / (isStacked ? 1 : chart.series.length);
  const reached = chart.labels.map(() => 0);
  return html`${chart.series.map(({ name, values }, index) => {
    const columns = values.map((value, place) => {
      if (value === null || value === 0) return null;
      const start = isStacked ? (reached[place] ?? 0) : 0;
      reached[place] = start + value;
      const left =
        middleOf(breadth, place) + (isStacked ? -width / 2 : (index - chart.series.length / 2) * width);
      const [low, high] = [heightOf(axis, start), heightOf(axis, start + value)];
      // What is there can be seen, however little it is.
      const height = Math.max(Math.abs(low - high), 0.5);
      return html`<rect x="${tenths(left)}" y="${tenths(Math.min(low, high))}" width="${tenths(Math.max(width - 1, 0.5))}" height="${tenths(height)}">${tipOf(chart, name, place, value)}</rect>`;
    });
    return html`<g class="${classOf(index)}" fill-opacity="${formOf(fills, index)}"${dashed(outlines, index)}>${columns}</g>`;
  })}`;
}

/** What stands beside the name of a series. */
export function sampleOf(index: number, isLine: boolean): Html {
  const mark = isLine
    ? html`<path class="line" d="M0 6H28"${dashed(dashes, index)}/><path d="${shapeOf(index, 14, 6, 3.5)}"/>`
    : html`<rect x="1" y="1" width="26" height="10" fill-opacity="${formOf(fills, index)}"${dashed(outlines, index)}/>`;
  return html`<svg class="sample ${classOf(index)}" viewBox="0 0 28 12" width="28" height="12" aria-hidden="true">${mark}</svg>`;
}

/** Steps, and the labels of both axes. */
export function gridOf(axis: Axis, { left }: Breadth): Html {
  const right = area.width - area.right;
  return html`${axis.ticks.map(({ value, label }) => {
    const height = heightOf(axis, value);
    return html`<line class="grid" x1="${left}" x2="${right}" y1="${height}" y2="${height}"/>
<text x="${left - 8}" y="${height + 4}" text-anchor="end">${label}</text>`;
  })}`;
}

function dashed(kinds: readonly string[], index: number): HtmlValue {
  const kind = formOf(kinds, index);
  return kind !== "" && html` stroke-dasharray="${kind}"`;
}

/** A line that is interrupted where there is no value. */
function pathOf(points: readonly ({ at: number; height: number } | null)[]): string {
  return points
    .map((point, place) => point && `${points[place - 1] ? "L" : "M"}${point.at} ${point.height}`)
    .filter((step) => step !== null)
    .join("");
}

/** A circle, a square, a triangle, a diamond or a cross. */
function shapeOf(index: number, x: number, y: number, size: number): string {
  const [left, right, top, bottom] = [x - size, x + size, y - size, y + size].map(tenths);
  switch (index % 5) {
    case 0:
      return `M${left} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`;
    case 1:
      return `M${left} ${top}H${right}V${bottom}H${left}Z`;
    case 2:
      return `M${x} ${top}L${right} ${bottom}H${left}Z`;
    case 3:
      return `M${x} ${top}L${right} ${y}L${x} ${bottom}L${left} ${y}Z`;
    default:
      return `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`;
  }
}

/** Browsers show it to who points there. */
function tipOf(
  { labels, format }: Drawn,
  name: string,
  place: number,
  value: number | null | undefined,
): Html {
  return html`<title>${labels[place]}, ${name}: ${format(value ?? 0)}</title>`;
}
