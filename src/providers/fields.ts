// What the fields of providers have in common: how campaigns, ids, times and evidence are read from them.

import { createHash, timingSafeEqual } from "node:crypto";
import { type Device, judgeTraffic, trafficReasons } from "../campaign/events/traffic.ts";
import { parseId } from "../campaign/parse-id.ts";
import { isStorable } from "../campaign/validate-fields.ts";
import { checkValueCount } from "../limits/bounded-json.ts";
import type { Fields, ProviderEvent } from "./provider.ts";

/** Ten megabytes of real events have fewer. */
const valuesMax = 1_000_000;

/**
 * @throws Error when the bytes are no JSON
 * @throws Refusal when they hold more values than any provider sends
 */
export function parseJson(body: Uint8Array): unknown {
  checkValueCount(body, valuesMax);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
}

/** A JSON object; an empty one in place of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A property of its own: `constructor` is no campaign field. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * The first of the places where a provider may carry the campaign field, and of a list its first member. Providers hand
 * everything on as text: plain digits are the number of a campaign, other text is its `external_id`.
 */
export function campaignOf(...places: readonly unknown[]): number | string | undefined {
  for (const place of places) {
    const value = Array.isArray(place) ? place[0] : place;
    const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
    if (text === "") continue;
    return parseId(text) ?? text;
  }
  return undefined;
}

/** An id for events that have none, from all that tells one from another: the same parts are the same event. */
export function composedId(...parts: readonly unknown[]): string {
  return createHash("sha256").update(textOf(parts)).digest("hex");
}

function textOf(parts: readonly unknown[]): string {
  try {
    return JSON.stringify(parts);
  } catch {
    // JSON may be nested deeper than can be written again; what has an object for a part is no readable event.
    return JSON.stringify(parts.map((part) => (typeof part === "object" ? null : part)));
  }
}

/** Seconds since 1970, whole or not, as a number or as text, as ISO-8601; anything else as it is. */
export function timeOfSeconds(value: unknown): unknown {
  const isSeconds =
    typeof value === "number" || (typeof value === "string" && /^\d{1,12}(\.\d+)?$/.test(value));
  const time = isSeconds ? new Date(Math.floor(Number(value) * 1000)) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : value;
}

const evidenceLengthMax = { userAgent: 8_192, ip: 100 } as const;

/** A user agent as evidence; undefined where it is none. */
export function userAgentOf(value: unknown): string | undefined {
  return evidenceOf(value, evidenceLengthMax.userAgent);
}

export function ipOf(value: unknown): string | undefined {
  return evidenceOf(value, evidenceLengthMax.ip);
}

function evidenceOf(value: unknown, lengthMax: number): string | undefined {
  if (typeof value !== "string" || !isStorable(value)) return undefined;
  const text = value.slice(0, lengthMax).toWellFormed().trim();
  return text === "" ? undefined : text;
}

/**
 * Which program was at work, where the provider says more of it than its user agent. A proxy that fetches images when a
 * person opens is no machine, whatever the provider takes it for; and neither it nor a machine is anybody's device.
 */
export function programOf({
  type,
  userAgent: given,
  isMachine: isCalledMachine,
  device,
}: {
  type: "open" | "click";
  userAgent: unknown;
  isMachine: boolean;
  device: Device | undefined;
}): Pick<ProviderEvent, "user_agent" | "device" | "machine"> {
  const userAgent = userAgentOf(given);
  const reason = judgeTraffic({ type, userAgent });
  const isProxy = type === "open" && trafficReasons[reason].verdict === "proxy";
  const isMachine = isCalledMachine && !isProxy;
  return {
    user_agent: userAgent,
    ...(device !== undefined && reason === "person" && !isMachine && { device }),
    ...(isMachine && { machine: true }),
  };
}

/** Compares in a time that does not depend on where two texts differ. */
export function isSameText(a: string, b: string): boolean {
  const digestOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digestOf(a), digestOf(b));
}
