// What to know of the campaigns behind numbers: how many are left out of rates, because they are still counting, and how many
// were imported.

import type { Sums } from "../../../../campaign/sums.ts";
import { leftOutOf } from "../../../../campaign/sums.ts";
import type { Locale } from "../../../../locale/locale.ts";

/** @returns undefined if none is left out */
export function leftOutText({ t }: Locale, sums: Sums): string | undefined {
  const count = leftOutOf(sums);
  return count > 0 ? t("ui.leftOut", { count }) : undefined;
}

/** How many campaigns have numbers as reported; empty for none. */
export function importedText({ t }: Locale, { campaigns, countedCampaigns }: Sums): string[] {
  const imported = campaigns - countedCampaigns;
  return imported > 0 ? [t("overview.imported", { imported, of: campaigns })] : [];
}
