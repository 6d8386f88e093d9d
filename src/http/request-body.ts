// What requests that bring something have in common: a key to send with, room for the body before it is read, a type of
// the body that is taken, and a campaign in the address.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { largestInteger } from "../campaign/field-schema.ts";
import { parseId } from "../campaign/parse-id.ts";
import { quote } from "../campaign/quote.ts";
import type { WriterThread } from "../counting/writer/writer-thread.ts";
import { AppError } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import { apiKeyOf, authenticate } from "./authenticate.ts";
import type { KeyUsage } from "./key-usage.ts";
import { addToLog } from "./request-log.ts";

/** Bodies of whatever type are taken as they are. */
export function acceptRawBodies(door: FastifyInstance): void {
  door.removeAllContentTypeParsers();
  door.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}

/** What a door for senders works with. */
export interface SenderOptions {
  database: Database;
  region: string;
  writing: WriterThread;
  keyUsage: KeyUsage;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Lets those into a door who have a key to send with. It is looked at before the body is read: whoever may not come in
 * cannot make us take it.
 *
 * @returns whose key a request carries
 */
export function authenticateSenders(
  door: FastifyInstance,
  { database, region, writing, keyUsage, now }: SenderOptions,
): (request: FastifyRequest) => Organization {
  const senders = new WeakMap<FastifyRequest, Organization>();
  door.addHook("onRequest", async (request, reply) => {
    const key = apiKeyOf(request.raw, region);
    const { organization, keyId } = await database.query((queries) => authenticate(queries, key, "ingest"));
    keyUsage.note(organization.id, keyId, now());
    senders.set(request, organization);
    addToLog(request, { organization: organization.id });
    reserveBody(request, reply, writing, organization.id);
  });
  door.addHook("preHandler", releaseBody);
  return (request) => senders.get(request) as Organization;
}

/** The room that the body of a request takes while it comes in. */
const rooms = new WeakMap<FastifyRequest, () => void>();

/** @throws Refusal `unavailable` where there is none */
export function reserveBody(
  request: FastifyRequest,
  reply: FastifyReply,
  writing: WriterThread,
  organizationId: number,
): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  const { bodyLimit } = request.routeOptions;
  const bytes = encoding === undefined ? Math.min(Number(length ?? 0), bodyLimit) : bodyLimit;
  const giveBack = writing.reserve(organizationId, bytes);
  rooms.set(request, giveBack);
  reply.raw.once("close", giveBack);
}

/** The body is there, and goes on to where it takes room by itself, or to nowhere. */
export async function releaseBody(request: FastifyRequest): Promise<void> {
  rooms.get(request)?.();
}

/**
 * The media type of a body, without its parameters.
 *
 * @throws Refusal when it is none of those
 */
export function mediaTypeOf<Type extends string>(
  { headers }: FastifyRequest,
  accepted: readonly Type[],
): Type {
  const given = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const type = accepted.find((each) => each === given);
  if (type !== undefined) return type;
  throw new AppError(
    "unsupported_media_type",
    `Content-Type: ${given || "none"} is not understood; use ${accepted.join(" or ")}.`,
  );
}

/** @throws Refusal when the body is packed by anything but gzip */
export function isGzipped({ headers }: FastifyRequest): boolean {
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  if (encoding === "identity" || encoding === "") return false;
  throw new AppError(
    "unsupported_media_type",
    `Content-Encoding: ${encoding} is not understood; use gzip or none.`,
  );
}

/** @throws Refusal when what stands in the address in place of a campaign's number is none */
export function campaignIdOf({ params }: FastifyRequest): number {
  const { id: text } = params as { id: string };
  const id = parseId(text);
  if (id !== undefined) return id;
  throw new AppError(
    "bad_request",
    `id: ${quote(text)} is not a whole number from 1 to ${largestInteger} in plain digits.`,
  );
}
