// Classifies the opens of a recipient by its other events. A scanner that acts like a browser loads the images of a message,
// and then follows all links in one sweep: its clicks are recognized, and reveal the open.

import { minuteMs, secondMs } from "../calendar/durations.ts";
import { type ClickVerdict, findBursts, isHumanClick } from "./click-verdicts.ts";
import { opensKept, type Recipient } from "./recipient.ts";
import { isHuman, type TrafficReason } from "./traffic.ts";

/**
 * An open up to so long before an automated click, or after it, can be the scanner's. A burst is a scanner's sweep if it is
 * as quick as this: people who open several links in tabs take longer.
 */
export const besideScanner = { beforeMs: 2 * minuteMs, afterMs: minuteMs, sweepMs: 2 * secondMs } as const;

/** The reason of the open itself or, if that is human, what the clicks of the recipient reveal. */
export type OpenVerdict = TrafficReason | "beside_scanner";

/**
 * Whether a scanner made all opens that look human: each is beside an automated click, and nothing else shows a person. A
 * human click, a read or an answer does, and so does any other open, which includes those beyond the stored ones.
 *
 * @param verdicts of its clicks
 */
export function areOpensBesideScanner(recipient: Recipient, verdicts: readonly ClickVerdict[]): boolean {
  const { opens, moreOpens, clicks, firstReadAt } = recipient;
  if (!opens || !clicks || firstReadAt !== undefined) return false;
  if (opens.length === opensKept && hasHumanOpen(moreOpens)) return false;
  if (verdicts.some(isHumanClick)) return false;
  const { beforeMs, afterMs, sweepMs } = besideScanner;
  const quick = verdicts.includes("burst") ? findBursts(clicks, sweepMs) : undefined;
  // Without evidence of its own, a click beside a hidden link may be a person's, long after the sweep.
  const isSweep = (index: number) =>
    verdicts[index] === "burst" ? quick?.has(index) === true : verdicts[index] !== "beside_hidden_link";
  const sweep = clicks.filter((_, index) => isSweep(index));
  return opens.every(([at]) => sweep.some(([click]) => at >= click - beforeMs && at <= click + afterMs));
}

function hasHumanOpen(opens: Recipient["moreOpens"] = {}): boolean {
  return Object.keys(opens).some((name) => isHuman(name.split(" ")[0] as TrafficReason));
}
