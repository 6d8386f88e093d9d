// The link to the CSV file of what a page shows: a button, or one of the page's other actions.

import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { icon } from "./icon.ts";
import type { MenuLink } from "./menu.ts";

export function downloadLink({ t }: Locale, url: string): Html {
  return html`<a class="button second" href="${url}" download>${icon("download")}${t("ui.downloadCsv")}</a>`;
}

export function downloadAction({ t }: Locale, url: string): MenuLink {
  return { url, name: t("ui.downloadCsv"), icon: "download", isDownload: true };
}
