// Request bodies: memory reserved before they are read, media types, compression, and the campaign in the path.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { largestInteger } from "../../campaign/fields/field-schema.ts";
import { parseId } from "../../campaign/fields/parse-id.ts";
import { quote } from "../../campaign/fields/quote.ts";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import { AppError } from "../../errors.ts";
import { serverLimits } from "./limits.ts";
import { addToLog } from "./log.ts";

/** `type/subtype`, perhaps with parameters (RFC 9110, section 8.3.1). */
const validMediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:;|$)/;

/** Makes every body a Buffer, whatever its type: routes check the type and parse within limits. */
export function acceptRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  // Fastify would answer 415 to a Content-Type that is no media type. The header itself stays in `request.raw`.
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    // The parser replaces it, if there is a body.
    request.body = Buffer.alloc(0);
    const { "content-type": type } = request.headers;
    if (type !== undefined && !validMediaType.test(type)) {
      request.headers = { "content-type": "application/octet-stream" };
    }
    done();
  });
}

/** For each request, the function that releases the memory reserved for its body. */
const reservations = new WeakMap<FastifyRequest, () => void>();

/** @throws AppError `unavailable` if too many bodies are in memory already, or take too long to be written */
export function reserveBody(
  request: FastifyRequest,
  reply: FastifyReply,
  writer: WriterThread,
  organizationId: number,
): void {
  // The client left while its key or source was looked up: no event would release a reservation.
  if (reply.raw.closed) return;
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  const { bodyLimit } = request.routeOptions;
  const bytes = encoding === undefined ? Math.min(Number(length ?? 0), bodyLimit) : bodyLimit;
  const release = writer.reserve(organizationId, bytes, serverLimits.ingestWaitMs);
  reservations.set(request, release);
  reply.raw.once("close", release);
}

/** Releases the reservation: from here on the writer accounts for the body. */
export async function releaseBody(request: FastifyRequest): Promise<void> {
  reservations.get(request)?.();
}

/**
 * Returns the media type of a body, without its parameters.
 *
 * @throws AppError `unsupported_media_type` if it is not one of the accepted types
 */
export function mediaTypeOf<Type extends string>(request: FastifyRequest, accepted: readonly Type[]): Type {
  const { "content-type": given = "" } = request.raw.headers;
  const mediaType = given.split(";", 1)[0]?.trim().toLowerCase();
  const type = accepted.find((each) => each === mediaType);
  if (type !== undefined) return type;
  throw unsupported(request, "Content-Type", given, accepted.join(" or "));
}

/** @throws AppError `unsupported_media_type` if the body has any encoding but gzip */
export function isGzipped(request: FastifyRequest): boolean {
  const { "content-encoding": given = "" } = request.headers;
  const encoding = given.trim().toLowerCase();
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  if (encoding === "identity" || encoding === "") return false;
  throw unsupported(request, "Content-Encoding", given, "gzip or none");
}

/** The log has the reason too, without the value: no header is ever logged. */
function unsupported(request: FastifyRequest, header: string, value: string, accepted: string): AppError {
  addToLog(request, { reason: `${header} is not supported; use ${accepted}.` });
  return new AppError(
    "unsupported_media_type",
    `${header}: ${value === "" ? "none" : quote(value)} is not supported; use ${accepted}.`,
  );
}

/**
 * Returns the campaign of the path, and adds it to the log line.
 *
 * @throws AppError `bad_request` if the path has no valid campaign id
 */
export function campaignIdOf(request: FastifyRequest): number {
  const { id: text } = request.params as { id: string };
  const id = parseId(text);
  if (id !== undefined) {
    addToLog(request, { campaign: id });
    return id;
  }
  throw new AppError(
    "bad_request",
    `id: ${quote(text)} is not a whole number from 1 to ${largestInteger} in plain digits.`,
  );
}
