// Headers that every response carries, successful or not.

import type { FastifyReply, FastifyRequest } from "fastify";
import { isForODataClients } from "../../paths.ts";

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
  if (isForODataClients(request.url)) reply.header("odata-version", "4.0");
  // The server does not read a body that no route wants. Closing the connection discards it.
  const takesBody = request.method === "POST" || request.method === "PUT";
  if (hasBody(request) && (!takesBody || request.is404)) reply.header("connection", "close");
}

export function hasBody({ headers }: FastifyRequest): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}
