// A request to an address inside a message: what it tells of who is at work, as an event to be counted.

import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { classifyTraffic } from "../../campaign/events/traffic.ts";
import type { IncomingEvent } from "../../counting/events/incoming-event.ts";
import { addToLog } from "../request-log.ts";
import type { TrackedMessage } from "./tracking-urls.ts";

/** What stands for the recipient where a campaign knows none: only the device is counted. */
const nobody = "-";
const userAgentLengthMax = 8_192;

/**
 * @param given the fields of the event that only its own type has
 * @param at instant in milliseconds since 1970
 */
export function toEntry(
  request: FastifyRequest,
  { campaignId, recipient, recipientHash }: TrackedMessage,
  given: { type: "open" | "click" | "read" | "survey"; [field: string]: unknown },
  at: number,
): IncomingEvent {
  const { userAgent, isMachine, isHead } = evidenceOf(request);
  return {
    input: {
      id: randomUUID(),
      campaign_id: campaignId,
      recipient: recipient ?? recipientHash ?? nobody,
      at: new Date(at).toISOString(),
      ...given,
      ...(userAgent !== "" && { user_agent: userAgent }),
      ...ipOf(request),
      ...(isMachine && { machine: true }),
      ...(isHead && { head: true }),
    },
    isTracked: true,
    ...(recipientHash !== undefined && { recipientHash }),
  };
}

/** Behind a proxy it comes from a header, which may hold anything. An IPv4 address may come as one of IPv6. */
function ipOf({ ip }: FastifyRequest): { ip?: string } {
  return isIP(ip) === 0 ? {} : { ip: ip.replace(/^::ffff:(?=\d+\.)/i, "") };
}

/** Whether nothing speaks against a person's own program: who asks through a proxy shows nothing of how long is read. */
export function isHumanRequest(request: FastifyRequest): boolean {
  return classifyTraffic({ type: "read", ...evidenceOf(request) }) === "person";
}

function evidenceOf({ headers, method }: FastifyRequest) {
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-purpose"], headers["x-moz"]];
  return {
    userAgent: (headers["user-agent"] ?? "").slice(0, userAgentLengthMax),
    // Some programs say that they fetch before anybody asked for it.
    isMachine: purposes.some((purpose) => /prefetch|preview/i.test(String(purpose ?? ""))),
    isHead: method === "HEAD",
  };
}

/** Whose messages they are may be logged; who asks, and for what, stands on no disk. */
export function logMessage(request: FastifyRequest, { organizationId, campaignId }: TrackedMessage): void {
  addToLog(request, { organization: organizationId, campaign: campaignId });
}
