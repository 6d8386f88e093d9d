// Answers HEAD and range requests for a file from one that is kept, so that all parts are of one state (RFC 9110, 14).

import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { type KeptFile, type KeptFiles, keptHeadBytes } from "../../listing/feed/kept-files.ts";
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
  const { file, isWhole } = await findFile(files, request, download, now());
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
  // If it has just been removed, nothing is set yet.
  const handle = method === "HEAD" ? undefined : await open(file.path);
  reply.headers({ ...own, ...download.headers(now()), "content-length": last - first + 1 });
  if (!handle) return reply.send(Readable.from([]));
  if (range) reply.code(206).header("content-range", `bytes ${first}-${last}/${file.bytes}`);
  return reply.send(handle.createReadStream({ start: keptHeadBytes + first, end: keptHeadBytes + last }));
}

/** A reader of Parquet that does not ask for the length first begins with the footer. */
const beginsAtEnd = /^bytes=-/;
const beginsInside = /^bytes=0*[1-9]\d*-\d*$/;
/** What has not changed for so long is what any reader began with. */
const settledMs = 600_000;

/**
 * A client that names the ETag of a kept file reads on in it. One that names none reads on in the file that it last asked
 * for with HEAD, or with its first range: query engines send no condition, and an organization may change every second.
 */
async function findFile(
  files: KeptFiles,
  { method, headers, raw }: FastifyRequest,
  download: RequestedDownload,
  now: number,
): Promise<{ file: KeptFile; isWhole: boolean }> {
  const { organization, content } = download;
  const { id: organizationId, revisionId, revision, timeZone } = organization;
  const reader = [
    etagOf(download, "identity", 0),
    raw.headers.authorization,
    raw.headers["user-agent"],
  ].join();
  const begin = () =>
    files.begin(reader, revisionId, { organizationId, timeZone, content, isGzipped: false });
  const { "if-match": ifMatch, range = "" } = headers;
  const condition = (ifMatch ?? headers["if-range"]) as string | undefined;
  const isWhole = method === "HEAD";
  if (isWhole && ifMatch === undefined) return { file: await begin(), isWhole };
  if (condition === undefined || condition === "*") {
    const begun = beginsAtEnd.test(range) ? undefined : await files.find(reader);
    if (!begun && beginsInside.test(range) && revision > now - settledMs) {
      throw new AppError("precondition_failed", changedMessage);
    }
    return { file: begun ?? (await begin()), isWhole };
  }
  const etags = condition.split(",").map((each) => each.trim());
  const named = await files.find(reader, ({ revisionId: id }) =>
    etags.includes(etagOf(download, "identity", id)),
  );
  if (named) return { file: named, isWhole };
  if (ifMatch !== undefined) throw new AppError("precondition_failed");
  return { file: await begin(), isWhole: true };
}

/** Another process may keep what the reader began with, or none does. Bytes of the current file might not fit to it. */
const changedMessage =
  "The file has changed in the last ten minutes, and it is not known which one you are reading. Begin again with HEAD, or name the ETag in If-Match.";

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
