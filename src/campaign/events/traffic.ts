// Classifies traffic as human or automated by the evidence of a single event. click-verdicts.ts and open-verdicts.ts add the
// evidence that the other events of a recipient give.

import Bowser from "bowser";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import { minuteMs } from "../calendar/durations.ts";
import type { DeliveryReport } from "./outcomes.ts";

/** `proxy` is a human behind an image proxy; `scanner` includes security gateways. */
type Verdict = "human" | "proxy" | "prefetch" | "scanner" | "bot";

/**
 * Opens, clicks or reads of a tracked message that may count as human within a window, which starts with the first of
 * them. Further ones are a flood.
 */
export const floodLimits = {
  windowMs: minuteMs,
  /** The limit for the message of one recipient. If it is forwarded, a whole team may open it. */
  perRecipient: 60,
  /** The limit for a network with *Overall* tracking. All have the same message and may share an IP. */
  perNetwork: 600,
} as const;

/** Every reason for a verdict. An event is stored with the name of its reason; the evidence is not stored. */
export const trafficReasons = {
  person: { verdict: "human", meaning: "No sign of automation." },
  google_proxy: {
    verdict: "proxy",
    meaning:
      "Gmail's image proxy (`GoogleImageProxy`), which loads images when a recipient opens the message.",
  },
  yahoo_proxy: {
    verdict: "proxy",
    meaning: "Yahoo's image proxy (`YahooMailProxy`), which loads images when a recipient opens the message.",
  },
  apple_prefetch: {
    verdict: "prefetch",
    meaning: "Apple Mail Privacy Protection: the entire user agent is `Mozilla/5.0`.",
  },
  google_prefetch: {
    verdict: "prefetch",
    meaning:
      "Gmail's prefetch: the user agent ends with `Edge/12.246 Mozilla/5.0`, or names `Gmail-content-sampling`.",
  },
  provider_prefetch: {
    verdict: "prefetch",
    meaning: "The provider reports an automated open or read (`machine`).",
  },
  provider_scanner: { verdict: "scanner", meaning: "The provider reports an automated click (`machine`)." },
  hidden_link: { verdict: "scanner", meaning: "A click on a link that people cannot see (`hidden`)." },
  head_request: {
    verdict: "scanner",
    meaning: "A HEAD request (`head`), which checks where a link leads without loading it.",
  },
  flood: {
    verdict: "bot",
    meaning: `Beyond ${floodLimits.perRecipient} opens or clicks a minute of one recipient's tracked message, or ${floodLimits.perNetwork} from one network with Overall tracking.`,
  },
  network: { verdict: "scanner", meaning: "The IP address is in a network of a security gateway." },
  gateway: { verdict: "scanner", meaning: "The user agent names a security gateway." },
  bot: { verdict: "bot", meaning: "The user agent is a known bot or program." },
} as const satisfies Record<string, { verdict: Verdict; meaning: string }>;

export type TrafficReason = keyof typeof trafficReasons;

/** Which traffic an organization counts; `people` includes humans behind a proxy. */
export const trafficFilters = ["people", "all"] as const;
export type TrafficFilter = (typeof trafficFilters)[number];

export function isIncluded(reason: TrafficReason, traffic: TrafficFilter): boolean {
  return traffic === "all" || isHuman(reason);
}

export function isHuman(reason: TrafficReason): boolean {
  const { verdict } = trafficReasons[reason];
  return verdict === "human" || verdict === "proxy";
}

/** Whether a mail program or proxy loaded the message in advance, which says nothing about a person. */
export function isPrefetch(reason: TrafficReason): boolean {
  return trafficReasons[reason].verdict === "prefetch";
}

export const devices = ["desktop", "mobile"] as const;
export type Device = (typeof devices)[number];

/** The evidence of an event. */
export interface TrafficEvidence {
  type: "open" | "click" | "read" | "survey" | DeliveryReport;
  /** The provider reports the event as automated. */
  isMachine?: boolean;
  /** People cannot see the link. */
  isHidden?: boolean;
  /** The tracking request was a HEAD request. */
  isHead?: boolean;
  /** The event is beyond the {@link floodLimits}. */
  isFlood?: boolean;
  isScannerNetwork?: boolean;
  userAgent?: string | undefined;
  device?: Device | undefined;
}

/** The first match decides: hidden link, HEAD request, provider, flood, network, user agent. Survey answers are always human. */
export function classifyTraffic({
  type,
  isMachine,
  isHidden,
  isHead,
  isFlood,
  isScannerNetwork,
  userAgent,
}: TrafficEvidence): TrafficReason {
  if (type === "survey") return "person";
  if (type === "click" && isHidden) return "hidden_link";
  if (isHead) return "head_request";
  if (isMachine) return type === "click" ? "provider_scanner" : "provider_prefetch";
  if (isFlood) return "flood";
  if (isScannerNetwork) return "network";
  return userAgent === undefined ? "person" : classifyUserAgent(userAgent).reason;
}

/** The device that the sender gives or, if the traffic is human, that the user agent names; null if unknown. */
export function deviceOf(evidence: TrafficEvidence): Device | null {
  const { device, userAgent } = evidence;
  if (device !== undefined) return device;
  if (userAgent === undefined || classifyTraffic(evidence) !== "person") return null;
  return classifyUserAgent(userAgent).device;
}

interface UserAgentClass {
  reason: TrafficReason;
  device: Device | null;
}

/** Readers use few different user agents; the limit protects against a flood of invented ones. */
const userAgentCache = new LRUCache<string, UserAgentClass>({ max: 2_000 });

function classifyUserAgent(userAgent: string): UserAgentClass {
  const cached = userAgentCache.get(userAgent);
  if (cached) return cached;
  const reason = reasonOf(userAgent.trim());
  const result = { reason, device: reason === "person" ? parseDevice(userAgent) : null };
  userAgentCache.set(userAgent, result);
  return result;
}

/** Mail clients that isbot takes for bots. */
const mailClients =
  /outlook|microsoft office|thunderbird|apple ?mail|i(phone|pad) mail|airmail|lotus-notes|hcl ?notes|pegasus mail|em client|postbox|mailspring|the bat!|spark|superhuman|evolution|kmail|mutt|seamonkey|bluemail|samsung ?email|mailbird|canary|edison|k-9|yahoo ?mobile ?mail|yahoomail\b/i;
/** Names itself a bot, even if it also names a mail client. */
const selfDeclaredBots = /bot\b|crawl|spider|scan|preview|monitor/i;
const gateways = /proofpoint|barracuda|mimecast|safelinks|fireeye|trendmicro|zscaler|symantec|ironport/i;

/** Proxies and prefetches come before isbot, which takes some of them for bots. */
function reasonOf(userAgent: string): TrafficReason {
  if (userAgent === "") return "person";
  if (userAgent.includes("GoogleImageProxy")) return "google_proxy";
  if (userAgent.includes("YahooMailProxy")) return "yahoo_proxy";
  if (userAgent === "Mozilla/5.0") return "apple_prefetch";
  if (/Edge\/12\.246 Mozilla\/5\.0$|Gmail-content-sampling/.test(userAgent)) return "google_prefetch";
  if (gateways.test(userAgent)) return "gateway";
  // Before Office opens a link, it asks whether the page exists, and whether it is a folder of documents.
  if (/\bdiscovery$/i.test(userAgent)) return "bot";
  if (mailClients.test(userAgent) && !selfDeclaredBots.test(userAgent)) return "person";
  return isbot(userAgent) ? "bot" : "person";
}

function parseDevice(userAgent: string): Device | null {
  if (userAgent.trim() === "") return null;
  const platform = Bowser.getParser(userAgent).getPlatformType(true);
  if (platform === "mobile" || platform === "tablet") return "mobile";
  if (platform === "desktop" || /\bCrOS\b/.test(userAgent)) return "desktop";
  return /android/i.test(userAgent) ? "mobile" : null;
}
