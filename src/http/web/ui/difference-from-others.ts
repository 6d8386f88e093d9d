// The line below the name of a group: whether its open rate differs from that of all other campaigns.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { othersOf, rangedRateOf, type SpreadSums } from "../../../campaign/rate-ranges.ts";
import { areComparable } from "../../../campaign/sum-rates.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { type MetricChange, renderChange } from "./key-metrics.ts";
import { rateDifference } from "./rate-difference.ts";

/**
 * How the open rate differs from that of all other campaigns: the ranges of two groups alone do not say whether one is
 * better.
 *
 * @param total of all campaigns, with the spread of the open rate
 */
export function changeFromOthers(
  locale: Locale,
  sums: SpreadSums,
  { total, traffic }: { total: SpreadSums; traffic: TrafficFilter },
): MetricChange | undefined {
  const name = "openRate";
  const others = othersOf(total, sums);
  const [rate, otherRate] = [rangedRateOf(sums, name), rangedRateOf(others, name)];
  if (!rate || !otherRate || !areComparable(sums, others, { name, traffic })) return undefined;
  return {
    ...rateDifference(locale, name, rate, otherRate),
    comparedWith: locale.format.rate(otherRate.value),
  };
}

/** Shows the difference, if there is one to show. */
export function differenceFromOthers(...given: Parameters<typeof changeFromOthers>): Html | false {
  const [locale] = given;
  const change = changeFromOthers(...given);
  if (!change) return false;
  return html`<span class="visually-hidden">, </span><div class="vs-usual">${renderChange(change)} <span class="soft">${locale.t("overview.vsOthers")}</span></div>`;
}
