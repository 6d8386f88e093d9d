// Sends a download: a 304, the headers alone, or the bytes of a download thread.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { dateAt, wallTimeOf } from "../../campaign/calendar/calendar-date.ts";
import { feedFormat } from "../../campaign/feed/feed-fields.ts";
import { type FileFormatName, fileFormats } from "../../formats/feed-files.ts";
import type { DownloadState } from "../../listing/feed/download.ts";
import type { DownloadThreads } from "../../listing/feed/download-threads.ts";
import { findLastSentAt } from "../../storage/campaigns/feed-sources.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { encodeCursor } from "./changes-cursor.ts";
import { type ContentEncoding, encodingFor } from "./content-encoding.ts";
import type { EmailsFilters } from "./emails-query.ts";
import { cachingHeaders } from "./emails-response.ts";
import { makeEtag, matches } from "./etag.ts";

export interface SendDownloadOptions {
  threads: DownloadThreads;
  database: Database;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface RequestedFile {
  /** As it was when the caller was authenticated. */
  organization: Organization;
  filters: EmailsFilters;
  format: FileFormatName;
  /** These replace the usual ones. */
  headers?: Record<string, string>;
}

/** Answers 304, or the headers alone, without a thread. */
export async function sendDownload(
  { threads, log, database, now }: SendDownloadOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  file: RequestedFile,
): Promise<FastifyReply> {
  const { id, renderVersion } = file.organization;
  const at = now();
  const encoding = encodingOf(request, file.format);
  const latestSentAt = await database.query((queries) => findLastSentAt(queries, id, at + 1));
  const etag = etagOf(file, encoding, { ...file.organization, latestSentAt });
  if (matches(request.headers["if-none-match"], etag)) {
    return reply
      .code(304)
      .headers({ ...cachingHeaders(etag), ...file.headers })
      .send();
  }
  if (request.method === "HEAD") return reply.headers(headersOf(file, encoding, etag, at)).send();
  const signal = closeSignal(reply);
  const { sentFrom, sentUntil = Number.POSITIVE_INFINITY, tagIds } = file.filters;
  const selection = { sentFrom, sentUntil: Math.min(sentUntil, at + 1), tagIds };
  const { state, body } = await threads.start(
    {
      ...{ organizationId: id, renderVersion, selection, format: file.format },
      ...{ isGzipped: encoding === "gzip", now: at },
    },
    signal,
  );
  signal.addEventListener("abort", () => body.destroy());
  body.on("error", (error) => resetConnection(reply, error, log));
  // Changes are those of all campaigns, so a part of them has no cursor.
  if (file.filters.filters.length === 0) reply.header("changes-cursor", encodeCursor(id, state.position));
  // The database may have changed since the caller was authenticated.
  return reply.headers(headersOf(file, encoding, etagOf(file, encoding, state), at)).send(body);
}

function encodingOf({ headers }: FastifyRequest, format: FileFormatName): ContentEncoding {
  return fileFormats[format].isText
    ? encodingFor(headers["accept-encoding"], ["gzip", "identity"])
    : "identity";
}

function etagOf(
  { organization, filters, format }: RequestedFile,
  encoding: ContentEncoding,
  { revisionId, renderVersion, latestSentAt }: Omit<DownloadState, "position">,
): string {
  const cacheKey = `${organization.id} ${format} ${feedFormat} ${encoding} ${JSON.stringify(filters.filters)}`;
  return makeEtag({ cacheKey, revisionId, renderVersion, latestSentAt });
}

function headersOf(
  { organization, format, headers }: RequestedFile,
  encoding: ContentEncoding,
  etag: string,
  at: number,
): Record<string, string> {
  return {
    ...cachingHeaders(etag),
    "content-type": fileFormats[format].contentType,
    "content-disposition": `attachment; filename="${fileNameOf(format, at, organization.timeZone)}"`,
    ...(encoding !== "identity" && { "content-encoding": encoding }),
    ...headers,
  };
}

/** `emails-2026-11-22.csv`, with the organization's date. */
function fileNameOf(format: FileFormatName, at: number, timeZone: string): string {
  const date = new Date(wallTimeOf(dateAt(at, timeZone))).toISOString().slice(0, 10);
  return `emails-${date}.${format}`;
}

/** Aborts when the client leaves. */
function closeSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => controller.abort());
  return controller.signal;
}

/** A response to HTTP/1.0, which a proxy may use, ends with its connection: only a reset shows that it was cut. */
function resetConnection({ raw, request }: FastifyReply, error: Error, log: Logger): void {
  log.warn({ err: error, request_id: request.id }, "a download was cut");
  raw.socket?.resetAndDestroy();
}
