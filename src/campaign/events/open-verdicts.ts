// Classifies the opens of a recipient by its other events. A scanner that acts like a browser loads the images of a message,
// and then follows all links in one sweep: its clicks are recognized, and reveal the open.

import { minuteMs, secondMs } from "../calendar/durations.ts";
import { type ClickVerdict, findBursts, isHumanClick } from "./click-verdicts.ts";
import { type Open, opensKept, type Recipient } from "./recipient.ts";
import { isHuman, type TrafficReason } from "./traffic.ts";

/**
 * An open up to so long before an automated click, or after it, can be the scanner's. A burst is a scanner's sweep if it is
 * as quick as this: people who open several links in tabs take longer.
 */
export const besideScanner = { beforeMs: 2 * minuteMs, afterMs: minuteMs, sweepMs: 2 * secondMs } as const;

/** The reason of the open itself or, if that is human, what the clicks of the recipient reveal. */
export type OpenVerdict = TrafficReason | "beside_scanner";

/**
 * The stored opens that a scanner made: those beside an automated click. A person who opens, clicks, reads or answers at another time
 * still counts as an opener.
 *
 * @param verdicts of its clicks
 */
export function opensBesideScanner(
  { opens, moreOpens, clicks }: Recipient,
  verdicts: readonly ClickVerdict[],
): readonly Open[] {
  if (!opens || !clicks || verdicts.every(isHumanClick)) return none;
  // Opens beyond the stored ones have no time, so without these the time of the first open would be unknown.
  if (opens.length === opensKept && hasHumanOpen(moreOpens)) return none;
  const { beforeMs, afterMs, sweepMs } = besideScanner;
  const quick = findBursts(clicks, sweepMs);
  // Without evidence of its own, a click beside a hidden link may be a person's, long after the sweep.
  const isSweep = (verdict: ClickVerdict, index: number) =>
    quick?.has(index) || (verdict !== "burst" && verdict !== "beside_hidden_link" && !isHumanClick(verdict));
  const sweep = clicks.filter((_, index) => isSweep(verdicts[index] ?? "bot", index));
  return opens.filter(([at]) => sweep.some(([click]) => at >= click - beforeMs && at <= click + afterMs));
}

const none: readonly Open[] = [];

function hasHumanOpen(opens: Recipient["moreOpens"] = {}): boolean {
  return Object.keys(opens).some((name) => isHuman(name.split(" ")[0] as TrafficReason));
}
