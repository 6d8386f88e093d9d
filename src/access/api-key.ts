// The text of an API key: ea_<region>_<organization id>_<secret: 32 base62><checksum: 6 base62>.
// The checksum refuses a mistyped key, and the region a key of elsewhere, without asking the database.

import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** Which door a key opens: records are read through one, events and campaigns come in through the other. */
export const keyScopes = ["read", "ingest"] as const;
export type KeyScope = (typeof keyScopes)[number];

export interface ApiKey {
  text: string;
  region: string;
  organizationId: number;
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** What each character of base 62 stands for, by its code. */
const digits = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, base62.indexOf(String.fromCharCode(code))),
);
const secretLength = 32;
const checksumLength = 6;
const regionName = "[a-z0-9]{2,8}";
const shape = new RegExp(`^ea_(${regionName})_([1-9][0-9]{0,15})_[0-9A-Za-z]{38}$`);

/** Names of regions: short, and without anything that separates the parts of a key, since they stand in every one. */
export const regionPattern = new RegExp(`^${regionName}$`);

export function generateApiKey(region: string, organizationId: number): string {
  const body = `ea_${region}_${organizationId}_${randomBase62(secretLength)}`;
  return body + checksumOf(body);
}

/** Undefined when the text is no key that was ever made: another shape, or a mistyped character. */
export function parseApiKey(text: string): ApiKey | undefined {
  const match = shape.exec(text);
  if (!match || crc32(text.slice(0, -checksumLength)) !== checksumIn(text)) return undefined;
  return { text, region: match[1] ?? "", organizationId: Number(match[2]) };
}

/** What may be shown of a key later on: enough to recognise it, too little to use it. */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, text.lastIndexOf("_") + 5);
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    // Bytes above the largest multiple of 62 are thrown away: they would make some characters likelier.
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** The number that the last characters of a key stand for: each number has one way only to be written in so many. */
function checksumIn(text: string): number {
  let sum = 0;
  for (let place = text.length - checksumLength; place < text.length; place++) {
    sum = sum * 62 + (digits[text.charCodeAt(place)] ?? 0);
  }
  return sum;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < checksumLength; place++) {
    text = base62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
