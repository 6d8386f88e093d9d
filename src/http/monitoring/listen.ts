// Serves the metrics to Prometheus on a port of their own: access to the API does not give access to them, or vice versa.

import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { paths } from "../../paths.ts";
import { createServer } from "../node-http.ts";

export interface MetricsListener {
  port: number;
  stop(): Promise<void>;
}

const maxConnections = 20;
const requestMs = 5_000;
/** Longer than the usual interval between two scrapes, so that Prometheus reuses its connection. */
const keepAliveMs = 75_000;

/** @throws Error of the operating system if it cannot listen */
export async function listenForPrometheus(
  { host, port }: { host: string; port: number },
  scrape: () => Promise<string>,
): Promise<MetricsListener> {
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: requestMs, keepAliveTimeout: keepAliveMs },
    (request, response) => void answer(request, response, scrape),
  );
  server.maxConnections = maxConnections;
  // Exclusive: each process of several has its own metrics.
  server.listen({ host, port, exclusive: true });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  scrape: () => Promise<string>,
): Promise<void> {
  const send = (status: number, text: string, headers: Record<string, string> = {}) => {
    const body = Buffer.from(text);
    const plain = { "content-type": "text/plain; charset=utf-8", "content-length": body.length };
    response.writeHead(status, { ...plain, "x-content-type-options": "nosniff", ...headers }).end(body);
  };
  if (url.split("?", 1)[0] !== paths.metrics) return send(404, `Only ${paths.metrics} is served here.\n`);
  if (method !== "GET" && method !== "HEAD")
    return send(405, "Use GET or HEAD.\n", { allow: "GET, HEAD", connection: "close" });
  try {
    return send(200, await scrape(), { "content-type": Registry.PROMETHEUS_CONTENT_TYPE });
  } catch {
    return send(500, "The metrics cannot be collected.\n");
  }
}
