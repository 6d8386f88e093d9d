// POST /ingest/v1/events: a batch of events. 2xx means that they are on disk.

import type { FastifyInstance } from "fastify";
import type { BatchFormat } from "../../counting/events/event-batch.ts";
import { paths } from "../../paths.ts";
import { isGzipped, mediaTypeOf } from "../request/body.ts";
import { bodyLimits } from "../request/body-limits.ts";
import { addToLog } from "../request/log.ts";
import { rejectFullQuarantine, type SenderContext } from "./ingest-context.ts";

const formats = {
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
} as const satisfies Record<string, BatchFormat>;
const mediaTypes = Object.keys(formats) as (keyof typeof formats)[];

export function addEvents(app: FastifyInstance, { caller, writer, now }: SenderContext): void {
  const options = { bodyLimit: bodyLimits.events };
  app.post<{ Body: Buffer }>(paths.ingest.events, options, async (request, reply) => {
    const organization = caller(request);
    const format = formats[mediaTypeOf(request, mediaTypes)];
    const { accepted, repeated, quarantined, problems, refused } = await writer.write({
      organizationId: organization.id,
      now: now(),
      body: request.body,
      isGzipped: isGzipped(request),
      task: { name: "ingest_events", format, sender: organization.sender },
    });
    addToLog(request, { accepted, repeated, quarantined, refused });
    rejectFullQuarantine(refused);
    return reply.send({ accepted, repeated, quarantined, problems });
  });
}
