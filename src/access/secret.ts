// Secrets of the service's own: random, and long enough to be guessed by nobody.

import { randomBytes } from "node:crypto";

/** 32 random bytes in hex: always of one length, so that what follows it in a hash cannot be taken for part of it. */
export function generateSecret(): string {
  return randomBytes(32).toString("hex");
}
