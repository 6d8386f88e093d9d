// A mark for links and texts that are in English only.

import { type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";

/** "(in English)"; nothing on pages in English. */
export function inEnglish({ language, t }: Locale): HtmlValue {
  return language !== "en" && html`<span class="soft small">${t("ui.inEnglish")}</span>`;
}
