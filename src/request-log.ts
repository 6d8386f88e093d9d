// One log line for each request, as JSON, without any key: neither headers nor query strings are logged, and whatever
// looks like a secret is taken out of addresses.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";

const notes = new WeakMap<FastifyRequest, Record<string, unknown>>();

/** Adds facts to the line that is logged when the request has been answered. */
export function noteForLog(request: FastifyRequest, facts: Record<string, unknown>): void {
  notes.set(request, { ...notes.get(request), ...facts });
}

/** Health probes come every few seconds and are nobody's request. */
const probes = new Set(["/healthz", "/readyz"]);

export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook("onResponse", async (request, reply) => {
    log[probes.has(request.url) && reply.statusCode < 400 ? "debug" : "info"](
      {
        request_id: request.id,
        method: request.method,
        path: pathForLog(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
        ip: request.ip,
        ...notes.get(request),
      },
      "request",
    );
  });
}

/** The path without its query string; anything long enough to hold the secret of a key is taken out. */
export function pathForLog(url: string): string {
  let path = url.split(/[?#;]/, 1)[0] ?? "";
  for (let decoded = ""; decoded !== path; ) {
    decoded = path;
    try {
      path = decodeURIComponent(path);
    } catch {
      return "(unreadable)";
    }
  }
  return path.slice(0, 1000).replace(/[0-9A-Za-z]{30,}/g, "(removed)");
}
