// How a rate differs from another one.

import type { CoveredRateName } from "../../../campaign/sum-rates.ts";
import type { Locale } from "../locale.ts";
import type { MetricChange } from "./key-metrics.ts";
import { methodOfRate } from "./number-or-dash.ts";

/** The difference of a rate from another in points: `+4.1 pts`; that of the eNPS and of average ratings without a unit. */
export function rateDifference(
  { t, format }: Locale,
  name: CoveredRateName,
  rate: number,
  other: number,
): MetricChange {
  const method = methodOfRate(name);
  // The noise of binary fractions would round half a tenth down.
  const difference = Number(((method === "rate" ? 100 : 1) * (rate - other)).toPrecision(12));
  const shown = method === "index" ? format.index(difference) : format.pointChange(difference);
  return {
    text: method === "rate" ? t("ui.points", { difference: shown }) : shown,
    direction: !/[1-9]/.test(shown) ? "flat" : difference > 0 ? "up" : "down",
  };
}
