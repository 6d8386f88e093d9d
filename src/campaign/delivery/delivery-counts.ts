// What became of the messages of a campaign: counts from its tally or its import, and the parts of the rates. An unknown count
// is null, never 0.

import { outcomeClasses } from "../events/outcomes.ts";
import type { Tally } from "../events/tally.ts";
import {
  type DeliveryCount,
  type DeliveryRate,
  deliveryCountNames,
  deliveryRateNames,
  deliveryRates,
} from "./delivery-fields.ts";

export type DeliveryCounts = Record<DeliveryCount, number | null>;

/** The numbers that delivery comes from. A missing count of an import is not known. */
type DeliveryNumbers =
  | { reported: Partial<DeliveryCounts> & { unique_opens: number | null } }
  | { tally: Pick<Tally, "outcomes" | "uniqueOpens"> };

export function deliveryCountsOf(numbers: DeliveryNumbers, recipientCount: number | null): DeliveryCounts {
  const known: Partial<DeliveryCounts> = "tally" in numbers ? numbers.tally.outcomes : numbers.reported;
  const counts = Object.fromEntries(
    deliveryCountNames.map((name) => [name, known[name] ?? null]),
  ) as DeliveryCounts;
  const { bounced_hard: hard, bounced_soft: soft } = counts;
  if (hard !== null && soft !== null) counts.bounced ??= hard + soft;
  const isReported = deliveryCountNames.some((name) => counts[name] !== null);
  if (isReported && recipientCount !== null) {
    counts.sent ??= Math.max(recipientCount - (counts.suppressed ?? 0), 0);
  }
  return counts;
}

/** From this share of recipients with an outcome on, rates of delivered messages are known: a webhook may have lost some. */
const minOutcomesPercent = 95;

/** How many recipients of a counted campaign have an outcome. */
export function outcomesKnown(counts: DeliveryCounts): number {
  return outcomeClasses.reduce((known, name) => known + (counts[name] ?? 0), 0);
}

/** The part and the whole of each rate that is known, and not a rate of nothing. */
export function deliveryPartsOf(
  numbers: DeliveryNumbers,
  recipientCount: number | null,
): Partial<Record<DeliveryRate, { part: number; whole: number }>> {
  const counts = deliveryCountsOf(numbers, recipientCount);
  const opens = "tally" in numbers ? numbers.tally.uniqueOpens : numbers.reported.unique_opens;
  const isIncomplete = 100 * outcomesKnown(counts) < minOutcomesPercent * (recipientCount ?? 0);
  const known = deliveryRateNames.flatMap((name) => {
    const { part: partName, denominator } = deliveryRates[name];
    const [part, whole] = [partName === "unique_opens" ? opens : counts[partName], counts[denominator]];
    if (part === null || !whole) return [];
    const isOfDelivered = partName === "delivered" || denominator === "delivered";
    if ("tally" in numbers && isOfDelivered && isIncomplete) return [];
    return [[name, { part: Math.min(part, whole), whole }]];
  });
  return Object.fromEntries(known);
}
