// GET /data_api/v1/metrics.json: the metric contract. It needs no key and changes only with the version of the program.

import type { FastifyInstance } from "fastify";
import { metricContract } from "../../campaign/feed/metric-contract.ts";
import { paths } from "../paths.ts";
import { hashToEtag, matches } from "./etag.ts";

export function addMetricContract(app: FastifyInstance): void {
  const body = JSON.stringify(metricContract);
  const etag = hashToEtag(body);
  app.get(paths.api.metricContract, async (request, reply) => {
    reply.headers({ etag, "cache-control": "public, max-age=3600" });
    if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(body);
  });
}
