// The stored content of a quarantined event: encrypted with the organization's secret, without IP and user agent.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { quarantinedFieldNames } from "../../campaign/events/event-schema.ts";
import { isObject } from "../../campaign/fields/validate-fields.ts";
import type { EventClassification } from "./incoming-event.ts";

interface QuarantinedContent {
  /** The event's fields as sent, without IP and user agent; null if the input was not an object. */
  input: Record<string, unknown> | null;
  /** What was unreadable and is not stored. An event with an error must never be counted as it is. */
  error?: string;
  classification: EventClassification;
}

/**
 * The fields of an input that can be stored. Leaves out lists and objects: no field accepts them, and their nesting is
 * unbounded.
 *
 * @param changes fields to store instead of those of the input
 */
export function storableInput(
  input: unknown,
  changes: Record<string, unknown> = {},
): Record<string, unknown> | null {
  if (!isObject(input)) return null;
  const fields = { ...input, ...changes } as Record<string, unknown>;
  const names = quarantinedFieldNames.filter(
    (name) => Object.hasOwn(fields, name) && typeof fields[name] !== "object",
  );
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

const nonceLength = 12;
const tagLength = 16;

/** AES-256-GCM: nonce, authentication tag, ciphertext. */
export function encryptContent(organizationSecret: string, content: QuarantinedContent): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(organizationSecret, "hex"), nonce);
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** The content with the hash of the recipient instead of its name. */
export function withoutName(organizationSecret: string, encrypted: Buffer): Buffer {
  const content = decryptContent(organizationSecret, encrypted);
  if (content.input?.recipient === undefined) return encrypted;
  const input = { ...content.input, recipient: content.classification.hashes.recipient };
  return encryptContent(organizationSecret, { ...content, input });
}

/** @throws Error if the bytes were not encrypted with this secret */
export function decryptContent(organizationSecret: string, encrypted: Buffer): QuarantinedContent {
  const nonce = encrypted.subarray(0, nonceLength);
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(organizationSecret, "hex"), nonce);
  decipher.setAuthTag(encrypted.subarray(nonceLength, nonceLength + tagLength));
  const content = decipher.update(encrypted.subarray(nonceLength + tagLength));
  return JSON.parse(Buffer.concat([content, decipher.final()]).toString()) as QuarantinedContent;
}
