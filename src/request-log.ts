// One log line for each request, as JSON, without any key: neither headers nor query strings are logged, and whatever
// looks like a secret is taken out of addresses.

import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";

const notes = new WeakMap<FastifyRequest, Record<string, unknown>>();

/** Adds facts to the line that is logged when the request has been answered. */
export function noteForLog(request: FastifyRequest, facts: Record<string, unknown>): void {
  notes.set(request, { ...notes.get(request), ...facts });
}

/**
 * Whoever reads a message asks here: nothing is logged of where they come from and of what they ask for, and no line at
 * all unless they are refused or `debug` is logged.
 */
export const trackedPath = "/t/";
/** However it was mistyped, or behind whatever a proxy left standing before it. */
const trackedShape = /\/t\/[ocrs]\//i;

/** Health probes come every few seconds and are nobody's request. */
const probes = new Set(["/healthz", "/readyz"]);

export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook("onResponse", async (request, reply) => {
    const { url: route = "" } = request.routeOptions;
    const path = pathForLog(request.url);
    const isOfRecipient = route.startsWith(trackedPath) || trackedShape.test(path);
    const isQuiet = (isOfRecipient || probes.has(route)) && reply.statusCode < 400;
    log[isQuiet ? "debug" : "info"](
      {
        request_id: request.id,
        method: request.method,
        path: isOfRecipient ? route || `${trackedPath}…` : path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
        // Behind a proxy it comes from a header, and a header may hold anything.
        ...(!isOfRecipient && { ip: isIP(request.ip) ? request.ip : "(unreadable)" }),
        ...notes.get(request),
      },
      "request",
    );
  });
}

const secretShape = /[0-9A-Za-z]{30,}/g;

/**
 * The id under which a request is logged: the caller's own where it is a plain one, such as a UUID or 32 hex digits.
 * Anything long enough to hold the secret of a key is not taken.
 */
export function requestIdOf(given: string | string[] | undefined): string {
  if (typeof given !== "string" || !/^[0-9A-Za-z-]{1,64}$/.test(given)) return randomUUID();
  return /^[0-9a-f]{32}$/.test(given) || given.search(secretShape) < 0 ? given : randomUUID();
}

const pathLengthMax = 1_000;
const decodingsMax = 3;

/** The path without its query string; anything long enough to hold the secret of a key is taken out. */
export function pathForLog(url: string): string {
  let path = (url.split(/[?#;]/, 1)[0] ?? "").slice(0, pathLengthMax);
  for (let times = 0, decoded = ""; decoded !== path; times++) {
    // What is encoded again and again is nobody's address, and each time takes as long as the first.
    if (times > decodingsMax) return "(unreadable)";
    decoded = path;
    try {
      path = decodeURIComponent(path);
    } catch {
      return "(unreadable)";
    }
  }
  return path.replace(secretShape, "(removed)");
}
