// Logs each request as one line of JSON, without secrets: no headers, no query string, and the path of the route instead of
// that of the client, which may hold a key or an email address.

import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { paths, webPaths } from "../../paths.ts";
import { pathOf } from "./url.ts";

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

/** Matches a mistyped tracked link, too, or one with a prefix that a proxy did not remove. */
const trackedLink = /\/t\/[ocrs]\//i;

/**
 * The privacy of recipients: a request for a tracked link logs no IP address, and no line at all unless it fails or the
 * level is `debug`.
 */
function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { url, routeOptions } = request;
  const { url: route = "" } = routeOptions;
  const isTracked = route === "" ? mayBeTracked(url) : route.startsWith(paths.tracking.tracked);
  const isQuiet = (isTracked || healthPaths.has(route)) && reply.statusCode < 400;
  const level = isQuiet ? "debug" : "info";
  if (!log.isLevelEnabled(level)) return;
  const line: Record<string, unknown> = {
    request_id: request.id,
    method: request.method,
    path: route === "" ? unknownPath(url) : route,
    status: reply.statusCode,
    ms: Math.round(ms * 1000) / 1000,
  };
  if (!isTracked) line.ip = readableIp(request.ip);
  log[level](Object.assign(line, request.notesForLog), "request");
}

/** Whether a URL without a route may be a tracked link: also one that is absolute, or cannot be decoded. */
function mayBeTracked(url: string): boolean {
  try {
    return !url.startsWith("/") || trackedLink.test(decodeURIComponent(url));
  } catch {
    return true;
  }
}

/** First segments of our paths. */
const knownSegments: ReadonlySet<string> = new Set(
  Object.values({ ...paths, webPaths })
    .flatMap((each) => (typeof each === "string" ? [each] : Object.values(each)))
    .map((path) => path.split("/")[1] ?? "")
    .filter(Boolean),
);

/** A path that has no route may contain anything, such as an address: only a first segment of ours remains. */
function unknownPath(url: string): string {
  const [first = "", ...rest] = pathOf(url).split("/").slice(1);
  const known = knownSegments.has(first) ? `/${first}` : "/(unknown)";
  return rest.length > 0 ? `${known}/…` : known;
}

/** Behind a proxy, the IP address comes from a header, which may contain anything. */
function readableIp(ip: string): string {
  return isIP(ip) ? ip : "(unreadable)";
}

/**
 * Returns the request id for the log: the client's own if it is a plain one such as a UUID or 32 hex digits, else a new
 * one. An id that could contain the secret of a key is not used.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  if (typeof header !== "string" || !/^[0-9A-Za-z-]{1,64}$/.test(header)) return randomUUID();
  return /^[0-9a-f]{32}$/.test(header) || !/[0-9A-Za-z]{30,}/.test(header) ? header : randomUUID();
}
