// Answers Prometheus, on a listener of its own: who reaches the service does not reach this, and the other way round.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { contentType, exposition } from "./exposition.ts";
import type { Measured } from "./metrics.ts";

export const measurementsPath = "/metrics";

export interface MonitoringListener {
  port: number;
  stop(): Promise<void>;
}

const connectionsMax = 20;
const requestMs = 5_000;
/** Longer than the usual time between two scrapes, so that connections are used again. */
const keepAliveMs = 75_000;

/** @throws Error of the system when it cannot listen */
export async function listenForMonitoring(
  { host, port }: { host: string; port: number },
  measure: () => Promise<Measured>,
): Promise<MonitoringListener> {
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: requestMs, keepAliveTimeout: keepAliveMs },
    (request, response) => void answer(request, response, measure),
  );
  server.maxConnections = connectionsMax;
  server.listen({ host, port });
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
  measure: () => Promise<Measured>,
): Promise<void> {
  const say = (status: number, text: string, headers: Record<string, string> = {}) => {
    const body = Buffer.from(text);
    const plain = { "content-type": "text/plain; charset=utf-8", "content-length": body.length };
    response.writeHead(status, { ...plain, "x-content-type-options": "nosniff", ...headers }).end(body);
  };
  if (url.split("?", 1)[0] !== measurementsPath)
    return say(404, `Only ${measurementsPath} is served here.\n`);
  if (method !== "GET" && method !== "HEAD")
    return say(405, "Use GET or HEAD.\n", { allow: "GET, HEAD", connection: "close" });
  try {
    return say(200, exposition(await measure()), { "content-type": contentType });
  } catch {
    return say(500, "Nothing could be measured.\n");
  }
}
