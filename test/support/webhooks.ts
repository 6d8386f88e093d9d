// Serves an organization with a source, and sends webhook requests to it as its provider does.

import type { TestContext } from "node:test";
import type { ProviderName } from "../../src/providers/providers.ts";
import { addSource } from "../../src/storage/keys/sources.ts";
import { type EventsResponse, type ServedSender, serveSender } from "./serve-sender.ts";
import type { Response } from "./world.ts";

/** The public URL in tests: Mandrill signs it. */
export const publicUrl = "https://analytics.example.com";

export interface SourceWorld extends ServedSender {
  /** The path of the webhook URL. */
  path: string;
  /** Sends a body as the provider does: text and bytes unchanged, anything else as JSON. */
  deliver(body: unknown, headers?: Record<string, string>): Promise<EventsResponse>;
}

/** Serves an organization with one source and campaign 1, which was sent an hour ago. */
export async function serveSource(
  test: TestContext,
  provider: ProviderName,
  {
    secret,
    campaignField = "campaign_id",
    ...options
  }: NonNullable<Parameters<typeof serveSender>[1]> & {
    secret?: string | undefined;
    campaignField?: string;
  } = {},
): Promise<SourceWorld> {
  const given = await serveSender(test, { register: {}, ...options });
  const { world, organization, service } = given;
  const { id } = await world.database.transactionOf(organization.id, (scope) =>
    addSource(scope, { provider, secret, campaignField, now: world.clock.now }),
  );
  const path = `/ingest/v1/webhooks/${id}`;
  return {
    ...given,
    path,
    deliver: async (body, headers = {}) =>
      (await service.send(path, { method: "POST", body, headers })) as Response & EventsResponse,
  };
}

/** The opens and clicks of campaign 1, unique and multiple. */
export const countsOfCampaign = ({ numbers }: ServedSender) =>
  numbers("unique_opens", "multiple_opens", "unique_clicks", "multiple_clicks");
