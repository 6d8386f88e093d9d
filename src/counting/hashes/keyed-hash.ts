// Keyed hash: SHA-256 under a secret. Without the secret, a hash cannot be compared with guessed values.

import { hash } from "node:crypto";

/**
 * 16 bytes in hex, long enough that no two texts collide. Half of a SHA-256 cannot be extended, so no HMAC is needed.
 *
 * @param secret of a campaign or an organization, in hex
 * @param kind separates hashes of different things
 */
export function keyedHash(secret: string, kind: string, text: string): string {
  return hash("sha256", `${secret}\n${kind}\n${text}`, "hex").slice(0, 32);
}
