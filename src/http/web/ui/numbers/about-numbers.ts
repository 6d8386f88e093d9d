// What the numbers of a page mean, behind one sign: who reads a page every week knows it.

import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { webPaths } from "../../../../paths.ts";
import { icon } from "../icons/icon.ts";

/** @param notes sentences that hold for this page only. */
export function aboutNumbers({ t }: Locale, notes: readonly string[] = []): Html {
  return html`<details class="menu about" name="menu"><summary title="${t("ui.aboutNumbers")}">${icon("info", t("ui.aboutNumbers"))}</summary>
<div class="sheet small"><p>${[...notes, t("ui.rangesNote")].join(" ")}</p><p><a href="${webPaths.help}/overview">${t("help.numbersLink")}</a> · <a href="${webPaths.sources}#traffic">${t("ui.aboutTraffic")}</a></p></div></details>`;
}
