// One log line for each request, as JSON, without any key: neither headers nor query strings are logged, and whatever
// looks like a secret is taken out of addresses.

import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";

declare module "fastify" {
  interface FastifyRequest {
    /** What the line that is logged of this request says besides what it says of every one. */
    notesForLog: Readonly<Record<string, unknown>> | null;
  }
}

/** Adds facts to the line that is logged when the request has been answered. */
export function addToLog(request: FastifyRequest, facts: Record<string, unknown>): void {
  const { notesForLog: notes } = request;
  request.notesForLog = notes === null ? facts : { ...notes, ...facts };
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
  app.decorateRequest("notesForLog", null);
  // A line has that level at most: nobody has to listen for the ends of answers.
  if (!log.isLevelEnabled("info")) return;
  app.addHook("onRequest", (request, reply, done) => {
    const beganAt = performance.now();
    let isLogged = false;
    // Fastify's own hook for the end of an answer comes to the same, and costs every request more.
    const answered = () => {
      if (!isLogged) logRequest(log, request, reply, performance.now() - beganAt);
      isLogged = true;
    };
    reply.raw.on("finish", answered).on("error", answered);
    done();
  });
}

function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { url: route = "" } = request.routeOptions;
  const path = pathForLog(request.url);
  const isOfRecipient = route.startsWith(trackedPath) || trackedShape.test(path);
  const isQuiet = (isOfRecipient || probes.has(route)) && reply.statusCode < 400;
  const level = isQuiet ? "debug" : "info";
  if (!log.isLevelEnabled(level)) return;
  const line: Record<string, unknown> = {
    request_id: request.id,
    method: request.method,
    path: isOfRecipient ? route || `${trackedPath}…` : path,
    status: reply.statusCode,
    ms: Math.round(ms * 1000) / 1000,
  };
  if (!isOfRecipient) line.ip = readableIp(request.ip);
  log[level](Object.assign(line, request.notesForLog), "request");
}

/** Behind a proxy it comes from a header, and a header may hold anything. */
function readableIp(ip: string): string {
  return isIP(ip) ? ip : "(unreadable)";
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

/** Nothing in it to be decoded, and too short for a secret, up to its query string. */
const plainPath = /^[\w/.-]{0,29}(?=[?#;]|$)/;
const pathLengthMax = 1_000;
const decodingsMax = 3;

/** The path without its query string; anything long enough to hold the secret of a key is taken out. */
export function pathForLog(url: string): string {
  const plain = plainPath.exec(url);
  if (plain) return plain[0];
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
