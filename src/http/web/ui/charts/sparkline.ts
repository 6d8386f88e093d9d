// Sparklines: the shape of a series in the size of a word.

import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { type Html, html } from "../../../../locale/html.ts";
import { areaUnder } from "./chart-marks.ts";

const size = { width: 100, height: 32, margin: 3 } as const;

type TrendPoint = readonly [index: number, value: number];

/**
 * A shape for the eye alone, from 0: the numbers must be elsewhere on the page. A line leads over missing values: few
 * campaigns ask for an eNPS, and the pieces between gaps would be dots.
 */
export function sparkline(values: readonly (number | null)[]): Html | false {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 2) return false;
  const { width, height, margin } = size;
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const y = scaleLinear([low, high === low ? 1 : high], [height - margin, margin]);
  return html`<svg class="spark s1" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${renderLine(values, y)}</svg>`;
}

function renderLine(values: readonly (number | null)[], y: (value: number) => number): Html {
  const points = values.flatMap((value, index): TrendPoint[] => (value === null ? [] : [[index, value]]));
  const x = ([index]: TrendPoint) => (index / (values.length - 1)) * size.width;
  const yOf = ([, value]: TrendPoint) => y(value);
  const stroke = line<TrendPoint>(x, yOf).digits(1)(points) ?? "";
  return html`<path class="under" d="${areaUnder(stroke, y(0))}"/><path class="line" d="${stroke}"/>`;
}
