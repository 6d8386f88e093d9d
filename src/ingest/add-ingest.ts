// Opens the door for campaigns and events from programs: who may come in is known before a body is taken.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticate } from "../authenticate.ts";
import { noteForLog } from "../request-log.ts";
import type { Organization } from "../storage/organizations.ts";
import { addCampaigns } from "./campaigns.ts";
import type { IngestOptions } from "./door.ts";
import { addEvents } from "./events.ts";

export function addIngest(app: FastifyInstance, options: IngestOptions): void {
  const callers = new WeakMap<FastifyRequest, Organization>();
  /** The room that the body of a request takes while it comes in. */
  const rooms = new WeakMap<FastifyRequest, () => void>();
  const caller = (request: FastifyRequest) => callers.get(request) as Organization;
  void app.register(async (door) => {
    door.removeAllContentTypeParsers();
    door.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    // Before the body is read: whoever may not come in cannot make us take it.
    door.addHook("onRequest", async (request, reply) => {
      const { database, region } = options;
      const organization = await database.read((queries) =>
        authenticate(queries, request.raw, region, "ingest"),
      );
      callers.set(request, organization);
      noteForLog(request, { organization: organization.id });
      const { "content-length": length, "transfer-encoding": encoding } = request.headers;
      const { bodyLimit } = request.routeOptions;
      const bytes = encoding === undefined ? Math.min(Number(length ?? 0), bodyLimit) : bodyLimit;
      const giveBack = options.writing.reserve(organization.id, bytes);
      rooms.set(request, giveBack);
      reply.raw.once("close", giveBack);
    });
    // The body is there: from here on it has the room of what is being written.
    door.addHook("preHandler", async (request) => rooms.get(request)?.());
    addCampaigns(door, { ...options, caller });
    addEvents(door, { ...options, caller });
  });
}
