// What became of the messages of a campaign, in a sentence, and how many recipients have no outcome yet.

import { deliveryCountsOf, deliveryPartsOf, outcomesKnown } from "../campaign/delivery/delivery-counts.ts";
import type { Locale } from "./locale.ts";

/** @param last.at the last event of the organization; undefined before the first one. @returns undefined if nothing is known */
export function deliveryText(
  { t, format }: Locale,
  {
    numbers,
    recipientCount,
  }: { numbers: Parameters<typeof deliveryCountsOf>[0]; recipientCount: number | null },
  last: { at: number | undefined; timeZone: string; isStillCounting: boolean },
): { outcomes: string; notes: string } | undefined {
  const counts = deliveryCountsOf(numbers, recipientCount);
  const { delivered, bounced, bounced_hard: hard, bounced_soft: soft, suppressed } = counts;
  const { unsubscribed, complained } = counts;
  const parts = deliveryPartsOf(numbers, recipientCount).delivery_rate;
  const rate = parts ? ` (${format.rate(parts.part / parts.whole)})` : "";
  const known = [
    delivered !== null && t("delivery.delivered", { count: delivered, rate }),
    hard !== null && soft !== null && t("delivery.bounces", { hard, soft }),
    (hard === null || soft === null) && bounced !== null && t("delivery.bounced", { count: bounced }),
    suppressed !== null && suppressed > 0 && t("delivery.suppressed", { count: suppressed }),
    unsubscribed !== null && t("delivery.unsubscribed", { count: unsubscribed }),
    complained !== null && t("delivery.complained", { count: complained }),
  ].filter(Boolean);
  const time = last.at === undefined ? "" : format.dateTime(last.at, last.timeZone);
  const isCounted = "tally" in numbers;
  const missing = (recipientCount ?? 0) - outcomesKnown(counts);
  const notes = [
    isCounted && delivered === null && bounced !== null && t("delivery.bouncesOnly"),
    isCounted &&
      delivered !== null &&
      missing > 0 &&
      (last.isStillCounting
        ? t("delivery.missing", { count: missing, time })
        : t("delivery.lost", { count: missing })),
  ].filter(Boolean);
  return known.length > 0 ? { outcomes: `${known.join(", ")}.`, notes: notes.join(" ") } : undefined;
}
