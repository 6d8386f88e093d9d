// Who was at work in the clicks of a recipient: what each carries says it of that one; what all of them say together can
// be told only here, from those that are kept.

import type { Click, Recipient } from "./recipient.ts";
import { isHuman, type TrafficReason } from "./traffic.ts";

/** So many different links within so many milliseconds are not followed by a person. */
export const burst = { links: 3, ms: 10_000 } as const;

/** The reason of the click itself or, where that one speaks for a person, what its neighbours tell. */
export type ClickVerdict = TrafficReason | "beside_hidden_link" | "burst";

/** Whether a click with this verdict is a person's. */
export function isHumanClick(verdict: ClickVerdict): boolean {
  return verdict !== "beside_hidden_link" && verdict !== "burst" && isHuman(verdict);
}

/**
 * The verdict on each of the clicks that are kept, in their order: a person's is none of a recipient that also followed
 * the hidden link, and none of a burst. Those beyond the kept ones have neither time nor link, and are never a person's.
 */
export function classifyClicks({ clicks = [], moreClicks = {} }: Recipient): ClickVerdict[] {
  const isBesideHidden =
    moreClicks.hidden_link !== undefined || clicks.some(([, , reason]) => reason === "hidden_link");
  const inBurst = isBesideHidden ? undefined : findBursts(clicks);
  return clicks.map(([, , reason], place) => {
    if (!isHuman(reason)) return reason;
    if (isBesideHidden) return "beside_hidden_link";
    return inBurst?.has(place) ? "burst" : reason;
  });
}

/** The places of all clicks that lie in any span of time with too many different links. */
function findBursts(clicks: readonly Click[]): Set<number> | undefined {
  if (clicks.length < burst.links) return undefined;
  const found = new Set<number>();
  /** How often each link was followed between the two ends of the span. */
  const links = new Map<number, number>();
  let first = 0;
  let marked = 0;
  for (const [last, [at, link]] of clicks.entries()) {
    links.set(link, (links.get(link) ?? 0) + 1);
    for (; at - (clicks[first]?.[0] ?? at) > burst.ms; first++) {
      const left = clicks[first]?.[1] ?? 0;
      const count = (links.get(left) ?? 0) - 1;
      if (count > 0) links.set(left, count);
      else links.delete(left);
    }
    if (links.size < burst.links) continue;
    for (let place = Math.max(first, marked); place <= last; place++) found.add(place);
    marked = last + 1;
  }
  return found;
}
