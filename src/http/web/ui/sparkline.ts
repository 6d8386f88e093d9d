// Sparklines: the shape of a series in the size of a word.

import { area, curveMonotoneX, line } from "d3-shape";
import { type Html, html } from "../../html.ts";

const size = { width: 100, height: 32, margin: 3 } as const;

/** A line for the eye alone: the numbers must be elsewhere on the page. It leads over missing values. */
export function sparkline(values: readonly (number | null)[]): Html | false {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 2) return false;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const { width, height, margin } = size;
  // A flat series is a line in the middle.
  const share = (value: number) => (high === low ? 0.5 : (value - low) / (high - low));
  const points = values.flatMap((value, index): [number, number][] =>
    value === null
      ? []
      : [[(index / (values.length - 1)) * width, height - margin - share(value) * (height - 2 * margin)]],
  );
  const stroke = line().curve(curveMonotoneX).digits(1);
  const fill = area().y0(height).curve(curveMonotoneX).digits(1);
  return html`<svg class="spark s1" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><path class="under" d="${fill(points)}"/><path class="line" d="${stroke(points)}"/></svg>`;
}
