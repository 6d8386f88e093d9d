// What alerts and the page of sources say about silent sources.

import type { Silence } from "../campaign/events/silence.ts";
import type { Locale } from "./locale.ts";

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
