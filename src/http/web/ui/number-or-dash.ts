// Numbers in cells and cards, which may be unknown.

import type { CoveredRateName } from "../../../campaign/sum-rates.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

/** The methods of the formatter for numbers. */
export type NumberMethod = "count" | "rate" | "mean" | "index";

/** How a rate is written: the eNPS is an index, the average rating a mean. */
export function methodOfRate(name: CoveredRateName): NumberMethod {
  if (name === "enpsIndex") return "index";
  return name === "enpsMean" ? "mean" : "rate";
}

/** A number as the formatter's method of this name writes it; a dash if it is unknown. */
export function numberOrDash(locale: Locale, method: NumberMethod, number: number | null): HtmlValue {
  return number === null ? noValue(locale) : locale.format[method](number);
}

/** A dash. Screen readers skip one, so they get words instead. @param reason why there is no value, also as a tooltip */
export function noValue({ t }: Locale, reason?: string): Html {
  const title = reason !== undefined && html` title="${reason}"`;
  return html`<span aria-hidden="true"${title}>–</span> <span class="visually-hidden">${reason ?? t("ui.noValue")}</span>`;
}
