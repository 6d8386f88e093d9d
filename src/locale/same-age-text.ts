// How the rate of a campaign that is still counting differs from the usual one at its age, and where it will probably end.

import type { Range, Ranged } from "../campaign/ranges.ts";
import { ageText } from "./age-text.ts";
import type { Locale } from "./locale.ts";
import { type MetricChange, rateDifference } from "./rate-difference.ts";

/** The difference of the open or click rate from the usual one at the last age; undefined if there is none to compare with. */
export function changeAtAge(
  locale: Locale,
  name: "openRate" | "clickRate",
  rates: { age: number; rate: Ranged; usual: Ranged } | undefined,
): MetricChange | undefined {
  if (!rates) return undefined;
  const { age, rate, usual } = rates;
  // The page shows the rate of now, from which the difference does not follow.
  const comparedWith = locale.t("campaign.usualAtAge", {
    age: ageText(locale, age),
    own: locale.format.rate(rate.value),
    rate: locale.format.rate(usual.value),
  });
  return { ...rateDifference(locale, name, rate, usual), comparedWith };
}

/** Where the open rate will probably end, or that it is too early to tell. */
export function likelyEndText({ t, format }: Locale, end: Range | undefined): string {
  if (!end) return t("campaign.tooEarly");
  const [low, high] = [format.rate(end.low), format.rate(end.high)];
  return low === high ? t("campaign.atLikelyEnd", { rate: high }) : t("campaign.likelyEnd", { low, high });
}
