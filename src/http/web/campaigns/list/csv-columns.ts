// The columns of the campaigns table in a file: rates in percent, and units in the header.

import { numberOf } from "../../../../campaign/campaign-number.ts";
import { plainSubject } from "../../../../locale/subject-text.ts";
import { isStillCounting, type StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { numberColumn } from "../../frame/columns.ts";
import type { PageColumn } from "../../ui/lists/table.ts";
import { type ColumnName, columnOf, columnTitle, methodOf, type ShownWith } from "../campaign-columns.ts";

/** The columns of the table, and which campaigns averages leave out. */
export function csvColumns(names: readonly ColumnName[], shown: ShownWith): PageColumn<StoredCampaign>[] {
  const { locale } = shown;
  return [
    { title: locale.t("campaigns.id"), csv: ({ campaign }) => campaign.id },
    { title: columnTitle(locale, "subject"), csv: ({ campaign }) => plainSubject(locale, campaign) },
    ...names.map((name) => csvColumn(name, shown)),
    {
      title: locale.t("campaigns.isStillCounting"),
      unit: "0/1",
      csv: (stored) => Number(isStillCounting(stored)),
    },
  ];
}

function csvColumn(name: ColumnName, shown: ShownWith): PageColumn<StoredCampaign> {
  const { locale, traffic } = shown;
  const column = columnOf(name);
  const title = columnTitle(locale, name);
  if ("cell" in column)
    return { title, unit: column.unit?.(shown), csv: (stored) => column.text(stored, shown) };
  return numberColumn(locale, title, methodOf(column.number), (stored) =>
    numberOf(stored, traffic, column.number),
  );
}
