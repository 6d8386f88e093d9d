// The groups of an attribute as rows of a table.

import type { GroupPeriod } from "../../../campaign/audience/group-periods.ts";
import type { Locale } from "../../../locale/locale.ts";
import { type BreakdownRow, groupColumns } from "../breakdown/group-order.ts";
import { groupName } from "../ui/lists/group-cells.ts";
import type { Audience } from "./read-audience.ts";

/** Groups are not compared with the period before. */
export const audienceColumns = groupColumns.filter((column) => column !== "change");

export interface AudienceTableRow extends BreakdownRow {
  periods: readonly GroupPeriod[];
}

export function audienceRows(
  locale: Locale,
  { rows, isProvisional }: Pick<Audience, "rows" | "isProvisional">,
): AudienceTableRow[] {
  return rows.map((row) => {
    const isUnknown = row.id === row.attributeId;
    return {
      name: isUnknown ? locale.t("audience.notKnown") : row.name,
      label: groupName(locale, row),
      isUnknown,
      isProvisional,
      total: row.total,
      periods: row.periods,
    };
  });
}
