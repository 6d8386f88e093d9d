// How a campaign that is still counting compares with the usual at its age, and where it will probably end.

import { recordedAges } from "../../../campaign/events/ages.ts";
import {
  type AgedCampaign,
  forecastOpens,
  isNarrow,
  openingCurve,
  rateAt,
  reachedAge,
  usualRate,
} from "../../../campaign/forecast.ts";
import { readComparable, toAgedCampaign } from "../../../listing/reports/aged-campaigns.ts";
import { isStillCounting } from "../../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../../storage/database.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { ageText } from "../ui/age-text.ts";
import { badge } from "../ui/badge.ts";
import type { MetricChange } from "../ui/key-metrics.ts";
import { rateDifference } from "../ui/rate-difference.ts";
import type { CampaignView } from "./campaign-view.ts";

/** A counted campaign beside those that it is compared with at the same age. */
export interface SameAge {
  own: AgedCampaign;
  /** The last age that it has reached; undefined before the first. */
  age: number | undefined;
  /** None if there are too few. */
  comparable: readonly AgedCampaign[];
}

/** @returns undefined if the campaign was imported or has no recipients */
export async function readSameAge(
  { session, stored, traffic, now }: Pick<CampaignView, "session" | "stored" | "traffic" | "now">,
  database: Database,
): Promise<SameAge | undefined> {
  const own = toAgedCampaign(stored, traffic);
  if (!own) return undefined;
  const comparable = await readComparable(database, session.organization.id, own, { traffic, now });
  return { own, age: reachedAge(own.sentAt, now), comparable };
}

/** The difference of the open or click rate from the usual one at the last age; undefined if there is none to compare with. */
export function changeAtAge(
  locale: Locale,
  { own, age, comparable }: SameAge,
  name: "openRate" | "clickRate",
): MetricChange | undefined {
  const spans = name === "openRate" ? "opensByAge" : "clicksByAge";
  const usual = age === undefined ? null : usualRate(comparable, spans, age);
  if (age === undefined || usual === null) return undefined;
  const rate = rateAt(own, spans, age);
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
  const date = format.dateTime(stored.campaign.sentAt + recordedAges["7d"], organization.timeZone);
  const campaigns = sameAge?.comparable.length ?? 0;
  const compared = campaigns > 0 ? t("campaign.comparedAtAge", { campaigns }) : t("campaign.nothingAtAge");
  return html`<p class="small">${t("campaign.leftOut", { date })} ${sameAge && html`${compared} ${likelyEnd(locale, sameAge, now)}`}</p>`;
}

/** Where its open rate will probably end, or that it is too early to tell. */
export function likelyEnd({ t, format }: Locale, { own, age, comparable }: SameAge, now: number): string {
  const forecast = age === undefined ? undefined : forecastOpens(own, comparable, age);
  if (!forecast || !isNarrow(forecast)) return t("campaign.tooEarly");
  // Since the last age, more may have opened it than the forecast knows.
  const reached = openingCurve(own, now).findLast((rate) => rate !== null)?.value ?? 0;
  const atLeast = (rate: number) => format.rate(Math.max(rate, reached));
  const [low, high] = [atLeast(forecast.low), atLeast(forecast.high)];
  return low === high ? t("campaign.atLikelyEnd", { rate: high }) : t("campaign.likelyEnd", { low, high });
}

/** The chip of a campaign that is still counting. */
export function stillCountingChip({ session: { locale }, stored, now }: CampaignView): Html | false {
  if (!isStillCounting(stored) || stored.campaign.sentAt > now) return false;
  const age = ageText(locale, now - stored.campaign.sentAt);
  return badge(locale.t("campaign.stillCountingFor", { age }), "accent");
}
