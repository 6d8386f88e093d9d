// Who was at work: a person, a person through a proxy, a prefetch or a scanner, and the evidence for it. Here a single
// event is judged by what it carries; what several clicks show together is judged in click-verdicts.ts.

import Bowser from "bowser";
import { isbot } from "isbot";

export type Verdict = "person" | "proxy" | "prefetch" | "scanner";

/** Every reason for a verdict. What is kept of an event is the name of its reason, in place of the evidence. */
export const trafficReasons = {
  person: { verdict: "person", meaning: "Nothing speaks against a person." },
  google_proxy: {
    verdict: "proxy",
    meaning: "Gmail's image proxy (`GoogleImageProxy`), which asks when a person opens.",
  },
  yahoo_proxy: {
    verdict: "proxy",
    meaning: "Yahoo's image proxy (`YahooMailProxy`), which asks when a person opens.",
  },
  apple_prefetch: {
    verdict: "prefetch",
    meaning: "Apple Mail Privacy Protection: the whole user agent is `Mozilla/5.0`.",
  },
  google_prefetch: {
    verdict: "prefetch",
    meaning: "Gmail's prefetch: the user agent ends with `Edge/12.246 Mozilla/5.0`.",
  },
  provider_prefetch: {
    verdict: "prefetch",
    meaning: "The provider says that a machine opened or read (`machine`).",
  },
  provider_scanner: { verdict: "scanner", meaning: "The provider says that a machine clicked (`machine`)." },
  hidden_link: { verdict: "scanner", meaning: "A link was followed that no person sees (`hidden`)." },
  head_request: {
    verdict: "scanner",
    meaning: "It was a HEAD request (`head`): a program looked where an address leads.",
  },
  gateway: { verdict: "scanner", meaning: "The user agent names a security gateway." },
  bot: { verdict: "scanner", meaning: "The user agent is that of a known program." },
} as const satisfies Record<string, { verdict: Verdict; meaning: string }>;

export type TrafficReason = keyof typeof trafficReasons;

/** Which traffic an organization counts: `people` are persons, directly or through a proxy. */
export const countedTraffics = ["people", "all"] as const;
export type CountedTraffic = (typeof countedTraffics)[number];

export function isCounted(reason: TrafficReason, counted: CountedTraffic): boolean {
  return counted === "all" || isHuman(reason);
}

export function isHuman(reason: TrafficReason): boolean {
  const { verdict } = trafficReasons[reason];
  return verdict === "person" || verdict === "proxy";
}

export const devices = ["desktop", "mobile"] as const;
export type Device = (typeof devices)[number];

/** What an event carries that tells who was at work. */
export interface TrafficEvidence {
  type: "open" | "click" | "read" | "survey";
  /** The provider says so. */
  isMachine?: boolean;
  /** The link is one that no person sees. */
  isHidden?: boolean;
  /** It was a HEAD request. */
  isHead?: boolean;
  userAgent?: string | undefined;
  device?: Device | undefined;
}

/** The hidden link says most, then the method, the provider and the user agent. A survey is answered by persons only. */
export function classifyTraffic({
  type,
  isMachine,
  isHidden,
  isHead,
  userAgent,
}: TrafficEvidence): TrafficReason {
  if (type === "survey") return "person";
  if (type === "click" && isHidden) return "hidden_link";
  if (isHead) return "head_request";
  if (isMachine) return type === "click" ? "provider_scanner" : "provider_prefetch";
  return userAgent === undefined ? "person" : judgeUserAgent(userAgent).reason;
}

/** The device as the sender names it, or as a person's user agent does. A machine's is nobody's device. */
export function deviceOf(evidence: TrafficEvidence): Device | null {
  const { device, userAgent } = evidence;
  if (device !== undefined) return device;
  if (userAgent === undefined || classifyTraffic(evidence) !== "person") return null;
  return judgeUserAgent(userAgent).device;
}

interface UserAgentJudgement {
  reason: TrafficReason;
  device: Device | null;
}

/** A campaign is read with few different programs; what a flood of made-up ones would take is bounded. */
const rememberedMax = 2_000;
const remembered = new Map<string, UserAgentJudgement>();

function judgeUserAgent(userAgent: string): UserAgentJudgement {
  let judgement = remembered.get(userAgent);
  if (!judgement) {
    const reason = reasonOf(userAgent.trim());
    judgement = { reason, device: reason === "person" ? deviceNamedBy(userAgent) : null };
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(userAgent, judgement);
  }
  return judgement;
}

/** Programs that people read mail with, but that the list of known programs takes for machines. */
const mailPrograms =
  /outlook|microsoft office|thunderbird|apple ?mail|i(phone|pad) mail|airmail|lotus-notes|hcl ?notes|pegasus mail|em client|postbox|mailspring|the bat!|spark|superhuman|evolution|kmail|mutt|seamonkey|bluemail|samsung ?email|mailbird|canary|edison|k-9|yahoo ?mobile ?mail|yahoomail\b/i;
/** A program that says so itself, whatever else is in its name. */
const programs = /bot\b|crawl|spider|scan|preview|monitor/i;
const gateways = /proofpoint|barracuda|mimecast|safelinks|fireeye|trendmicro|zscaler|symantec|ironport/i;

/** Known proxies and prefetches go before the list of known programs, which knows some of them as programs. */
function reasonOf(userAgent: string): TrafficReason {
  if (userAgent === "") return "person";
  if (userAgent.includes("GoogleImageProxy")) return "google_proxy";
  if (userAgent.includes("YahooMailProxy")) return "yahoo_proxy";
  if (userAgent === "Mozilla/5.0") return "apple_prefetch";
  if (userAgent.endsWith("Edge/12.246 Mozilla/5.0")) return "google_prefetch";
  if (gateways.test(userAgent)) return "gateway";
  if (mailPrograms.test(userAgent) && !programs.test(userAgent)) return "person";
  return isbot(userAgent) ? "bot" : "person";
}

function deviceNamedBy(userAgent: string): Device | null {
  if (userAgent.trim() === "") return null;
  const platform = Bowser.getParser(userAgent).getPlatformType(true);
  if (platform === "mobile" || platform === "tablet") return "mobile";
  if (platform === "desktop" || /\bCrOS\b/.test(userAgent)) return "desktop";
  return /android/i.test(userAgent) ? "mobile" : null;
}
