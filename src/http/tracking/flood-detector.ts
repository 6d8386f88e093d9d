// Detects floods: more requests for the URLs of a message than people make. The counts are in the memory of this process,
// because the requests of a flood arrive together and IP addresses are never stored.

import type { FastifyRequest } from "fastify";
import { classifyTraffic, floodLimits, isHuman } from "../../campaign/events/traffic.ts";
import { TimeWindows } from "../../limits/time-windows.ts";
import { networkOf } from "../request/network-of.ts";
import { evidenceOf } from "./tracked-request.ts";
import { recipientKeyOf, type TrackedMessage } from "./tracking-urls.ts";

/** Windows in memory. The least recently used ones are evicted, which a flood never is. */
const maxWindows = 20_000;

type FloodKind = "open" | "click" | "read";

export class FloodDetector {
  readonly #windows: TimeWindows<{ requests: number }>;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    const { windowMs } = floodLimits;
    this.#windows = new TimeWindows({ windowMs, maxWindows, now, create: () => ({ requests: 0 }) });
  }

  /** Counts a request, unless it is automated anyway. @returns whether it is part of a flood */
  isFlood(request: FastifyRequest, kind: FloodKind, message: TrackedMessage): boolean {
    if (!isHuman(classifyTraffic({ type: kind, ...evidenceOf(request) }))) return false;
    const recipient = recipientKeyOf(message);
    const sender =
      recipient ?? `${message.organizationId} ${message.campaignId} from ${networkOf(request.ip)}`;
    const limit = recipient === undefined ? floodLimits.perNetwork : floodLimits.perRecipient;
    return ++this.#windows.at(`${kind} ${sender}`).requests > limit;
  }
}
