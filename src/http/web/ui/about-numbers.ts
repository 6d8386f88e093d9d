// What the numbers of a page mean, behind one word: who reads a page every week knows it.

import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";

/** @param notes sentences that hold for this page only */
export function aboutNumbers({ t }: Locale, notes: readonly string[] = []): Html {
  return html`<details class="about soft small"><summary>${t("ui.aboutNumbers")}</summary><p>${[...notes, t("ui.rangesNote")].join(" ")} <span class="more"><a href="${paths.web.help}/fields">${t("help.numbersLink")}</a> · <a href="${paths.web.sources}#traffic">${t("ui.aboutTraffic")}</a></span></p></details>`;
}
