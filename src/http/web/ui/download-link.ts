// The link to the CSV file of what a page shows.

import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { icon } from "./icon.ts";

export function downloadLink({ t }: Locale, url: string): Html {
  return html`<a class="button second" href="${url}" download>${icon("download")}${t("ui.downloadCsv")}</a>`;
}
