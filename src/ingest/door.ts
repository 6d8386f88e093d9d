// What the addresses of this door have in common: what they work with, and in what form a body is taken.

import type { FastifyRequest } from "fastify";
import type { WritingThread } from "../counting/writing-thread.ts";
import { Refusal } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";

export interface IngestOptions {
  database: Database;
  region: string;
  writing: WritingThread;
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
