// What the addresses of this door have in common: what they work with, and in what form a body is taken.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { WritingThread } from "../counting/writing-thread.ts";
import { Refusal } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import type { Webhook } from "./providers/provider.ts";

export interface IngestOptions {
  database: Database;
  region: string;
  writing: WritingThread;
  /** The address under which clients reach the service, without a slash at its end. */
  publicUrl: () => string;
  /** Asks an address of a provider's own. */
  ask?: Webhook["ask"];
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What the addresses behind the door work with. */
export interface IngestDoor extends IngestOptions {
  /** Whose key a request carries. */
  caller(request: FastifyRequest): Organization;
}

/** The media type of a body, without its parameters. */
export function mediaTypeOf({ headers }: FastifyRequest): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** @throws Refusal when the body is packed by anything but gzip */
export function isPacked({ headers }: FastifyRequest): boolean {
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  if (encoding === "identity" || encoding === "") return false;
  throw new Refusal(
    "unsupported_media_type",
    `Content-Encoding: ${encoding} is not understood; use gzip or none.`,
  );
}

/** The room that the body of a request takes while it comes in. */
const rooms = new WeakMap<FastifyRequest, () => void>();

/** @throws Refusal `unavailable` where there is none */
export function reserveRoom(
  request: FastifyRequest,
  reply: FastifyReply,
  writing: WritingThread,
  organizationId: number,
): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  const { bodyLimit } = request.routeOptions;
  const bytes = encoding === undefined ? Math.min(Number(length ?? 0), bodyLimit) : bodyLimit;
  const giveBack = writing.reserve(organizationId, bytes);
  rooms.set(request, giveBack);
  reply.raw.once("close", giveBack);
}

/** The body is there: from here on it has the room of what is being written. */
export async function giveRoomBack(request: FastifyRequest): Promise<void> {
  rooms.get(request)?.();
}

/** @throws Refusal `unavailable` where events could not be set aside, so that they are sent again */
export function refuseFullQuota(refused: number): void {
  if (refused === 0) return;
  throw new Refusal(
    "unavailable",
    `Of the events, ${refused} had to be set aside, and the organization's quota for that is full; the others were taken. Register the campaigns or discard what waits, then send all of them again.`,
  );
}
