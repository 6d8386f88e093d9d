// Routes of the ingest component: campaigns and events from programs, and webhooks from email providers.

import type { FastifyInstance } from "fastify";
import { authenticateSenders } from "../request/authenticate-senders.ts";
import { acceptRawBodies } from "../request/body.ts";
import { addCampaigns } from "./campaigns.ts";
import { addEvents } from "./events.ts";
import type { IngestContext } from "./ingest-context.ts";
import { addRecipients } from "./recipients.ts";
import { addWebhooks } from "./webhooks.ts";

export function addIngestRoutes(app: FastifyInstance, context: IngestContext): void {
  void app.register(async (scope) => {
    acceptRawBodies(scope);
    const caller = authenticateSenders(scope, context);
    addCampaigns(scope, { ...context, caller });
    addRecipients(scope, { ...context, caller });
    addEvents(scope, { ...context, caller });
  });
  // Webhooks have a scope of their own: the URL and the provider's signature are the credential, not an API key.
  void app.register(async (scope) => {
    acceptRawBodies(scope);
    addWebhooks(scope, context);
  });
}
