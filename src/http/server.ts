// One Fastify app: which doors are open, the shape of every error, the limits, and what is logged.

import { setTimeout as pause } from "node:timers/promises";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { Logger } from "pino";
import { AppError, type ErrorCode, errorBody, errors } from "../errors.ts";
import { TimelineCache } from "../listing/timeline/timeline-cache.ts";
import { findOrganization } from "../storage/organizations.ts";
import { type ComponentName, type ComponentOptions, componentNames, components } from "./components.ts";
import { answerNodeErrors, answerParserError, limitPipelining, shutDownGracefully } from "./connections.ts";
import { startKeyUsage } from "./key-usage.ts";
import { logRequests, requestIdOf } from "./request-log.ts";
import { sendNothingHere } from "./web/ui/error-page.ts";

/** Limits of a server that faces the public. Times in milliseconds, sizes in bytes. */
export const limits = {
  /** For the head of a request to arrive; also for a new connection to say anything at all. */
  headersMs: 15_000,
  /** For the whole request to arrive. */
  requestMs: 30_000,
  /** Between an answer and the next request on its connection. */
  keepAliveMs: 75_000,
  /** Without a byte in either direction: a client that has stopped reading its answer. */
  silenceMs: 90_000,
  /** Between two looks for connections that are over their time. */
  checkMs: 5_000,
  /** Address and headers of a request: a thousand tag ids fit. */
  headBytes: 32 * 1024,
  bodyBytes: 1024 * 1024,
  /** For clients on open connections to hear that the server stops, with their next answer. */
  drainMs: 250,
  /** Requests of one connection that wait for the answer to an earlier one. */
  pipelinedMax: 100,
  /** For the database to answer whoever asks whether the service is ready. */
  readyMs: 2_000,
  /** After a 503 or 429, for the client to wait before it tries again. */
  retryAfterMs: 5_000,
};

export interface ServerOptions extends Omit<ComponentOptions, "now" | "keyUsage" | "timelines" | "memory"> {
  /** Bytes that may be taken by what is remembered between requests. */
  memory: ComponentOptions["memory"] & { timelines: number };
  /** The doors that are open; all of them where none is named. */
  open?: readonly ComponentName[];
  trustedProxies?: string[];
  connectionsMax?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  limits?: Partial<typeof limits>;
  /** It is written so often when keys were used. */
  keyUsageMs?: number;
}

/** In milliseconds: who made a key sees soon that it is used. */
const keyUsageMs = 30_000;

/** In place of parsed parameters. */
const noQuery: Record<string, never> = Object.freeze({});

/** Builds the app; `listen` and `close` are up to the caller. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { database, log, now = Date.now, open = componentNames } = options;
  const bounds = { ...limits, ...options.limits };
  const app: FastifyInstance = Fastify({
    http: {
      headersTimeout: bounds.headersMs,
      connectionsCheckingInterval: bounds.checkMs,
      // The parser stops at twice the bound; up to there, the refusal can say what was too long.
      maxHeaderSize: 2 * bounds.headBytes,
      // Node would refuse a missing Host by itself, without a body.
      requireHostHeader: false,
    },
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.keepAliveMs,
    connectionTimeout: bounds.silenceMs,
    bodyLimit: bounds.bodyBytes,
    trustProxy: options.trustedProxies?.length ? options.trustedProxies : false,
    // While the server stops, requests on open connections are still answered.
    return503OnClosing: false,
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    // The head as a whole is bounded; what stands in a message has its target in its address.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: bounds.headBytes,
      // Whoever takes parameters reads them from the address, and is stricter than any parser.
      querystringParser: () => noQuery,
    },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, log),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply, log),
  });
  app.server.maxConnections = options.connectionsMax ?? 1000;
  warnOfDrops(app, log);
  answerNodeErrors(app.server);
  shutDownGracefully(app, bounds.drainMs);
  logRequests(app, log);

  const methods = collectMethods(app);
  // These hooks take a callback, and not a promise, which would cost every request more than what they do.
  app.addHook("onRequest", (request, reply, done) => {
    limitPipelining(request.raw, reply.raw, bounds.pipelinedMax, done);
  });
  app.addHook("onRequest", (request, reply, done) => {
    setCommonHeaders(request, reply);
    const allowed = request.is404 ? methods(pathOf(request.url)) : undefined;
    if (allowed) reply.header("allow", [...new Set([...allowed, "OPTIONS"])].join(", "));
    if (allowed && request.method === "OPTIONS") {
      reply.code(204).send();
      return;
    }
    checkHead(request, bounds.headBytes);
    if (allowed) {
      const possible = [...allowed].join(" or ");
      throw new AppError("method_not_allowed", `${request.method} is not possible here; use ${possible}.`);
    }
    if (request.is404) {
      // Whoever has mistyped an address in a browser is shown a page.
      const isPerson = open.includes("web") && request.method === "GET" && asksForPage(request);
      if (!isPerson) throw new AppError("not_found", nothingHere(open));
      sendNothingHere(request, reply);
      return;
    }
    done();
  });
  // After the credential: who may not come in learns nothing.
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { "content-length": length } = request.headers;
    const isTooLarge = length !== undefined && Number(length) > request.routeOptions.bodyLimit;
    done(isTooLarge ? tooLarge(request) : null);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, log));

  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request) => {
    try {
      // At once: whoever asks wants to know how it is now.
      const looking = database.snapshot((queries) => findOrganization(queries, 0), "never");
      await Promise.race([looking, late(bounds.readyMs)]);
    } catch (error) {
      log.error({ err: error, request_id: request.id }, "the database cannot be read");
      throw new AppError("unavailable");
    }
    return { status: "ok" };
  });
  const keyUsage = startKeyUsage({ database, log, everyMs: options.keyUsageMs ?? keyUsageMs });
  app.addHook("onClose", () => keyUsage.stop());
  const timelines = new TimelineCache(database, options.memory.timelines);
  for (const name of open) components[name].open(app, { ...options, keyUsage, timelines, now });
  return app;
}

function asksForPage({ headers, url }: FastifyRequest): boolean {
  return headers.accept?.includes("text/html") === true && !/^\/(data_api|ingest|t)\//.test(url);
}

async function late(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw new Error("the database does not answer");
}

/** Whoever set up a proxy for several processes has to see which of them was asked. */
function nothingHere(open: readonly ComponentName[]): string | undefined {
  if (open.length === componentNames.length) return undefined;
  return `${errors.not_found.message} Only this is served here: ${open.join(", ")}.`;
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
  // A body that nobody asked for, or that is refused before it has come in, is not waited for.
  const isWanted = request.method === "POST" || request.method === "PUT";
  if (hasBody(request) && (!isWanted || request.is404)) reply.header("connection", "close");
}

function hasBody({ headers }: FastifyRequest): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}

/** What can be refused by looking at the head alone. */
function checkHead({ raw }: FastifyRequest, headBytes: number): void {
  const url = raw.url ?? "";
  if (url.length > headBytes) {
    throw new AppError("uri_too_long", `The address has ${url.length} bytes; ${headBytes} are accepted.`);
  }
  let bytes = url.length;
  for (const text of raw.rawHeaders) bytes += text.length + 2;
  if (bytes > headBytes) {
    throw new AppError(
      "request_header_fields_too_large",
      `The request head is larger than ${headBytes} bytes.`,
    );
  }
  if (raw.httpVersion === "1.1" && raw.headers.host === undefined) {
    throw new AppError("bad_request", "The header Host is missing.");
  }
}

const dropsLoggedEveryMs = 10_000;

/** A flood of connections is no reason for a flood of lines. */
function warnOfDrops(app: FastifyInstance, log: Logger): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  app.server.on("drop", () => {
    if (performance.now() - loggedAt < dropsLoggedEveryMs) return;
    loggedAt = performance.now();
    log.warn("connections are closed at once: MAX_CONNECTIONS are open");
  });
}

/** Which methods a path takes, noted while the routes are added. */
function collectMethods(app: FastifyInstance): (path: string) => Set<string> | undefined {
  const routes = new Map<string, { shape: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const shape = new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
    const { methods } = routes.get(url) ?? { methods: new Set() };
    for (const each of [method].flat()) methods.add(each);
    routes.set(url, { shape, methods });
  });
  return (path) => [...routes.values()].find(({ shape }) => shape.test(path))?.methods;
}

function pathOf(url: string): string {
  // What cannot be decoded was refused by the router already.
  const path = decodeURI(url.split("?", 1)[0] ?? "");
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function answerError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  const { code, message, cause } = error instanceof AppError ? error : toAppError(error, request);
  if (code === "internal_error") log.error({ err: error, request_id: request.id }, "request failed");
  setCommonHeaders(request, reply);
  if (hasBody(request) && !request.raw.complete) reply.header("connection", "close");
  if (code === "unavailable" || code === "too_many_requests") {
    const why = cause === undefined ? {} : { cause: String(cause) };
    log.warn({ request_id: request.id, reason: message, ...why }, "request refused for now");
    reply.header("retry-after", String(limits.retryAfterMs / 1000));
  }
  if (code === "unauthorized") {
    reply.header("www-authenticate", 'Bearer realm="email-analytics", Basic realm="email-analytics"');
  }
  return reply
    .code(errors[code].status)
    .type("application/json; charset=utf-8")
    .send(errorBody(code, message));
}

function tooLarge({ routeOptions }: FastifyRequest): AppError {
  return new AppError(
    "payload_too_large",
    `The request body is larger than ${routeOptions.bodyLimit} bytes.`,
  );
}

/** What Fastify itself refuses. Anything that is nobody's fault but ours is an internal error. */
function toAppError(error: FastifyError, request: FastifyRequest): AppError {
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return tooLarge(request);
  const status = error.statusCode ?? 500;
  const code = (Object.keys(errors) as ErrorCode[]).find((each) => errors[each].status === status);
  return new AppError(code && status < 500 ? code : status < 500 ? "bad_request" : "internal_error");
}
