// Builds the Fastify app of a serving process from its components.

import Fastify, { type FastifyInstance } from "fastify";
import { startFileReaders } from "../../counting/import/file-readers.ts";
import { AppError } from "../../errors.ts";
import { IndexCache } from "../../listing/index/index-cache.ts";
import { LatestCommentsReader } from "../../listing/reports/latest-comments.ts";
import { bodyLimits } from "../request/body-limits.ts";
import { answerError, payloadTooLarge } from "../request/error-handler.ts";
import { checkHead } from "../request/head.ts";
import { startKeyUsage } from "../request/key-usage.ts";
import { type ServerLimits, serverLimits } from "../request/limits.ts";
import { logRequests, logWhenAnswered, requestIdOf } from "../request/log.ts";
import { allowOrigin, setCommonHeaders } from "../request/response-headers.ts";
import { toOriginForm } from "../request/url.ts";
import { collectAllowedMethods } from "./allowed-methods.ts";
import { type ComponentName, type ComponentOptions, components, defaultComponents } from "./components.ts";
import { addHealthRoutes } from "./health.ts";
import { createHttpServer } from "./http-server.ts";
import { answerParserError } from "./parser-errors.ts";
import { answerUnmatchedRoute } from "./unmatched-route.ts";

export interface ServerOptions
  extends Omit<
    ComponentOptions,
    "now" | "keyUsage" | "index" | "comments" | "servesMcp" | "servesWeb" | "readFile" | "shutdownSignal"
  > {
  /** Maximum bytes of the order of campaigns and of their records in memory. */
  indexBytes: number;
  /** The components to serve; all but `mcp` by default. */
  open?: readonly ComponentName[];
  trustedProxies?: string[];
  /** See {@link allowOrigin}. */
  corsOrigins?: readonly string[];
  maxConnections?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  limits?: Partial<ServerLimits>;
  /** How long after its use a key is written to the database. */
  keyUsageMs?: number;
}

/** Within two seconds, the page of a new key shows its first request. */
const keyUsageMs = 500;

/** Builds the app. The caller calls `listen` and `close`. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { database, log, now = Date.now, open = defaultComponents() } = options;
  const limits = { ...serverLimits, ...options.limits };
  const app = createApp(options, limits);
  logRequests(app, log);
  addRequestHooks(app, options, open);
  app.setErrorHandler((error: Parameters<typeof answerError>[0], request, reply) =>
    answerError(error, request, reply, log),
  );

  addHealthRoutes(app, { database, log, region: options.region, readyMs: limits.readyMs });
  const keyUsage = startKeyUsage({ database, log, afterMs: options.keyUsageMs ?? keyUsageMs });
  app.addHook("onClose", () => keyUsage.stop());
  const index = new IndexCache(database, options.indexBytes);
  const shutdown = new AbortController();
  app.addHook("preClose", async () => shutdown.abort(new AppError("unavailable")));
  const shared = {
    keyUsage,
    index,
    comments: new LatestCommentsReader(database),
    now,
    servesMcp: open.includes("mcp"),
    servesWeb: open.includes("web"),
    readFile: startFileReaders(shutdown.signal),
    shutdownSignal: shutdown.signal,
  };
  for (const name of open) await components[name].open(app, { ...options, ...shared });
  return app;
}

/** Routes parse their own parameters from the URL, more strictly than a generic parser. */
const noQuery: Record<string, never> = Object.freeze({});

/** Routes check what they receive themselves. Without these builders, Fastify loads Ajv at the start, 50 ms of CPU time. */
function refuseSchemas(): never {
  throw new Error("routes have no schema of Fastify's");
}

function createApp(
  { log, trustedProxies, maxConnections = 1000 }: ServerOptions,
  limits: ServerLimits,
): FastifyInstance {
  return Fastify({
    serverFactory: (handle) => createHttpServer(handle, { limits, maxConnections, log }),
    bodyLimit: bodyLimits.default,
    trustProxy: trustedProxies?.length ? trustedProxies : false,
    // During a graceful shutdown, the server still answers requests on open connections.
    return503OnClosing: false,
    rewriteUrl: ({ url = "" }) => toOriginForm(url),
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    routerOptions: {
      ignoreTrailingSlash: true,
      // The head as a whole is limited. A tracked link carries its target URL in one parameter.
      maxParamLength: limits.headBytes,
      querystringParser: () => noQuery,
    },
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, log),
    frameworkErrors(error, request, reply) {
      logWhenAnswered(log, request, reply);
      answerError(error, request, reply, log);
    },
  });
}

function addRequestHooks(
  app: FastifyInstance,
  { corsOrigins = [] }: ServerOptions,
  open: readonly ComponentName[],
): void {
  const allowedMethods = collectAllowedMethods(app);
  // Hot path: hooks with callbacks. An async hook would cost every request a promise, which is more than the hook does.
  app.addHook("onRequest", (request, reply, done) => {
    setCommonHeaders(request, reply);
    allowOrigin(request, reply, corsOrigins);
    checkHead(request);
    if (request.is404) {
      const allowed = allowedMethods(request.url);
      answerUnmatchedRoute(request, reply, { allowed, open, showPage: done });
    } else done();
  });
  // Runs after authentication: a client without a valid key learns nothing about limits.
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { "content-length": length } = request.headers;
    const isTooLarge = length !== undefined && Number(length) > request.routeOptions.bodyLimit;
    done(isTooLarge ? payloadTooLarge(request) : null);
  });
}
