// The routes of the component `api`.

import type { FastifyInstance } from "fastify";
import { addOData, type ODataOptions } from "../odata/routes.ts";
import { addChanges } from "./changes.ts";
import { addDocuments } from "./contract/documents.ts";
import { addDownloads, type DownloadThreadsOptions, openDownloadThreads } from "./downloads.ts";
import { addEmails, type EmailsOptions } from "./emails.ts";

export interface ApiOptions extends EmailsOptions, Omit<ODataOptions, "threads"> {
  downloads: DownloadThreadsOptions;
}

export function addApiRoutes(app: FastifyInstance, options: ApiOptions): void {
  addDocuments(app, options.publicUrl);
  addEmails(app, options);
  addChanges(app, options);
  const threads = openDownloadThreads(app, options.downloads);
  addDownloads(app, { ...options, threads });
  addOData(app, { ...options, threads });
}
