// What groups of campaigns are called, and which filter selects their campaigns.

import type { Tag } from "../../../campaign/campaign.ts";
import type { BreakdownField } from "../../../listing/sums/overview-choices.ts";
import type { PageFilters } from "../../../listing/sums/page-filters.ts";
import { type HtmlValue, html } from "../../../locale/html.ts";
import { isolatedText } from "../../../locale/isolated-text.ts";
import type { Locale } from "../../../locale/locale.ts";
import { valueName } from "../../../locale/value-name.ts";
import type { SumsKey } from "../../../storage/sums/grouped-sums.ts";
import { tagLabel } from "../ui/texts/tag-label.ts";

interface GroupName {
  name: string;
  /** The name as pages show it. */
  label: HtmlValue;
  /** Undefined if no filter selects these campaigns. */
  filter?: Partial<PageFilters>;
}

/** @returns undefined for a tag that was deleted meanwhile */
export function nameGroup(
  { t, texts, format }: Locale,
  by: BreakdownField,
  key: SumsKey,
  tags: readonly Tag[],
): GroupName | undefined {
  if (by === "tag") {
    const tag = tags.find(({ id }) => id === key);
    return tag && { name: tag.name, label: tagLabel(tag), filter: { tagIds: [tag.id] } };
  }
  if (key === null || key === "") {
    return { name: t("overview.notSet"), label: html`<i>${t("overview.notSet")}</i>` };
  }
  const value = String(key);
  if (by === "weekday") {
    const name = format.weekday(Number(key));
    return { name, label: name };
  }
  if (by === "sending_type") {
    const name = valueName(texts("sendingTypes"), value);
    return { name, label: name, filter: { sendingType: value } };
  }
  return { name: value, label: isolatedText(value), ...(by === "team" && { filter: { team: value } }) };
}
