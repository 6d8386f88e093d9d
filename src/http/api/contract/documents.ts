// GET /data_api/v1, and the documents below it that say what the API has and what its fields mean. They need no key.

import type { FastifyInstance } from "fastify";
import { feedRecordSchema } from "../../../campaign/feed/feed-record-schema.ts";
import { metricContract } from "../../../campaign/feed/metric-contract.ts";
import { paths } from "../../../paths.ts";
import { sendDocument } from "../send-document.ts";
import { openApiDocument } from "./openapi.ts";
import { urlList } from "./url-list.ts";

export function addDocuments(app: FastifyInstance, publicUrl: () => string): void {
  const { root, openApi, metricContract: contract, recordSchema } = paths.api;
  addDocument(app, root, "no-cache", () => urlList(publicUrl()));
  addDocument(app, openApi, "no-cache", () => openApiDocument(publicUrl()));
  // These change only with the version of the program.
  const lasting = "public, max-age=3600";
  addDocument(app, contract, lasting, () => metricContract);
  addDocument(app, recordSchema, lasting, () => feedRecordSchema(publicUrl() + recordSchema));
}

function addDocument(app: FastifyInstance, path: string, cacheControl: string, document: () => object): void {
  app.get(path, async (request, reply) => {
    const type = "application/json; charset=utf-8";
    const headersOf = (etag: string) => ({ etag, "cache-control": cacheControl });
    return sendDocument(request, reply, { type, text: JSON.stringify(document()), headersOf });
  });
}
