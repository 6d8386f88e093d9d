// POST /ingest/v1/events: events come in, up to some thousand at once. 2xx means that they are on disk.

import type { FastifyInstance } from "fastify";
import { type BatchFormat, batchLimits } from "../../counting/events/event-batch.ts";
import { isGzipped, mediaTypeOf } from "../request-body.ts";
import { addToLog } from "../request-log.ts";
import { type IngestContext, refuseFullQuota } from "./ingest-context.ts";

export const eventsPath = "/ingest/v1/events";
const formats = {
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
} as const satisfies Record<string, BatchFormat>;
const mediaTypes = Object.keys(formats) as (keyof typeof formats)[];

export function addEvents(app: FastifyInstance, { caller, writing, now }: IngestContext): void {
  app.post<{ Body: Buffer }>(eventsPath, { bodyLimit: batchLimits.sentBytes }, async (request, reply) => {
    const organization = caller(request);
    const format = formats[mediaTypeOf(request, mediaTypes)];
    const { accepted, repeated, quarantined, problems, refused } = await writing.write({
      organizationId: organization.id,
      now: now(),
      body: request.body ?? Buffer.alloc(0),
      isGzipped: isGzipped(request),
      task: { name: "ingest_events", format },
    });
    addToLog(request, { accepted, repeated, quarantined, refused });
    refuseFullQuota(refused);
    return reply.send({ accepted, repeated, quarantined, problems });
  });
}
