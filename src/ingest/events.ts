// POST /ingest/v1/events: events come in, up to some thousand at once. 2xx means that they are on disk.

import type { FastifyInstance } from "fastify";
import { type BatchFormat, batchLimits } from "../counting/event-batch.ts";
import { Refusal } from "../errors.ts";
import { noteForLog } from "../request-log.ts";
import { type IngestDoor, isPacked, mediaTypeOf, refuseFullQuota } from "./door.ts";

const path = "/ingest/v1/events";
const formats = new Map<string, BatchFormat>([
  ["application/json", "json"],
  ["application/x-ndjson", "ndjson"],
  ["application/ndjson", "ndjson"],
]);

export function addEvents(app: FastifyInstance, { caller, writing, now }: IngestDoor): void {
  app.post<{ Body: Buffer }>(path, { bodyLimit: batchLimits.sentBytes }, async (request, reply) => {
    const organization = caller(request);
    const format = formats.get(mediaTypeOf(request));
    if (!format) {
      throw new Refusal(
        "unsupported_media_type",
        `Content-Type: ${mediaTypeOf(request) || "none"} is not understood; use ${[...formats.keys()].join(" or ")}.`,
      );
    }
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
