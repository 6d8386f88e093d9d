// Opens the door for campaigns and events from programs and providers: who may come in is known before a body is taken.

import type { FastifyInstance } from "fastify";
import { admitSenders, takeBytes } from "../incoming.ts";
import { addCampaigns } from "./campaigns.ts";
import type { IngestOptions } from "./door.ts";
import { addEvents } from "./events.ts";
import { addWebhooks } from "./webhooks.ts";

export function addIngest(app: FastifyInstance, options: IngestOptions): void {
  void app.register(async (door) => {
    takeBytes(door);
    const caller = admitSenders(door, options);
    addCampaigns(door, { ...options, caller });
    addEvents(door, { ...options, caller });
  });
  void app.register(async (door) => {
    takeBytes(door);
    addWebhooks(door, options);
  });
}
