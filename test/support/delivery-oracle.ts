// The delivery rates of a campaign, computed as simply as possible, from the definitions in docs/numbers.md.

import type { Numbers } from "../../src/campaign/metrics.ts";

const divide = (part: number | null | undefined, whole: number | null | undefined) =>
  part === null || part === undefined || !whole ? null : Math.min(part, whole) / whole;

/** The exact rates; null if they are not known. */
export function plainDeliveryRates(numbers: Numbers, recipients: number | null, traffic: "people" | "all") {
  if ("reported" in numbers) {
    const { unique_opens, suppressed, bounced_hard, bounced_soft, unsubscribed, complained, ...given } =
      numbers.reported;
    const { delivered } = given;
    const isKnown = (value: unknown) => typeof value === "number";
    const hasAny = [
      given.sent,
      delivered,
      given.bounced,
      bounced_hard,
      bounced_soft,
      suppressed,
      unsubscribed,
    ]
      .concat(complained)
      .some(isKnown);
    const both = isKnown(bounced_hard) && isKnown(bounced_soft);
    const bounced = given.bounced ?? (both ? Number(bounced_hard) + Number(bounced_soft) : null);
    const others = recipients === null ? null : Math.max(0, recipients - (suppressed ?? 0));
    const sent = given.sent ?? (hasAny ? others : null);
    return {
      delivery_rate: divide(delivered, sent),
      bounce_rate: divide(bounced, sent),
      unsubscribe_rate: divide(unsubscribed, delivered),
      complaint_rate: divide(complained, delivered),
      open_rate_of_delivered: divide(unique_opens, delivered),
    };
  }
  const { outcomes, uniqueOpens } = numbers.tallies[traffic];
  const {
    delivered,
    bounced_hard: hard,
    bounced_soft: soft,
    suppressed,
    unsubscribed,
    complained,
  } = outcomes;
  const ended = [delivered, hard, soft, suppressed].reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const isComplete = 100 * ended >= 95 * (recipients ?? 0);
  const sent = Math.max((recipients ?? 0) - (suppressed ?? 0), 0);
  const bounced = hard === undefined || soft === undefined ? null : hard + soft;
  return {
    delivery_rate: isComplete ? divide(delivered, sent) : null,
    bounce_rate: divide(bounced, sent),
    unsubscribe_rate: isComplete ? divide(unsubscribed, delivered) : null,
    complaint_rate: isComplete ? divide(complained, delivered) : null,
    open_rate_of_delivered: isComplete && delivered !== undefined ? divide(uniqueOpens, delivered) : null,
  };
}
