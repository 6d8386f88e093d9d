// Sets events aside that cannot be counted, or not yet: without IP and user agent, the rest encrypted with the secret of
// the organization.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { keptFieldNames } from "../campaign/event.ts";
import type { Device, TrafficReason } from "../campaign/traffic.ts";
import type { Origin } from "./hashes.ts";

/** What was found out about an event on its arrival, when there was still everything to judge it by. */
export interface Judgement {
  traffic: TrafficReason;
  device: Device | null;
  origin: Origin;
  isAhead: boolean;
}

/** What is kept of an event that is set aside. */
export interface KeptEvent {
  /** Its fields as they were given, without IP and user agent; null where it had none. */
  input: Record<string, unknown> | null;
  judgement: Judgement;
}

/** @param change fields that are kept in place of those that were given */
export function keptInput(
  input: unknown,
  change: Record<string, unknown> = {},
): Record<string, unknown> | null {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null;
  const given = { ...input, ...change } as Record<string, unknown>;
  const kept = keptFieldNames.filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(kept.map((name) => [name, given[name]]));
}

const nonceLength = 12;
const tagLength = 16;

export function encrypt(organizationSecret: string, event: KeptEvent): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(organizationSecret, "hex"), nonce);
  const content = Buffer.concat([cipher.update(JSON.stringify(event)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

/** @throws Error when the content is not what {@link encrypt} gave */
export function decrypt(organizationSecret: string, sealed: Buffer): KeptEvent {
  const nonce = sealed.subarray(0, nonceLength);
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(organizationSecret, "hex"), nonce);
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  const content = decipher.update(sealed.subarray(nonceLength + tagLength));
  return JSON.parse(Buffer.concat([content, decipher.final()]).toString()) as KeptEvent;
}
