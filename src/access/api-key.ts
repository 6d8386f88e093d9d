// The format of API keys: ea_<region>_<organization id>_<secret: 32 base62><checksum: 6 base62>.
// The checksum detects typos, and the region keys of other deployments, without a database query.

import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** The permission of a key: `read` returns records, `ingest` sends campaigns and events. */
export const keyScopes = ["read", "ingest"] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * A key with another scope is part of a URL and works nowhere else: `csv-link` returns one selection as CSV, `share-link`
 * shows one page.
 */
export type StoredScope = KeyScope | "csv-link" | "share-link";

export interface ApiKey {
  text: string;
  region: string;
  organizationId: number;
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The value of each base62 digit, by character code. */
const digitValues = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, base62.indexOf(String.fromCharCode(code))),
);
const secretLength = 32;
const checksumLength = 6;
const region = "[a-z0-9]{2,8}";
const keyPattern = new RegExp(`^ea_(${region})_([1-9][0-9]{0,15})_[0-9A-Za-z]{38}$`);

/** Accepted region names. They are part of every key, so they are short and contain no separator. */
export const regionPattern = new RegExp(`^${region}$`);

export function generateApiKey(region: string, organizationId: number): string {
  const body = `ea_${region}_${organizationId}_${randomBase62(secretLength)}`;
  return body + checksumOf(body);
}

/** Undefined if the text was never generated as a key: it has another form or the wrong checksum. */
export function parseApiKey(text: string): ApiKey | undefined {
  const match = keyPattern.exec(text);
  if (!match || crc32(text.slice(0, -checksumLength)) !== decodeChecksum(text)) return undefined;
  return { text, region: match[1] ?? "", organizationId: Number(match[2]) };
}

/** The part of a key that may be shown later: it identifies the key but cannot be used as one. */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, text.lastIndexOf("_") + 5);
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte. Higher values are discarded to keep the digits equally likely.
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** The checksum that a key ends with, as a number. */
function decodeChecksum(text: string): number {
  let sum = 0;
  for (let index = text.length - checksumLength; index < text.length; index++) {
    sum = sum * 62 + (digitValues[text.charCodeAt(index)] ?? 0);
  }
  return sum;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let index = 0; index < checksumLength; index++) {
    text = base62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
