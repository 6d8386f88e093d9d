// How many campaigns are left out of rates and comparisons, because they are still counting.

import type { Sums } from "../../../campaign/sums.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import type { Locale } from "../locale.ts";

/** @returns undefined if none is left out */
export function leftOutText({ t }: Locale, sums: Sums): string | undefined {
  const count = leftOutOf(sums);
  return count > 0 ? t("ui.leftOut", { count }) : undefined;
}
