// Fields that several providers send in the same form: campaign, id, time, user agent, IP address and device.

import { createHash } from "node:crypto";
import { maxUserAgentLength } from "../campaign/events/event-schema.ts";
import { classifyTraffic, type Device, trafficReasons } from "../campaign/events/traffic.ts";
import { parseId } from "../campaign/fields/parse-id.ts";
import { isStorable } from "../campaign/fields/validate-fields.ts";
import { toJsonObject } from "./json-object.ts";
import type { ProviderEvent } from "./provider.ts";

/**
 * The campaign from the first value that is not empty; of a list, its first element counts. Providers return everything
 * as text: plain digits are a campaign id, any other text is an `external_id`.
 */
export function parseCampaignId(...values: readonly unknown[]): number | string | undefined {
  for (const value of values) {
    const single = Array.isArray(value) ? value[0] : value;
    const text =
      typeof single === "number" ? String(single) : typeof single === "string" ? single.trim() : "";
    if (text === "") continue;
    return parseId(text) ?? text;
  }
  return undefined;
}

/** The value of a message's header in a list of names and values. Case does not matter in names (RFC 5322, 1.2.2). */
export function headerOf(headers: unknown, name: string): unknown {
  if (!Array.isArray(headers)) return undefined;
  const header = headers
    .map(toJsonObject)
    .find((each) => typeof each.name === "string" && each.name.toLowerCase() === name.toLowerCase());
  return header?.value;
}

/** The id of an event that has none: a hash of everything that identifies it. */
export function composeEventId(...parts: readonly unknown[]): string {
  return createHash("sha256").update(stringify(parts)).digest("hex");
}

function stringify(parts: readonly unknown[]): string {
  try {
    return JSON.stringify(parts);
  } catch {
    // JSON.parse accepts deeper nesting than JSON.stringify. An event with an object in these fields is invalid anyway.
    return JSON.stringify(parts.map((part) => (typeof part === "object" ? null : part)));
  }
}

/** Converts Unix seconds, as a number or as text, to ISO 8601; any other value is returned unchanged. */
export function toIsoTime(value: unknown): unknown {
  const isSeconds =
    typeof value === "number" || (typeof value === "string" && /^\d{1,12}(\.\d+)?$/.test(value));
  const time = isSeconds ? new Date(Math.floor(Number(value) * 1000)) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : value;
}

const maxIpLength = 100;

/** The user agent, cut to the length that events may have; undefined if the value is not usable text. */
export function parseUserAgent(value: unknown): string | undefined {
  return parseText(value, maxUserAgentLength);
}

export function parseIp(value: unknown): string | undefined {
  return parseText(value, maxIpLength);
}

function parseText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== "string" || !isStorable(value)) return undefined;
  const text = value.slice(0, maxLength).toWellFormed().trim();
  return text === "" ? undefined : text;
}

/**
 * The client of an event, for providers that report more than its user agent. Image proxies fetch when a person opens,
 * so they are not machines, even if the provider says so. Neither a proxy nor a machine is a recipient's device.
 */
export function parseClient({
  type,
  userAgent: rawUserAgent,
  isMachine: isReportedMachine,
  device,
}: {
  type: "open" | "click";
  userAgent: unknown;
  isMachine: boolean;
  device: Device | undefined;
}): Pick<ProviderEvent, "user_agent" | "device" | "machine"> {
  const userAgent = parseUserAgent(rawUserAgent);
  const reason = classifyTraffic({ type, userAgent });
  const isProxy = type === "open" && trafficReasons[reason].verdict === "proxy";
  const isMachine = isReportedMachine && !isProxy;
  return {
    user_agent: userAgent,
    ...(device !== undefined && reason === "person" && !isMachine && { device }),
    ...(isMachine && { machine: true }),
  };
}
