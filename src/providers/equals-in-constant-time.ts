// Comparison of secrets and signatures without a timing side channel.

import { createHash, timingSafeEqual } from "node:crypto";

/** Compares digests, so that the time depends neither on the texts' lengths nor on where they differ. */
export function equalsInConstantTime(a: string, b: string): boolean {
  const digestOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digestOf(a), digestOf(b));
}
