// Sends a download: a 304, the headers alone, or the bytes of a download thread.

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { dateAt, wallTimeOf } from "../../campaign/calendar/calendar-date.ts";
import { feedFormat } from "../../campaign/feed/feed-fields.ts";
import type { FileTableName } from "../../campaign/feed/feed-tables.ts";
import { type FileFormatName, fileFormats } from "../../formats/feed-files.ts";
import { positionAt } from "../../listing/changes-position.ts";
import type { DownloadContent, DownloadState } from "../../listing/feed/download.ts";
import type { DownloadThreads } from "../../listing/feed/download-threads.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { closeSignal } from "../request/close-signal.ts";
import { requireChunks } from "../request/head.ts";
import { encodeCursor } from "./changes-cursor.ts";
import { type ContentEncoding, encodingFor } from "./content-encoding.ts";
import { cachingHeaders } from "./emails.ts";
import type { EmailsFilters } from "./emails-query.ts";
import { hashToEtag, matches } from "./etag.ts";

export interface SendDownloadOptions {
  threads: DownloadThreads;
  database: Database;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface RequestedDownload {
  /** The organization as it was when the caller was authenticated. */
  organization: Organization;
  /** The name differs between any two downloads of the same state. */
  name: string;
  /** Whether gzip makes it smaller. */
  isText: boolean;
  /** Whether it has all campaigns, so that a client can go on with their changes. */
  isWhole: boolean;
  content: DownloadContent;
  /** These replace the usual ones. */
  headers: (now: number) => Record<string, string>;
}

export interface RequestedFile {
  organization: Organization;
  filters: EmailsFilters;
  table: FileTableName;
  format: FileFormatName;
  /** These replace the usual ones. */
  headers?: Record<string, string>;
}

/** The download of a file. */
export function fileDownload(file: RequestedFile): RequestedDownload {
  const { organization, filters, table, format, headers } = file;
  const { contentType, isText } = fileFormats[format];
  const { sentFrom, sentUntil, tagIds, fields, decimal } = filters;
  return {
    organization,
    isText,
    name: `${table} ${format} ${JSON.stringify(filters.filters)}`,
    // Changes are those of all campaigns, so a part of them has no cursor.
    isWhole: table === "emails" && filters.filters.length === 0,
    content: { table, format, fields, decimal, selection: { sentFrom, sentUntil, tagIds } },
    headers: (now) => ({
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileNameOf(file, now)}"`,
      ...headers,
    }),
  };
}

/** Answers 304, or the headers alone, without a thread. */
export async function sendDownload(
  { threads, log, database, now }: SendDownloadOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  download: RequestedDownload,
): Promise<FastifyReply> {
  const { id, timeZone, revisionId } = download.organization;
  const encoding = encodingOf(request, download);
  const etag = etagOf(download, encoding, revisionId);
  const own = download.headers(now());
  if (matches(request.headers["if-none-match"], etag)) {
    const { "content-type": _type, "content-disposition": _disposition, ...rest } = own;
    return reply
      .code(304)
      .headers({ ...cachingHeaders(etag), ...rest })
      .send();
  }
  // The database may have changed since the caller was authenticated.
  const headersOf = (state: DownloadState) => ({
    ...cachingHeaders(etagOf(download, encoding, state.revisionId)),
    ...(encoding !== "identity" && { "content-encoding": encoding }),
    ...(download.isWhole && { "changes-cursor": encodeCursor(download.organization, state.position) }),
    ...own,
  });
  if (request.method === "HEAD") {
    const position = await database.queryOf(download.organization.id, (scope) =>
      positionAt(scope, download.organization),
    );
    const headers = headersOf({ revisionId, position });
    // A stream has no Content-Length: that of GET is unknown, and 0 would be wrong (RFC 9110, 8.6).
    return reply.headers(headers).send(Readable.from([]));
  }
  requireChunks(request);
  const { state, body } = await threads.start(
    {
      organizationId: id,
      timeZone,
      content: download.content,
      isGzipped: encoding === "gzip",
    },
    closeSignal(reply),
  );
  body.on("error", (error) => resetConnection(reply, error, log));
  return reply.headers(headersOf(state)).send(body);
}

function encodingOf({ headers }: FastifyRequest, { isText }: RequestedDownload): ContentEncoding {
  return isText ? encodingFor(headers["accept-encoding"], ["gzip", "identity"]) : "identity";
}

function etagOf(
  { organization, name }: RequestedDownload,
  encoding: ContentEncoding,
  revisionId: number,
): string {
  return hashToEtag(`${organization.id} ${name} ${feedFormat} ${encoding} ${revisionId}`);
}

/** `emails-2026-11-22.csv`, with the organization's date. */
function fileNameOf({ organization, table, format }: RequestedFile, at: number): string {
  const date = new Date(wallTimeOf(dateAt(at, organization.timeZone))).toISOString().slice(0, 10);
  return `${table}-${date}.${format}`;
}

/** Clients that ignore how chunks end notice a reset. */
function resetConnection({ raw, request }: FastifyReply, error: Error, log: Logger): void {
  log.warn({ err: error, request_id: request.id }, "a download was cut");
  raw.socket?.resetAndDestroy();
}
