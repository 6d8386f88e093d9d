// A rate with its range.

import { type Range, shareRange } from "../../../../campaign/ranges.ts";
import type { CoveredRateName } from "../../../../campaign/sum-rates.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { methodOfRate, rangeInText } from "../../../../locale/rate-text.ts";
import { numberOrDash } from "./number-or-dash.ts";

/** The range of few is wider than this, such as ten points to either side. */
const widthsOfFew = { rate: 0.2, fineRate: 0.2, index: 10, mean: 1, count: Infinity };

/**
 * A rate with its range: on hover, on the focus of its row or table, and for screen readers. That of few is printed everywhere.
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
  const { t, format } = locale;
  const method = methodOfRate(name);
  const text = numberOrDash(locale, method, rate);
  if (rate === null || range === null) return text;
  if (saysNothing(name, range)) {
    return html`<span class="soft" title="${text} ${rangeInText(locale, name, range)}">${t("ui.tooUncertain")}</span>`;
  }
  const { low, high } = range;
  const isOfFew = high - low > widthsOfFew[method];
  const label = t("ui.range", { low: format[method](low), high: format[method](high) });
  return html`<span class="ranged${isOfFew && " of-few"}" data-range="${label}">${text}${(isPrinted || isOfFew) && printedRange(locale, name, range)}</span>`;
}

/** Whether the range of an eNPS is wider than half of its scale, as that of a few ratings. */
export const saysNothing = (name: CoveredRateName, { low, high }: Range): boolean =>
  name === "enpsIndex" && high - low > 100;

/** A share of few with its range, such as that of an answer. @param whole more than 0 */
export const shareWithRange = (locale: Locale, part: number, whole: number): HtmlValue =>
  rateWithRange(locale, "openRate", part / whole, shareRange(part, whole));

/** ` (45–74)`; ` (−3 to +14)` of an index. */
export function printedRange(locale: Locale, name: CoveredRateName, range: Range): Html {
  return html` <small>${rangeInText(locale, name, range)}</small>`;
}
