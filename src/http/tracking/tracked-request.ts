// Converts a request for a tracking URL into an event to count.

import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { maxUserAgentLength } from "../../campaign/events/event-schema.ts";
import { classifyTraffic } from "../../campaign/events/traffic.ts";
import { type IncomingEvent, trackedSender } from "../../counting/events/incoming-event.ts";
import { addToLog } from "../request/log.ts";
import type { TrackedMessage } from "./tracking-urls.ts";

/** The recipient in campaigns with *Overall* tracking, which count only devices. */
const unknownRecipient = "-";

/**
 * @param fields the type of the event, and the fields that only this type has
 * @param options the time in milliseconds since 1970, and whether the request is part of a flood
 */
export function toIncomingEvent(
  request: FastifyRequest,
  { campaignId, registration, recipient, recipientHash }: TrackedMessage,
  fields: { type: "open" | "click" | "read" | "survey"; [field: string]: unknown },
  { at, isFlood = false }: { at: number; isFlood?: boolean },
): IncomingEvent {
  const { userAgent, isMachine, isHead } = evidenceOf(request);
  return {
    input: {
      id: newEventId(at),
      campaign_id: campaignId,
      recipient: recipient ?? recipientHash ?? unknownRecipient,
      at: new Date(at).toISOString(),
      ...fields,
      ...(userAgent !== "" && { user_agent: userAgent }),
      ...ipOf(request),
      ...(isMachine && { machine: true }),
      ...(isHead && { head: true }),
    },
    registration,
    sender: trackedSender,
    ...(isFlood && { isFlood }),
    ...(recipientHash !== undefined && { recipientHash }),
  };
}

/** A UUID of version 7, because those of a batch are stored together, see `hashEventId`. */
function newEventId(at: number): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Behind a proxy the IP address comes from a header, which may contain anything. IPv4 may be mapped into IPv6. */
function ipOf({ ip }: FastifyRequest): { ip?: string } {
  return isIP(ip) === 0 ? {} : { ip: ip.replace(/^::ffff:(?=\d+\.)/i, "") };
}

/** Whether the client shows no sign of automation and is not an image proxy, whose read time means nothing. */
export function isHumanRequest(request: FastifyRequest): boolean {
  return classifyTraffic({ type: "read", ...evidenceOf(request) }) === "person";
}

/** What the request itself says about its traffic. */
export function evidenceOf({ headers, method }: FastifyRequest) {
  const purposes = [headers["sec-purpose"], headers.purpose, headers["x-purpose"], headers["x-moz"]];
  return {
    userAgent: (headers["user-agent"] ?? "").slice(0, maxUserAgentLength),
    // Clients announce requests that no person made yet.
    isMachine: purposes.some((purpose) => /prefetch|preview/i.test(String(purpose ?? ""))),
    isHead: method === "HEAD",
  };
}

/** Adds the campaign to the log line. Recipients and targets are never logged. */
export function logMessage(request: FastifyRequest, { organizationId, campaignId }: TrackedMessage): void {
  addToLog(request, { organization: organizationId, campaign: campaignId });
}
