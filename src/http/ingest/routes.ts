// Opens the door for campaigns and events from programs and providers: who may come in is known before a body is taken.

import type { FastifyInstance } from "fastify";
import { acceptRawBodies, authenticateSenders } from "../request-body.ts";
import { addCampaigns } from "./campaigns.ts";
import { addEvents } from "./events.ts";
import type { IngestOptions } from "./ingest-context.ts";
import { addWebhooks } from "./webhooks.ts";

export function addIngestRoutes(app: FastifyInstance, options: IngestOptions): void {
  void app.register(async (door) => {
    acceptRawBodies(door);
    const caller = authenticateSenders(door, options);
    addCampaigns(door, { ...options, caller });
    addEvents(door, { ...options, caller });
  });
  void app.register(async (door) => {
    acceptRawBodies(door);
    addWebhooks(door, options);
  });
}
