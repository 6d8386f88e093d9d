// Sends a document, or 304 to a client that has it already.

import type { FastifyReply, FastifyRequest } from "fastify";
import { hashToEtag, matches } from "./etag.ts";

interface SentDocument {
  /** The value of the header Content-Type. */
  type: string;
  text: string;
  headersOf: (etag: string) => Record<string, string>;
}

export function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, text, headersOf }: SentDocument,
): FastifyReply {
  const etag = hashToEtag(text);
  reply.headers(headersOf(etag));
  if (matches(headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.header("content-type", type).send(text);
}
