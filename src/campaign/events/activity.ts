// How opens and clicks of a campaign came in: by whom, when, and to which links. It is kept of the campaign as a
// whole, and changes by what an event adds to the clicks of its recipient as they are judged then.

import { quarterHourMs } from "../calendar/durations.ts";
import { type ClickVerdict, classifyClicks, isHumanClick } from "./click-verdicts.ts";
import type { Recipient } from "./recipient.ts";
import { isHuman, type TrafficReason, trafficReasons } from "./traffic.ts";

export const activities = ["open", "click"] as const;
export type Activity = (typeof activities)[number];

/** Who was at work, with the evidence for it: the name under which it is counted. */
export type ActivityVerdict = TrafficReason | ClickVerdict;

interface VerdictMeaning {
  /** For people, in a few words. */
  title: string;
  /** Code stands between backquotes. */
  meaning: string;
  isHuman: boolean;
}

const titles: Record<TrafficReason, string> = {
  person: "Person",
  google_proxy: "Person, through Gmail",
  yahoo_proxy: "Person, through Yahoo Mail",
  apple_prefetch: "Apple Mail's prefetch",
  google_prefetch: "Gmail's prefetch",
  provider_prefetch: "Prefetch, says the provider",
  provider_scanner: "Scanner, says the provider",
  hidden_link: "Hidden link",
  head_request: "Look without reading",
  gateway: "Security gateway",
  bot: "Known program",
};

const ofReasons = Object.entries(trafficReasons).map(([name, { meaning }]) => {
  const reason = name as TrafficReason;
  return [reason, { title: titles[reason], meaning, isHuman: isHuman(reason) }] as const;
});

/** Every verdict; those of people come first. */
export const verdictMeanings: Readonly<Record<ActivityVerdict, VerdictMeaning>> = {
  ...(Object.fromEntries(ofReasons) as Record<TrafficReason, VerdictMeaning>),
  beside_hidden_link: {
    title: "Beside the hidden link",
    meaning: "A click of a recipient whose mail was also followed through a link that no person sees.",
    isHuman: isHumanClick("beside_hidden_link"),
  },
  burst: {
    title: "Burst of clicks",
    meaning: "One of many different links of a recipient that were followed within seconds.",
    isHuman: isHumanClick("burst"),
  },
};

/** What stands in the table `campaign_hours`, and comes from another version of the program, may be none of them. */
export function describeVerdict(name: string): VerdictMeaning {
  const known = Object.hasOwn(verdictMeanings, name) ? verdictMeanings[name as ActivityVerdict] : undefined;
  return known ?? { title: name, meaning: "", isHuman: false };
}

/** The instant at which its quarter of an hour begins. */
export function startOfQuarter(at: number): number {
  return Math.floor(at / quarterHourMs) * quarterHourMs;
}

interface ClickActivity {
  at: number;
  link: number;
  verdict: ClickVerdict;
}

/** The clicks of a recipient that are kept, judged as the tally judges them. */
export function clickActivity(recipient: Recipient): ClickActivity[] {
  const verdicts = classifyClicks(recipient);
  return (recipient.clicks ?? []).map(([at, link], place) => {
    return { at, link, verdict: verdicts[place] as ClickVerdict };
  });
}
