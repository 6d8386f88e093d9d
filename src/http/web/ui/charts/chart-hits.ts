// The bands over a chart, one per label: each shows its values on hover or focus, and may be a link. No script is needed.

import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { type ChartSeries, seriesClass, valueText } from "./chart-marks.ts";
import { roundToTenth, type YAxis } from "./chart-scale.ts";

interface HitsOptions {
  locale: Locale;
  title: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** Where a click on each label leads. */
  urls?: readonly string[];
  /** Why the values of a label may change. */
  unfinished?: readonly (string | undefined)[];
  hasDots: boolean;
}

/** Arrow keys move between the links, so only the last one with a value is a tab stop. Without a script, so is the table's. */
export function renderHits(options: HitsOptions, { scale: y }: YAxis): Html {
  const { locale, title, labels, series, format, urls, unfinished = [], hasDots } = options;
  const tabStop = lastWithValue(series) ?? labels.length - 1;
  const bands = labels.map((label, index) => {
    const values = series.map((each) => each.values[index] ?? null);
    const dots = values.map(
      (value, place) =>
        hasDots &&
        value !== null &&
        html`<circle class="${seriesClass(series[place] as ChartSeries, place)}" cy="${roundToTenth(y(value))}"/>`,
    );
    const rows = series.map(
      (each) => html`<span>${each.name}</span> <i>${valueText(locale, each, index, format)}</i> `,
    );
    const note = unfinished[index];
    const content = html`<svg${urls && html` aria-hidden="true"`}>${dots}</svg><span class="tip"><b>${label}${note !== undefined && html` <small>${note}</small>`}</b> ${rows}</span>`;
    const className = index >= labels.length / 2 ? "hit late" : "hit";
    const url = urls?.[index];
    return url === undefined
      ? html`<span class="${className}">${content}</span>`
      : html`<a class="${className}" href="${url}" tabindex="${index === tabStop ? 0 : -1}">${content}</a>`;
  });
  if (urls) return html`<div class="hits" role="group" aria-label="${title}">${bands}</div>`;
  // The chart's description and its table say the same. With the script, arrow keys read the values, under this name.
  return html`<div class="hits" aria-hidden="true" data-name="${locale.t("ui.chartKeys", { title })}">${bands}</div>`;
}

/** The last label that a series has a value for; a series to compare with does not matter. */
function lastWithValue(series: readonly ChartSeries[]): number | undefined {
  const lasts = series
    .filter(({ isComparison }) => !isComparison)
    .map(({ values }) => values.findLastIndex((value) => value !== null));
  const last = Math.max(-1, ...lasts);
  return last === -1 ? undefined : last;
}
