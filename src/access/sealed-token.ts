// Sealed tokens: text that is encrypted and authenticated with AES-SIV (RFC 5297) and encoded as base64url.
//
// AES-SIV is deterministic and needs no nonce: one secret can seal any number of tokens, and the same text for the same
// purpose is always the same token.

import { hkdfSync } from "node:crypto";
import { aessiv } from "@noble/ciphers/aes.js";

/** Two AES-256 keys, one to authenticate and one to encrypt. */
const keyBytes = 64;

export function deriveTokenKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "email-analytics tracking tokens", keyBytes));
}

/** The length of a token that contains so many bytes of text. */
export function tokenLength(textBytes: number): number {
  return Math.ceil(((aessiv.tagLength + textBytes) * 4) / 3);
}

/** @param purpose authenticated with the text: a token for one purpose is refused for any other */
export function sealToken(key: Uint8Array, purpose: string, text: string): string {
  const sealed = aessiv(key, Buffer.from(purpose)).encrypt(Buffer.from(text));
  return asBuffer(sealed).toString("base64url");
}

/**
 * The text of a token that was sealed with one of the keys. Undefined if the token was altered, was sealed with another
 * key or for another purpose, or is not in canonical base64url: each text has exactly one token per key.
 */
export function unsealToken(keys: readonly Uint8Array[], purpose: string, token: string): string | undefined {
  const sealed = Buffer.from(token, "base64url");
  if (sealed.length <= aessiv.tagLength || sealed.toString("base64url") !== token) return undefined;
  for (const key of keys) {
    try {
      return asBuffer(aessiv(key, Buffer.from(purpose)).decrypt(sealed)).toString();
    } catch {
      // The token is not sealed with this key.
    }
  }
  return undefined;
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
