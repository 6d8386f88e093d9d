// What groups of campaigns are called, and the page of the series that they are.

import type { Tag } from "../../../campaign/campaign.ts";
import type { BreakdownField } from "../../../listing/sums/overview-choices.ts";
import { type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { SumsKey } from "../../../storage/sums/grouped-sums.ts";
import { seriesLink, tagLink } from "../ui/texts/series-link.ts";

interface GroupName {
  name: string;
  /** The name as pages show it. */
  label: HtmlValue;
}

/** @returns undefined for a tag that was deleted meanwhile */
export function nameGroup(
  { t }: Locale,
  by: BreakdownField,
  key: SumsKey,
  tags: readonly Tag[],
): GroupName | undefined {
  if (by === "tag") {
    const tag = tags.find(({ id }) => id === key);
    return tag && { name: tag.name, label: tagLink(tag) };
  }
  if (key === null || key === "") {
    return { name: t("overview.notSet"), label: html`<i>${t("overview.notSet")}</i>` };
  }
  const name = String(key);
  return { name, label: seriesLink("team", name) };
}
