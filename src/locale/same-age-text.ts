// How the rate of a campaign that is still counting differs from the usual one at its age, and where it will probably end.

import type { Range, Ranged } from "../campaign/ranges.ts";
import { ageText } from "./age-text.ts";
import { isolate } from "./isolated-text.ts";
import type { Locale } from "./locale.ts";
import { type MetricChange, rateDifference } from "./rate-difference.ts";

/**
 * The difference of the open or click rate from the usual one at the last age, or of several campaigns at their ages; undefined
 * if there is none to compare with.
 */
export function changeAtAge(
  locale: Locale,
  name: "openRate" | "clickRate",
  rates: { age?: number; rate: Ranged; usual: Ranged } | undefined,
): MetricChange | undefined {
  if (!rates) return undefined;
  const { age, rate, usual } = rates;
  // The page shows the rate of now, from which the difference does not follow.
  const comparedWith = locale.t("campaign.usualAtAge", {
    age: age === undefined ? locale.t("campaign.atTheirAge") : ageText(locale, age),
    own: locale.format.rate(rate.value),
    rate: locale.format.rate(usual.value),
  });
  return { ...rateDifference(locale, name, rate, usual), comparedWith };
}

/** The name of what a campaign is compared with. @param name empty for all campaigns */
export const comparedName = ({ t }: Locale, name: string | null) =>
  name ? isolate(name) : t("campaign.allCampaigns");

/** @param compared the campaigns to compare with, and the team of all of them */
export function comparedText(
  locale: Locale,
  { comparable, team }: { comparable: readonly unknown[]; team: string | null },
): string {
  const campaigns = comparable.length;
  return campaigns > 0
    ? locale.t("campaign.comparedAtAge", { team: comparedName(locale, team), campaigns })
    : locale.t("campaign.nothingAtAge");
}

/** Where the open rate will probably end, or that it is too early to tell. */
export function likelyEndText({ t, format }: Locale, end: Range | undefined): string {
  if (!end) return t("campaign.tooEarly");
  const [low, high] = [format.rate(end.low), format.rate(end.high)];
  return low === high ? t("campaign.atLikelyEnd", { rate: high }) : t("campaign.likelyEnd", { low, high });
}
