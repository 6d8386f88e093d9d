// Classifies the opens of a recipient by its other events. A scanner that acts like a browser loads the images of a message,
// and then follows all links in one sweep: its clicks are recognized, and reveal the open.

import { minuteMs } from "../calendar/durations.ts";
import { type ClickVerdict, isHumanClick } from "./click-verdicts.ts";
import { opensKept, type Recipient } from "./recipient.ts";
import { isHuman, type TrafficReason } from "./traffic.ts";

/** An open up to so long before an automated click, or after it, can be the scanner's. */
export const besideScanner = { beforeMs: 2 * minuteMs, afterMs: minuteMs } as const;

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
  const { beforeMs, afterMs } = besideScanner;
  // Without evidence of its own, a click beside a hidden link may be a person's, long after the sweep.
  const isSweep = (index: number) => verdicts[index] !== "beside_hidden_link";
  return opens.every(([at]) =>
    clicks.some(([click], index) => isSweep(index) && at >= click - beforeMs && at <= click + afterMs),
  );
}

function hasHumanOpen(opens: Recipient["moreOpens"] = {}): boolean {
  return Object.keys(opens).some((name) => isHuman(name.split(" ")[0] as TrafficReason));
}
