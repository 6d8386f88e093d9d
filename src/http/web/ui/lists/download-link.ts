// The link to the CSV file of what a page shows, among the page's other actions.

import type { Locale } from "../../../../locale/locale.ts";
import type { HeadAction } from "./menu.ts";

export function downloadAction({ t }: Locale, url: string): HeadAction {
  return { url, name: t("ui.downloadCsv"), icon: "download", isDownload: true };
}
