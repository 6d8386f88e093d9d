// Logs each request as one line of JSON, without secrets: no headers, no query strings, and no path segment long enough
// to hold a key, or with an email address.

import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { paths } from "../paths.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Facts for the request's log line besides those of every request. */
    notesForLog: Readonly<Record<string, unknown>> | null;
  }
}

/** Adds facts to the line that is logged after the response. */
export function addToLog(request: FastifyRequest, facts: Record<string, unknown>): void {
  const { notesForLog: notes } = request;
  request.notesForLog = notes === null ? facts : { ...notes, ...facts };
}

export function logRequests(app: FastifyInstance, log: Logger): void {
  app.decorateRequest("notesForLog", null);
  // Request lines have the level info or debug, so a higher level needs no listeners.
  if (!log.isLevelEnabled("info")) return;
  app.addHook("onRequest", (request, reply, done) => {
    logWhenAnswered(log, request, reply);
    done();
  });
}

/** A request whose URL the router rejects reaches no hook, so its error handler calls this. */
export function logWhenAnswered(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const startedAt = performance.now();
  let isLogged = false;
  const logOnce = () => {
    if (!isLogged) logRequest(log, request, reply, performance.now() - startedAt);
    isLogged = true;
  };
  // Hot path: events of the response cost less than Fastify's onResponse hook, which adds its own listeners.
  reply.raw.on("finish", logOnce).on("error", logOnce);
}

/** Load balancers call these every few seconds. */
const healthPaths: ReadonlySet<string> = new Set(Object.values(paths.health));

/** Also matches a mistyped tracked link, or one with a prefix that a proxy did not remove. */
const trackedLink = /\/t\/[ocrs]\//i;

/**
 * The privacy of recipients: a request for a tracked link logs neither its IP address nor its token, and no line at all
 * unless it fails or the level is `debug`.
 */
function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { url: route = "" } = request.routeOptions;
  const decoded = decodedPath(request.url);
  const isTracked = route.startsWith(paths.tracking.tracked) || trackedLink.test(decoded);
  const path = shortened(decoded, route !== "");
  const isQuiet = (isTracked || healthPaths.has(route)) && reply.statusCode < 400;
  const level = isQuiet ? "debug" : "info";
  if (!log.isLevelEnabled(level)) return;
  const line: Record<string, unknown> = {
    request_id: request.id,
    method: request.method,
    path: isTracked ? route || `${paths.tracking.tracked}…` : path,
    status: reply.statusCode,
    ms: Math.round(ms * 1000) / 1000,
  };
  // An unreadable path may be a tracked link.
  if (!isTracked && path !== unreadablePath) line.ip = readableIp(request.ip);
  log[level](Object.assign(line, request.notesForLog), "request");
}

/** Behind a proxy, the IP address comes from a header, which may contain anything. */
function readableIp(ip: string): string {
  return isIP(ip) ? ip : "(unreadable)";
}

/** Anything that matches may contain the secret of a key. */
const secretPattern = /[0-9A-Za-z]{30,}/g;

/**
 * Returns the request id for the log: the client's own if it is a plain one such as a UUID or 32 hex digits, else a new
 * one. An id that could contain the secret of a key is not used.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  if (typeof header !== "string" || !/^[0-9A-Za-z-]{1,64}$/.test(header)) return randomUUID();
  return /^[0-9a-f]{32}$/.test(header) || header.search(secretPattern) < 0 ? header : randomUUID();
}

/** A path that needs no decoding and is too short for a secret. */
const plainPath = /^[\w/.-]{0,29}(?=[?#;]|$)/;
const unreadablePath = "(unreadable)";
const maxPathLength = 1_000;
const maxDecodings = 3;

/** A segment that is not of plain characters may contain an email address, however its `@` is written. */
const unplainSegment = /[^/]*[^\w/.~:()*$,'+-][^/]*/g;

/** First segments of our paths. */
const knownSegments: ReadonlySet<string> = new Set(
  Object.values(paths)
    .flatMap((each) => (typeof each === "string" ? [each] : Object.values(each)))
    .map((path) => path.split("/")[1] ?? ""),
);

/** Returns the decoded path without its query string; what could be a secret or an email address becomes `(removed)`. */
export function pathForLog(url: string, isRoute: boolean): string {
  return shortened(decodedPath(url), isRoute);
}

const decodedPath = (url: string): string => plainPath.exec(url)?.[0] ?? readPath(url);

/** Another path than ours may contain anything, such as an address in Base64: only a first segment of ours remains. */
function shortened(path: string, isRoute: boolean): string {
  if (isRoute || !path.startsWith("/")) return path;
  const [, first = "", ...rest] = path.split("/");
  const known = knownSegments.has(first) ? `/${first}` : "/(unknown)";
  return rest.length > 0 ? `${known}/…` : known;
}

function readPath(url: string): string {
  // The rest of an absolute URL may hold a user name and a password.
  if (!/^[/*]/.test(url)) return unreadablePath;
  let path = (url.split(/[?#;]/, 1)[0] ?? "").slice(0, maxPathLength);
  for (let times = 0, decoded = ""; decoded !== path; times++) {
    // Each decoding takes as long as the first, and no real client encodes this often.
    if (times > maxDecodings) return unreadablePath;
    decoded = path;
    try {
      path = decodeURIComponent(path);
    } catch {
      return unreadablePath;
    }
  }
  return path.replace(unplainSegment, "(removed)").replace(secretPattern, "(removed)");
}
