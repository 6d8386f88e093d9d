// Key metrics: the most important numbers of a page, each with its change and what it rests on.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { MetricChange } from "../../../../locale/rate-difference.ts";
import { icon } from "../icons/icon.ts";

export interface KeyMetric {
  name: HtmlValue;
  /** The value as the page formats it, or a few words if there is no number to show. */
  value: HtmlValue;
  /** The value is a few words, such as "too few". */
  isText?: boolean;
  /** The value will still change: its word for that, such as "so far". */
  provisional?: string | undefined;
  change?: MetricChange | undefined;
  /** What the value rests on, such as "from 9 of 12 campaigns". */
  note?: HtmlValue;
  /** Makes the card a link. */
  url?: string;
  /** The card that the page shows in detail. */
  isCurrent?: boolean;
}

/** Cards in a row; two beside each other on phones. */
export function keyMetrics(metrics: readonly (KeyMetric | undefined | false)[]): Html {
  return html`<ul class="metrics">${metrics.map((metric) => metric && renderMetric(metric))}</ul>`;
}

function renderMetric(metric: KeyMetric): Html {
  const { name, value, isText, provisional, change, note, url, isCurrent } = metric;
  const soFar = provisional !== undefined && !isText;
  const content = html`<span class="name">${name}</span>
<span class="value"><b${isText && html` class="few"`}>${value}</b>${soFar && html` <small>${provisional}</small>`} ${change && renderChange(change)}</span>
${note !== undefined && html`<span class="from">${note}</span>`}`;
  if (url === undefined)
    return html`<li><div class="metric${soFar && " provisional"}">${content}</div></li>\n`;
  return html`<li><a class="metric${soFar && " provisional"}" href="${url}"${isCurrent && html` aria-current="true"`}>${content}</a></li>\n`;
}

/** How a value changed, in words and with an arrow. */
export function renderChange({ text, direction, certainty, comparedWith }: MetricChange): Html {
  const tone = { up: " better", down: " worse", flat: "" }[direction];
  return html`<span class="change${tone}"${comparedWith !== undefined && html` title="${comparedWith}"`}>${direction !== "flat" && icon(direction, certainty)}${text}${comparedWith !== undefined && html` <span class="visually-hidden">(${comparedWith})</span>`}</span>`;
}
