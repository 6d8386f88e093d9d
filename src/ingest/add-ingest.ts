// Opens the door for campaigns and events from programs and providers: who may come in is known before a body is taken.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticate } from "../authenticate.ts";
import { giveRoomBack, reserveRoom, takeBytes } from "../incoming.ts";
import { noteForLog } from "../request-log.ts";
import type { Organization } from "../storage/organizations.ts";
import { addCampaigns } from "./campaigns.ts";
import type { IngestOptions } from "./door.ts";
import { addEvents } from "./events.ts";
import { addWebhooks } from "./webhooks.ts";

export function addIngest(app: FastifyInstance, options: IngestOptions): void {
  const callers = new WeakMap<FastifyRequest, Organization>();
  const caller = (request: FastifyRequest) => callers.get(request) as Organization;
  void app.register(async (door) => {
    takeBytes(door);
    // Before the body is read: whoever may not come in cannot make us take it.
    door.addHook("onRequest", async (request, reply) => {
      const { database, region, writing } = options;
      const organization = await database.read((queries) =>
        authenticate(queries, request.raw, region, "ingest"),
      );
      callers.set(request, organization);
      noteForLog(request, { organization: organization.id });
      reserveRoom(request, reply, writing, organization.id);
    });
    door.addHook("preHandler", giveRoomBack);
    addCampaigns(door, { ...options, caller });
    addEvents(door, { ...options, caller });
  });
  void app.register(async (door) => {
    takeBytes(door);
    addWebhooks(door, options);
  });
}
