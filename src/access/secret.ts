// Generates random secrets.

import { randomBytes } from "node:crypto";

/** 32 random bytes in hex. The fixed length keeps hash inputs that begin with a secret unambiguous. */
export function generateSecret(): string {
  return randomBytes(32).toString("hex");
}
