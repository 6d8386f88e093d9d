// Classifies the clicks of a recipient as human or automated. Each click has its own reason. Some evidence needs all clicks
// together: a click on the hidden link, and bursts.

import type { Click, Recipient } from "./recipient.ts";
import { isHuman, type TrafficReason } from "./traffic.ts";

/** Clicks on this many different links within this many milliseconds are automated. */
export const burst = { links: 3, ms: 10_000 } as const;

/** The reason of the click itself or, if that is human, what its other clicks reveal. */
export type ClickVerdict = TrafficReason | "beside_hidden_link" | "burst";

export function isHumanClick(verdict: ClickVerdict): boolean {
  return verdict !== "beside_hidden_link" && verdict !== "burst" && isHuman(verdict);
}

export function hasHiddenLinkClick({ clicks = [], moreClicks }: Recipient): boolean {
  return moreClicks?.hidden_link !== undefined || clicks.some(([, , reason]) => reason === "hidden_link");
}

/**
 * A verdict per stored click, in order. After a click on the hidden link no click of the recipient is human, and no click
 * in a burst is. Clicks beyond the stored ones have neither time nor link and never count as human.
 */
export function classifyClicks(recipient: Recipient): ClickVerdict[] {
  const { clicks = [] } = recipient;
  const hasHiddenLink = hasHiddenLinkClick(recipient);
  const inBurst = hasHiddenLink ? undefined : findBursts(clicks);
  return clicks.map(([, , reason], index) => {
    if (!isHuman(reason)) return reason;
    if (hasHiddenLink) return "beside_hidden_link";
    return inBurst?.has(index) ? "burst" : reason;
  });
}

/** The indexes of all clicks in any time window with too many different links: a sliding window over ordered clicks. */
export function findBursts(clicks: readonly Click[], ms: number = burst.ms): Set<number> | undefined {
  if (clicks.length < burst.links) return undefined;
  const indexes = new Set<number>();
  /** Clicks per link inside the window. */
  const links = new Map<number, number>();
  let first = 0;
  let marked = 0;
  for (const [last, [at, link]] of clicks.entries()) {
    links.set(link, (links.get(link) ?? 0) + 1);
    for (; at - (clicks[first]?.[0] ?? at) > ms; first++) {
      const left = clicks[first]?.[1] ?? 0;
      const count = (links.get(left) ?? 0) - 1;
      if (count > 0) links.set(left, count);
      else links.delete(left);
    }
    if (links.size < burst.links) continue;
    for (let index = Math.max(first, marked); index <= last; index++) indexes.add(index);
    marked = last + 1;
  }
  return indexes;
}
