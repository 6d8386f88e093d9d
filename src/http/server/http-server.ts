// Creates the HTTP server below Fastify: what it limits before a request reaches the app, and how connections close.

import type { RequestListener, Server } from "node:http";
import type { Logger } from "pino";
import { createServer } from "../node-http.ts";
import type { ServerLimits } from "../request/limits.ts";
import { connectionOf } from "./connections.ts";
import { shutDownGracefully } from "./graceful-shutdown.ts";
import { closeLingering } from "./lingering-close.ts";

/** The interval keeps dropped connections from flooding the log. */
const dropsLoggedEveryMs = 10_000;

/** @param handle answers a request */
export function createHttpServer(
  handle: RequestListener,
  { limits, maxConnections, log }: { limits: ServerLimits; maxConnections: number; log: Logger },
): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headBytes,
      // Node would reject a missing Host header without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      connectionOf(request.socket).response = response;
      handle(request, response);
    },
  );
  server.setTimeout(limits.silenceMs);
  server.maxConnections = maxConnections;
  logDrops(server, log);
  // Node would reject other expectations than 100-continue without a body. A server may ignore them (RFC 9110, 10.1.1).
  server.on("checkExpectation", (...exchange) => server.emit("request", ...exchange));
  closeLingering(server, limits);
  shutDownGracefully(server);
  return server;
}

function logDrops(server: Server, log: Logger): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on("drop", () => {
    if (performance.now() - loggedAt < dropsLoggedEveryMs) return;
    loggedAt = performance.now();
    log.warn("new connections are dropped: MAX_CONNECTIONS are open");
  });
}
