// How a campaign that is still counting compares with the usual at its age, and where it will probably end.

import { dateAt } from "../../../../campaign/calendar/calendar-date.ts";
import { recordedAges } from "../../../../campaign/events/ages.ts";
import type { Range } from "../../../../campaign/ranges.ts";
import { likelyEndOf, type RatesAtAge, type SameAge } from "../../../../listing/reports/same-age.ts";
import { ageText } from "../../../../locale/age-text.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { type MetricChange, rateDifference } from "../../../../locale/rate-difference.ts";
import { isStillCounting } from "../../../../storage/campaigns/stored-campaign.ts";
import { badge } from "../../ui/texts/badge.ts";
import type { CampaignView } from "./campaign-view.ts";

/** The difference of the open or click rate from the usual one at the last age; undefined if there is none to compare with. */
export function changeAtAge(
  locale: Locale,
  name: "openRate" | "clickRate",
  rates: RatesAtAge | undefined,
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

/** What a campaign that is still counting is compared with, and its likely end; false once it is compared as a whole. */
export function stillCountingNote(
  { session: { locale, organization }, stored, now }: CampaignView,
  sameAge: SameAge | undefined,
): HtmlValue {
  if (!isStillCounting(stored) || stored.campaign.sentAt > now) return false;
  const { t, format } = locale;
  const date = format.date(dateAt(stored.campaign.sentAt + recordedAges["7d"], organization.timeZone));
  const campaigns = sameAge?.comparable.length ?? 0;
  const compared = campaigns > 0 ? t("campaign.comparedAtAge", { campaigns }) : t("campaign.nothingAtAge");
  const parts = [
    t("campaign.leftOut", { date }),
    ...(sameAge ? [compared, likelyEndText(locale, likelyEndOf(sameAge))] : []),
  ];
  return html`<p class="small">${parts.join(" · ")}</p>`;
}

/** Where the open rate will probably end, or that it is too early to tell. */
export function likelyEndText({ t, format }: Locale, end: Range | undefined): string {
  if (!end) return t("campaign.tooEarly");
  const [low, high] = [format.rate(end.low), format.rate(end.high)];
  return low === high ? t("campaign.atLikelyEnd", { rate: high }) : t("campaign.likelyEnd", { low, high });
}

/** The chip of a campaign that is still counting. */
export function stillCountingChip({ session: { locale }, stored, now }: CampaignView): Html | false {
  if (!isStillCounting(stored) || stored.campaign.sentAt > now) return false;
  const age = ageText(locale, now - stored.campaign.sentAt);
  return badge(locale.t("campaign.stillCountingFor", { age }), "accent");
}
