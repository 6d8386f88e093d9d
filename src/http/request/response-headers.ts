// Headers that every response carries, successful or not.

import type { FastifyReply, FastifyRequest } from "fastify";
import { isForODataClients, isForReaders } from "../../paths.ts";

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
  if (isForODataClients(request.url)) reply.header("odata-version", "4.0");
  // The server does not read a body that no route wants. Closing the connection discards it.
  const takesBody = request.method === "POST" || request.method === "PUT";
  if (hasBody(request) && (!takesBody || request.is404)) reply.header("connection", "close");
}

/** The headers of a request that browsers ask for, beside those that they always send. */
const requestHeaders = "Authorization, bearer_auth, If-None-Match, OData-MaxVersion, OData-Version, Prefer";
const responseHeaders =
  "Changes-Cursor, Content-Disposition, ETag, Ignored-Parameters, Link, OData-Version, Retry-After, X-Per-Page, X-Request-ID";

/**
 * Lets pages of these origins read what takes a key of the scope `read`, and CSV links (CORS, fetch.spec.whatwg.org). Without
 * Access-Control-Allow-Credentials, browsers send no cookie along.
 */
export function allowOrigin(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): void {
  if (origins.length === 0 || !isForReaders(url)) return;
  reply.header("vary", "Origin");
  const { origin = "" } = headers;
  if (!origins.includes(origin)) return;
  reply.headers({
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": requestHeaders,
    "access-control-expose-headers": responseHeaders,
    "access-control-max-age": "600",
  });
}

export function hasBody({ headers }: FastifyRequest): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}
