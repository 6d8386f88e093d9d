// What alerts and the page of sources say.

import type { Campaign } from "../campaign/campaign.ts";
import { complaintLimits } from "../campaign/clauses.ts";
import type { Silence } from "../campaign/events/silence.ts";
import type { Range } from "../campaign/ranges.ts";
import type { Locale } from "./locale.ts";
import { subjectText } from "./subject-text.ts";

/** That a source is silent, why that is strange, and what to do. `time` is that of the last event. */
export function silenceTexts(
  { t }: Locale,
  silence: Silence,
  { provider, time }: { provider: string; time: string },
): string[] {
  const reason =
    silence === "after_campaign"
      ? t("sources.silentAfterCampaign", { time })
      : t("sources.silentForDays", { time });
  return [t("sources.silentTitle", { provider }), reason, t("sources.silentChecklist", { provider })];
}

export function bounceTexts(
  locale: Locale,
  campaign: Campaign,
  { rate, usual }: { rate: number; usual: Range },
): string[] {
  const { t, format } = locale;
  return [
    t("alerts.bounces", { rate: format.rate(rate), subject: subjectText(locale, campaign) }),
    t("alerts.bouncesUsual", { low: format.rate(usual.low), high: format.rate(usual.high) }),
  ];
}

/** @param reached the rate, and the limit that it reaches */
export function complaintTexts(
  { t, format }: Locale,
  { rate, limit }: { rate: number; limit: number },
): string[] {
  const [high, low] = complaintLimits;
  return [
    t("alerts.complaints", { isHigh: String(limit === high), rate: format.fineRate(rate) }),
    t("alerts.complaintsLimit", { low: format.roundRate(low), high: format.roundRate(high) }),
    t("alerts.complaintsGmail"),
  ];
}
