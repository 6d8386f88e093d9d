// Creates the HTTP server below Fastify: what it limits before a request reaches the app, and how connections close.

import type { RequestListener, Server } from "node:http";
import type { Logger } from "pino";
import { closeLingering } from "./lingering-close.ts";
import { createServer } from "./node-http.ts";
import { answerNodeErrors } from "./parser-errors.ts";
import { limitPipelining } from "./pipelining.ts";
import type { ServerLimits } from "./server-limits.ts";

/** @param handle answers a request */
export function createHttpServer(handle: RequestListener, limits: ServerLimits, log: Logger): Server {
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    // The parser stops at twice the limit. Up to there, the error can say which part is too long.
    maxHeaderSize: 2 * limits.headBytes,
    // Node would reject a missing Host header without a body.
    requireHostHeader: false,
  };
  const server = createServer(options, limitPipelining(handle, limits.maxPipelined));
  server.setTimeout(limits.silenceMs);
  answerNodeErrors(server, log);
  closeLingering(server, limits);
  return server;
}
