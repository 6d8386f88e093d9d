// The button of a search, in front of its field. It is no tab stop: Enter in the field searches too.

import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { icon } from "../icons/icon.ts";

export function searchButton({ t }: Locale): Html {
  return html`<button class="plain" tabindex="-1" aria-label="${t("ui.search")}">${icon("search")}</button>`;
}
