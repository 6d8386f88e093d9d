// GET /data_api/v1/metrics.json and emails.schema.json: what fields mean. They need no key and change only
// with the version of the program.

import type { FastifyInstance } from "fastify";
import { feedRecordSchema } from "../../../campaign/feed/feed-record-schema.ts";
import { metricContract } from "../../../campaign/feed/metric-contract.ts";
import { paths } from "../../../paths.ts";
import { hashToEtag, matches } from "../etag.ts";

export function addMetricContract(app: FastifyInstance, publicUrl: () => string): void {
  addDocument(app, paths.api.metricContract, () => metricContract);
  addDocument(app, paths.api.recordSchema, () => feedRecordSchema(publicUrl() + paths.api.recordSchema));
}

function addDocument(app: FastifyInstance, path: string, document: () => object): void {
  app.get(path, async (request, reply) => {
    const body = JSON.stringify(document());
    const etag = hashToEtag(body);
    reply.headers({ etag, "cache-control": "public, max-age=3600" });
    if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(body);
  });
}
