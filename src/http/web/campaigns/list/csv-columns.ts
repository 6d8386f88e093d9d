// The columns of the campaigns table in a file: rates in percent, differences in points, and units in the header.

import { numberOf } from "../../../../campaign/campaign-number.ts";
import type { CoveredRateName } from "../../../../campaign/sum-rates.ts";
import { comparedRate } from "../../../../listing/sums/team-averages.ts";
import { methodOfRate } from "../../../../locale/rate-text.ts";
import { plainSubject } from "../../../../locale/subject-text.ts";
import { isStillCounting, type StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { csvNumber, csvTitle, csvUnits } from "../../frame/csv-file.ts";
import {
  type ColumnName,
  columnOf,
  columnTitle,
  methodOf,
  type ShownColumn,
  type ShownWith,
} from "../campaign-columns.ts";

/** The header of a file: the titles of the table, with their units, and which campaigns averages leave out. */
export function csvHeader(names: readonly ColumnName[], shown: ShownWith): string[] {
  const { locale } = shown;
  const titles = names.map((name) => {
    const column = columnOf(name);
    const title = columnTitle(locale, name);
    const unit = unitOf(column, shown);
    return unit === undefined ? title : csvTitle(title, unit);
  });
  const isFresh = csvTitle(locale.t("campaigns.isStillCounting"), "0/1");
  return [locale.t("campaigns.id"), columnTitle(locale, "subject"), ...titles, isFresh];
}

function unitOf(column: ShownColumn, shown: ShownWith): string | undefined {
  if ("number" in column) return csvUnits[methodOf(column.number)];
  if ("cell" in column) return column.unit?.(shown);
  return methodOfRate(column.vsTeam) === "rate"
    ? shown.locale.t("ui.points", { difference: "" }).trim()
    : undefined;
}

/** A campaign as {@link csvHeader} names it. Null if a number is not known. */
export function csvCells(
  names: readonly ColumnName[],
  stored: StoredCampaign,
  shown: ShownWith,
): (string | number | null)[] {
  const cells = names.map((name) => {
    const column = columnOf(name);
    if ("cell" in column) return column.text(stored, shown);
    if ("vsTeam" in column) return differenceIn(column.vsTeam, stored, shown);
    return csvNumber(methodOf(column.number), numberOf(stored, shown.traffic, column.number));
  });
  const { id } = stored.campaign;
  return [id, plainSubject(shown.locale, stored.campaign), ...cells, Number(isStillCounting(stored))];
}

/** In points, as the page shows it. */
function differenceIn(
  name: CoveredRateName,
  stored: StoredCampaign,
  { traffic, averages }: ShownWith,
): number | null {
  const [rate, usual] = [comparedRate(stored, traffic, name), averages.of(stored.campaign.id, name)];
  return rate === null || usual === null ? null : csvNumber(methodOfRate(name), rate.value - usual.value);
}
