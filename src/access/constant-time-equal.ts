// Comparison of secrets and signatures without a timing side channel.

import { hash, timingSafeEqual } from "node:crypto";

/** Compares digests, so that the time depends neither on the texts' lengths nor on where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
}
