// POST /ingest/v1/events: events come in, up to some thousand at once. 2xx means that they are on disk.

import type { FastifyInstance } from "fastify";
import { type BatchFormat, batchLimits } from "../counting/event-batch.ts";
import { isPacked, mediaTypeOf } from "../incoming.ts";
import { noteForLog } from "../request-log.ts";
import { type IngestDoor, refuseFullQuota } from "./door.ts";

export const eventsPath = "/ingest/v1/events";
const formats = {
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
} as const satisfies Record<string, BatchFormat>;
const mediaTypes = Object.keys(formats) as (keyof typeof formats)[];

export function addEvents(app: FastifyInstance, { caller, writing, now }: IngestDoor): void {
  app.post<{ Body: Buffer }>(eventsPath, { bodyLimit: batchLimits.sentBytes }, async (request, reply) => {
    const organization = caller(request);
    const format = formats[mediaTypeOf(request, mediaTypes)];
    const { accepted, repeated, setAside, problems, refused } = await writing.write({
      organizationId: organization.id,
      now: now(),
      body: request.body ?? Buffer.alloc(0),
      isPacked: isPacked(request),
      work: { name: "ingest_events", format },
    });
    noteForLog(request, { accepted, repeated, set_aside: setAside, refused });
    refuseFullQuota(refused);
    return reply.send({ accepted, repeated, set_aside: setAside, problems });
  });
}
