// GET /data_api/v1/emails.csv, .ndjson, .parquet and .xlsx, and the same of email_groups: all rows of the caller's organization in
// one response.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { type FileTableName, fileTableNames } from "../../campaign/feed/feed-tables.ts";
import { type FileFormatName, fileFormatNames } from "../../formats/feed-files.ts";
import {
  type DownloadOptions,
  type DownloadThreads,
  startDownloadThreads,
} from "../../listing/feed/download-threads.ts";
import { filePath } from "../../paths.ts";
import { type AuthenticateOptions, findReader } from "../request/authenticate.ts";
import { serverLimits } from "../request/limits.ts";
import { queryStringOf } from "../request/url.ts";
import { addCsvLinks } from "./csv-links.ts";
import { parseDownloadQuery } from "./emails-query.ts";
import { schemaLink } from "./link-header.ts";
import { fileDownload, sendDownload } from "./send-download.ts";

export type DownloadThreadsOptions = Omit<DownloadOptions, "maxStallMs">;

interface DownloadsOptions extends AuthenticateOptions {
  region: string;
  publicUrl: () => string;
  log: Logger;
  threads: DownloadThreads;
}

/** Starts the threads that all kinds of downloads share, and stops them with the server. */
export function openDownloadThreads(app: FastifyInstance, options: DownloadThreadsOptions): DownloadThreads {
  const threads = startDownloadThreads({ ...options, maxStallMs: serverLimits.downloadStallMs });
  app.addHook("onClose", () => threads.stop());
  return threads;
}

export function addDownloads(app: FastifyInstance, options: DownloadsOptions): void {
  for (const table of fileTableNames) {
    for (const format of fileFormatNames) addFile(app, options, table, format);
  }
  addCsvLinks(app, options, (request, reply, file) =>
    sendDownload(options, request, reply, fileDownload(file)),
  );
}

function addFile(
  app: FastifyInstance,
  options: DownloadsOptions,
  table: FileTableName,
  format: FileFormatName,
): void {
  app.get(filePath(table, format), async (request, reply) => {
    const organization = await findReader(options, request);
    const filters = parseDownloadQuery(queryStringOf(request.url), organization.timeZone, table);
    const headers =
      table === "emails" && format === "ndjson" ? { link: schemaLink(options.publicUrl()) } : {};
    return sendDownload(
      options,
      request,
      reply,
      fileDownload({ organization, filters, table, format, headers }),
    );
  });
}
