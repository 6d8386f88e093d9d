// Sparklines: the shape of a series in the size of a word.

import { scaleLinear } from "d3-scale";
import { curveMonotoneX, line } from "d3-shape";
import { type Html, html } from "../../html.ts";
import { areaUnder } from "./chart-marks.ts";

const size = { width: 100, height: 32, margin: 3 } as const;

/** Columns suit counts, lines suit rates. */
export type SparklineKind = "line" | "columns";

type TrendPoint = readonly [index: number, value: number];

/**
 * A shape for the eye alone, from 0: the numbers must be elsewhere on the page. A line leads over missing values: few
 * campaigns ask for an eNPS, and the pieces between gaps would be dots.
 */
export function sparkline(values: readonly (number | null)[], kind: SparklineKind = "line"): Html | false {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 2) return false;
  const { width, height, margin } = size;
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const y = scaleLinear([low, high === low ? 1 : high], [height - margin, margin]);
  const shape = kind === "line" ? renderLine(values, y) : renderColumns(values, y);
  return html`<svg class="spark s1" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${shape}</svg>`;
}

function renderLine(values: readonly (number | null)[], y: (value: number) => number): Html {
  const points = values.flatMap((value, index): TrendPoint[] => (value === null ? [] : [[index, value]]));
  const x = ([index]: TrendPoint) => (index / (values.length - 1)) * size.width;
  const yOf = ([, value]: TrendPoint) => y(value);
  const stroke = line<TrendPoint>(x, yOf).curve(curveMonotoneX).digits(1)(points) ?? "";
  return html`<path class="under" d="${areaUnder(stroke, y(0))}"/><path class="line" d="${stroke}"/>`;
}

function renderColumns(values: readonly (number | null)[], y: (value: number) => number): Html {
  const band = size.width / values.length;
  const columns = values.map((value, index) => {
    if (!value) return false;
    const [top, bottom] = [y(Math.max(value, 0)), y(Math.min(value, 0))];
    const [left, right] = [band * (index + 0.15), band * (index + 0.85)];
    return `M${round(left)},${round(bottom)}V${round(top)}H${round(right)}V${round(bottom)}Z`;
  });
  return html`<path class="columns" d="${columns.filter(Boolean).join("")}"/>`;
}

const round = (value: number) => Math.round(value * 100) / 100;
