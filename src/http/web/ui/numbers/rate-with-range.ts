// A rate with its range.

import type { Range } from "../../../../campaign/ranges.ts";
import type { CoveredRateName } from "../../../../campaign/sum-rates.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { methodOfRate, rangeInText } from "../../../../locale/rate-text.ts";
import { numberOrDash } from "./number-or-dash.ts";

/** A range that is wider than five points to either side is printed. */
const printedWidths = { rate: 0.1, index: 10, mean: 1 };

/**
 * A rate with its range: on hover, on the focus of its row or table, and for screen readers. A wide one is printed.
 * In a table that prints them all, one that is wider than half of the scale is left out, and its rate is gray.
 *
 * @param range null if it is not known
 * @param options.isPrinted prints narrow ranges, too: where rows are compared with each other
 */
export function rateWithRange(
  locale: Locale,
  name: CoveredRateName,
  rate: number | null,
  range: Range | null,
  { isPrinted = false } = {},
): HtmlValue {
  const text = numberOrDash(locale, methodOfRate(name), rate);
  if (rate === null || range === null) return text;
  if (saysNothing(name, range)) {
    return html`<span class="soft" title="${text} ${rangeInText(locale, name, range)}">${locale.t("ui.tooFewAnswers")}</span>`;
  }
  const isVague = isPrinted && methodOfRate(name) === "rate" && range.high - range.low > 0.5;
  const shown = !isVague && (isPrinted ? printedRange(locale, name, range) : wideRange(locale, name, range));
  return html`<span class="ranged${isVague && " soft"}" data-range="${rangeText(locale, name, range)}">${text}${shown}</span>`;
}

/** Whether the range of an eNPS is wider than half of its scale, as that of a few ratings. */
export const saysNothing = (name: CoveredRateName, { low, high }: Range): boolean =>
  name === "enpsIndex" && high - low > 100;

/** `range 45.2% to 73.9%` */
function rangeText({ t, format }: Locale, name: CoveredRateName, { low, high }: Range): string {
  const method = methodOfRate(name);
  return t("ui.range", { low: format[method](low), high: format[method](high) });
}

/** ` (45–74)`; false for a range that need not be printed. */
function wideRange(locale: Locale, name: CoveredRateName, range: Range): Html | false {
  const method = methodOfRate(name);
  const isWide = method !== "count" && range.high - range.low > printedWidths[method];
  return isWide && printedRange(locale, name, range);
}

/** ` (45–74)`; ` (−3 to +14)` of an index. */
export function printedRange(locale: Locale, name: CoveredRateName, range: Range): Html {
  return html` <small>${rangeInText(locale, name, range)}</small>`;
}
