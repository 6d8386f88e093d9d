// How a rate differs from another one.

import { areDifferent, type Ranged } from "../../../campaign/ranges.ts";
import type { CoveredRateName } from "../../../campaign/sum-rates.ts";
import type { Locale } from "../locale.ts";
import type { MetricChange } from "./key-metrics.ts";
import { methodOfRate } from "./number-or-dash.ts";

/**
 * The difference of a rate from another in points: `+4.1 pts`; that of the eNPS and of average ratings without a unit. One
 * that chance explains is `≈ +4.1 pts`.
 */
export function rateDifference(
  { t, format }: Locale,
  name: CoveredRateName,
  rate: Ranged,
  other: Ranged,
): MetricChange {
  const method = methodOfRate(name);
  // The noise of binary fractions would round half a tenth down.
  const difference = Number(((method === "rate" ? 100 : 1) * (rate.value - other.value)).toPrecision(12));
  const shown = method === "index" ? format.index(difference) : format.pointChange(difference);
  const text = method === "rate" ? t("ui.points", { difference: shown }) : shown;
  // A bare 0 below an eNPS would read as a number of its own.
  if (!/[1-9]/.test(shown)) return { text: method === "index" ? `±${text}` : text, direction: "flat" };
  if (!areDifferent(rate, other)) return { text: `≈ ${text}`, direction: "flat" };
  return { text, direction: difference > 0 ? "up" : "down" };
}
