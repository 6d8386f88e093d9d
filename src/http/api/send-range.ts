// Answers HEAD and range requests for a file from one that is kept, so that all parts are of one state (RFC 9110, 14).

import { hash } from "node:crypto";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import type { KeptFile, KeptFiles } from "../../listing/feed/kept-files.ts";
import { encodeCursor } from "./changes-cursor.ts";
import { cachingHeaders } from "./emails.ts";
import { matches } from "./etag.ts";
import { etagOf, type RequestedDownload } from "./send-download.ts";

/** Whether a request wants the length or a part of a file. */
export function wantsRange({ method, headers }: FastifyRequest): boolean {
  return method === "HEAD" || headers.range !== undefined;
}

/** @throws AppError `precondition_failed` or `range_not_satisfiable` */
export async function sendRange(
  { files, now }: { files: KeptFiles; now: () => number },
  request: FastifyRequest,
  reply: FastifyReply,
  download: RequestedDownload,
): Promise<FastifyReply> {
  const { headers, method } = request;
  const found = await findFile(files, request, download);
  const { file, isWhole } = found;
  const etag = etagOf(download, "identity", file.state.revisionId);
  const own = {
    ...cachingHeaders(etag),
    "accept-ranges": "bytes",
    ...(download.isWhole && { "changes-cursor": encodeCursor(download.organization, file.state.position) }),
  };
  if (matches(headers["if-none-match"], etag)) return reply.code(304).headers(own).send();
  const range = isWhole ? undefined : parseRange(headers.range, file.bytes);
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${file.bytes}`);
    throw new AppError("range_not_satisfiable", `The file has ${file.bytes} bytes.`);
  }
  const { first, last } = range ?? { first: 0, last: file.bytes - 1 };
  reply.headers({ ...own, ...download.headers(now()), "content-length": last - first + 1 });
  if (method === "HEAD") return reply.send(Readable.from([]));
  if (range) reply.code(206).header("content-range", `bytes ${first}-${last}/${file.bytes}`);
  const handle = await open(file.path);
  return reply.send(handle.createReadStream({ start: first, end: last }));
}

/** A reader of Parquet that does not ask for the length first begins with the footer. */
const beginsAtEnd = /^bytes=-/;

/**
 * A client that names the ETag of a kept file reads on in it. One that names none reads on in the file that it last asked
 * for with HEAD, or with its first range: query engines send no condition, and an organization may change every second.
 */
async function findFile(
  files: KeptFiles,
  { method, headers, raw }: FastifyRequest,
  download: RequestedDownload,
): Promise<{ file: KeptFile; isWhole: boolean }> {
  const { organization, content } = download;
  const { id: organizationId, revisionId, timeZone } = organization;
  const name = `${organizationId} ${download.name}`;
  const reader = hash("sha256", `${raw.headers.authorization} ${raw.headers["user-agent"]}`);
  const begin = () =>
    files.begin(name, revisionId, reader, { organizationId, timeZone, content, isGzipped: false });
  const condition = (headers["if-match"] ?? headers["if-range"]) as string | undefined;
  if (method === "HEAD" && headers["if-match"] === undefined) return { file: await begin(), isWhole: true };
  if (condition === undefined || condition === "*") {
    const begun = beginsAtEnd.test(headers.range ?? "") ? undefined : files.find(name, { reader });
    return { file: begun ?? (await begin()), isWhole: false };
  }
  const begun = files.find(name, { reader });
  for (const file of [begun, files.find(name, { revisionId })]) {
    const etag = file && etagOf(download, "identity", file.state.revisionId);
    if (file && etag !== undefined && condition.split(",").some((each) => each.trim() === etag)) {
      return { file, isWhole: method === "HEAD" };
    }
  }
  if (headers["if-match"] !== undefined) throw new AppError("precondition_failed");
  return { file: await begin(), isWhole: true };
}

/** Undefined to send the whole file: several ranges, or a header that is none, are ignored as the standard allows. */
function parseRange(
  header = "",
  bytes: number,
): { first: number; last: number } | "unsatisfiable" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? "unsatisfiable" : { first: bytes - length, last: bytes - 1 };
  }
  const [first, last] = [Number(from), to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1)];
  if (first >= bytes) return "unsatisfiable";
  return first > last ? undefined : { first, last };
}
