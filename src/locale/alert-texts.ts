// What alerts and the page of sources say about silent sources and automated traffic.

import type { Month } from "../campaign/calendar/months.ts";
import type { Silence } from "../campaign/events/silence.ts";
import type { Locale } from "./locale.ts";
import { textsOfVerdict } from "./verdict-texts.ts";

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

/** Says that the share of a kind of automated traffic jumped. */
export function jumpText(
  locale: Locale,
  {
    verdict,
    month,
    share,
    usual,
    monthsBefore,
  }: { verdict: string; month: Month; share: number; usual: number; monthsBefore: number },
): string {
  const { t, format } = locale;
  return t("sources.jump", {
    reason: textsOfVerdict(locale, verdict).title,
    share: format.rate(share),
    month: format.month(month),
    usual: format.rate(usual),
    months: monthsBefore,
  });
}
