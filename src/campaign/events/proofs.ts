// Recipients whose nature is proven: people by a survey answer, machines by the hidden link. Without its proof, such a
// recipient is an example with a known answer, which measures the other rules.

import { hasHiddenLinkClick } from "./click-verdicts.ts";
import type { Recipient } from "./recipient.ts";

/** @returns a proven person without its survey answers; undefined if it has none, or no opens and clicks to judge */
export function withoutAnswers(recipient: Recipient): Recipient | undefined {
  if (recipient.surveys === undefined) return undefined;
  // The answer may be what set the time of the first read. Reads show a person without it.
  const { surveys, held, firstReadAt, ...others } = recipient;
  return others.opens || others.moreOpens || others.clicks ? others : undefined;
}

/** @returns a proven machine without its clicks on the hidden link; undefined if it has none, or no other clicks */
export function withoutHiddenLink(recipient: Recipient): Recipient | undefined {
  if (!hasHiddenLinkClick(recipient)) return undefined;
  const clicks = recipient.clicks?.filter(([, , reason]) => reason !== "hidden_link") ?? [];
  // Clicks beyond the stored ones never count as human.
  const { moreClicks, ...others } = recipient;
  return clicks.length > 0 ? { ...others, clicks } : undefined;
}
