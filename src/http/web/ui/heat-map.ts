// Heat maps: a table whose cells have the color of their value, such as opens by weekday and hour.

import { type Html, html } from "../../html.ts";

interface HeatMapOptions {
  /** The accessible name of the table. */
  title: string;
  /** What the rows are. */
  rowTitle: string;
  rows: readonly string[];
  columns: readonly string[];
  /** Short names of the columns, which the head shows. */
  labels: readonly string[];
  /** Every how many columns one is labeled; on phones half as often. */
  labelEvery: number;
  /** A value for each column of each row, 0 or more. */
  values: readonly (readonly number[])[];
  format: (value: number) => string;
}

/** The darkest color; the lightest is 0. */
const darkest = 6;

/** The numbers are for screen readers. The style sheet hides them without a class, because there are hundreds. */
export function heatMap({
  title,
  rowTitle,
  rows,
  columns,
  labels,
  labelEvery,
  values,
  format,
}: HeatMapOptions): Html {
  const most = values.flat().reduce((high, value) => Math.max(high, value), 0);
  const level = (value: number) => (value === 0 ? 0 : Math.ceil((value / most) * darkest));
  const head = columns.map((name, index) => {
    const isWideOnly = index % (2 * labelEvery) !== 0;
    const label = html`<span class="label${isWideOnly && " desk"}" aria-hidden="true">${labels[index]}</span>`;
    return html`<th scope="col">${index % labelEvery === 0 && label}<span>${name}</span></th>`;
  });
  const body = rows.map((name, row) => {
    const cells = columns.map((column, index) => {
      const value = values[row]?.[index] ?? 0;
      const text = format(value);
      return html`<td class="h${level(value)}" title="${name} ${column}: ${text}"><span>${text}</span></td>`;
    });
    return html`<tr><th scope="row">${name}</th>${cells}</tr>\n`;
  });
  return html`<table class="heat" aria-label="${title}"><thead><tr><th scope="col" class="corner"><span>${rowTitle}</span></th>${head}</tr></thead><tbody>
${body}</tbody></table>`;
}

/** The colors from few to many, with a word at each end. */
export function heatScale(few: string, many: string): Html {
  const steps = Array.from({ length: darkest + 1 }, (_, level) => html`<i class="h${level}"></i>`);
  return html`<p class="heat-scale">${few} ${steps} ${many}</p>`;
}
