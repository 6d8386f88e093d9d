// The activity of a campaign: its opens and clicks, each counted under a verdict that says whether it was human.

import { quarterHourMs } from "../calendar/durations.ts";
import { type ClickVerdict, classifyClicks, isHumanClick } from "./click-verdicts.ts";
import type { OpenVerdict } from "./open-verdicts.ts";
import type { Recipient } from "./recipient.ts";
import { isHuman, type TrafficReason, trafficReasons } from "./traffic.ts";

export const activities = ["open", "click"] as const;
export type Activity = (typeof activities)[number];

/** Whether an open or click was human, and the evidence. */
export type ActivityVerdict = OpenVerdict | ClickVerdict;

interface VerdictMeaning {
  /** A short name for pages. */
  title: string;
  /** Code is between backquotes. */
  meaning: string;
  isHuman: boolean;
}

const titles: Record<TrafficReason, string> = {
  person: "Human",
  google_proxy: "Human, via Gmail's image proxy",
  yahoo_proxy: "Human, via Yahoo's image proxy",
  apple_prefetch: "Apple Mail prefetch",
  google_prefetch: "Gmail prefetch",
  provider_prefetch: "Prefetch, reported by the provider",
  provider_scanner: "Scanner, reported by the provider",
  hidden_link: "Hidden link",
  head_request: "HEAD request",
  flood: "Flood of requests",
  network: "Network of a security gateway",
  gateway: "Security gateway",
  bot: "Bot",
};

const reasonMeanings = Object.entries(trafficReasons).map(([name, { meaning }]) => {
  const reason = name as TrafficReason;
  return [reason, { title: titles[reason], meaning, isHuman: isHuman(reason) }] as const;
});

/** Every verdict, human ones first. */
export const verdictMeanings: Readonly<Record<ActivityVerdict, VerdictMeaning>> = {
  ...(Object.fromEntries(reasonMeanings) as Record<TrafficReason, VerdictMeaning>),
  beside_hidden_link: {
    title: "Recipient with a hidden-link click",
    meaning:
      "A scanner followed the hidden link in this recipient's message, so no click of it counts as human.",
    isHuman: isHumanClick("beside_hidden_link"),
  },
  burst: {
    title: "Burst of clicks",
    meaning: "One of several different links that were clicked for the same recipient within seconds.",
    isHuman: isHumanClick("burst"),
  },
  beside_scanner: {
    title: "Open beside a scanner's clicks",
    meaning: "Within two minutes before or one minute after automated clicks for the same recipient.",
    isHuman: false,
  },
};

/** The meaning of a stored verdict. Another version of the program may have stored one that this version lacks. */
export function describeVerdict(name: string): VerdictMeaning {
  const known = Object.hasOwn(verdictMeanings, name) ? verdictMeanings[name as ActivityVerdict] : undefined;
  return known ?? { title: name, meaning: "", isHuman: false };
}

/** The instant at which a quarter hour starts. */
export function startOfQuarter(at: number): number {
  return Math.floor(at / quarterHourMs) * quarterHourMs;
}

interface ClickActivity {
  at: number;
  link: number;
  verdict: ClickVerdict;
}

/** The stored clicks of a recipient, classified as the tally classifies them. */
export function clickActivity(recipient: Recipient): ClickActivity[] {
  const verdicts = classifyClicks(recipient);
  return (recipient.clicks ?? []).map(([at, link], index) => {
    return { at, link, verdict: verdicts[index] as ClickVerdict };
  });
}
