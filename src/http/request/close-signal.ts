// Tells long work for a request that its client has left.

import type { FastifyReply } from "fastify";

/** Aborts when the client leaves, which it may have done already. */
export function closeSignal({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  raw.once("close", () => controller.abort());
  return controller.signal;
}
