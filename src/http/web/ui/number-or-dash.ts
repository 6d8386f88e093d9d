// Numbers in cells and cards, which may be unknown.

import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

/** A number as the formatter's method of this name writes it; a dash if it is unknown. */
export function numberOrDash(
  locale: Locale,
  method: "count" | "rate" | "percentage" | "mean" | "index",
  number: number | null,
): HtmlValue {
  return number === null ? noValue(locale) : locale.format[method](number);
}

/** A dash. Screen readers skip one, so they get words instead. */
export function noValue({ strings }: Locale): Html {
  return html`<span aria-hidden="true">–</span> <span class="visually-hidden">${strings.ui.noValue}</span>`;
}
