// Numbers in cells and cards, which may be unknown.

import type { NumberName } from "../../../../campaign/campaign-number.ts";
import type { WithheldResults } from "../../../../campaign/metrics.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import type { NumberMethod } from "../../../../locale/rate-text.ts";

/** A number as the formatter's method of this name writes it; a dash if it is unknown. @param reason as of {@link noValue} */
export function numberOrDash(
  locale: Locale,
  method: NumberMethod,
  number: number | null,
  reason?: string,
): HtmlValue {
  return number === null ? noValue(locale, reason) : locale.format[method](number);
}

/** Why a campaign has no eNPS results; undefined for other numbers, and if they are not withheld. */
export function withheldText(
  { t }: Locale,
  { numbers: { withheldBelow: min } }: { numbers: WithheldResults },
  name: NumberName,
): string | undefined {
  const isEnps = name === "enpsIndex" || name === "enpsMean";
  return isEnps && min !== undefined ? t("campaign.fewerAnswers", { min }) : undefined;
}

/** A dash. Screen readers skip one, so they get words instead. @param reason why there is no value, also as a tooltip */
export function noValue({ t }: Locale, reason?: string): Html {
  const title = reason !== undefined && html` title="${reason}"`;
  return html`<span aria-hidden="true"${title}>–</span> <span class="visually-hidden">${reason ?? t("ui.noValue")}</span>`;
}
