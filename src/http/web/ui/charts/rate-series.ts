// Series of charts whose values are rates. Tips and the table have their ranges.

import type { Ranged } from "../../../../campaign/ranges.ts";
import type { CoveredRateName } from "../../../../campaign/sum-rates.ts";
import { type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { methodOfRate } from "../../../../locale/rate-text.ts";
import { printedRange, saysNothing } from "../numbers/rate-with-range.ts";
import type { ChartSeries } from "./charts.ts";

interface Rates {
  title: string;
  name: CoveredRateName;
  /** One for each label; without a range if nothing is known of its error. */
  rates: readonly (Ranged | null)[];
}

/** @param reasons why labels have no rate, where there is a reason */
export function rateSeries(
  locale: Locale,
  { title, name, rates }: Rates,
  reasons: readonly (string | undefined)[] = [],
): ChartSeries {
  const textOf = (rate: Ranged): HtmlValue => {
    if (!Number.isFinite(rate.low)) return false;
    if (saysNothing(name, rate)) return locale.t("ui.tooUncertain");
    return html`${locale.format[methodOfRate(name)](rate.value)}${printedRange(locale, name, rate)}`;
  };
  return {
    name: title,
    values: rates.map((rate) => rate?.value ?? null),
    texts: rates.map((rate, index) => (rate ? textOf(rate) : reasons[index])),
  };
}
