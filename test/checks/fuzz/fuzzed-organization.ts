// The organization that the fuzzed requests are for: its credentials, campaigns, sources and tracked messages.

import type { StoredScope } from "../../../src/access/api-key.ts";
import { dayMs, hourMs } from "../../../src/campaign/calendar/durations.ts";
import { changeOrganization } from "../../../src/counting/campaigns/change-organization.ts";
import type { ChangesBody } from "../../../src/http/api/changes.ts";
import { type ProviderName, providerNames } from "../../../src/providers/providers.ts";
import { addApiKey } from "../../../src/storage/keys/api-keys.ts";
import { addSource } from "../../../src/storage/keys/sources.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { generateCampaign } from "../../support/generated-events.ts";
import { providerExamples } from "../../support/providers/provider-examples.ts";
import { request } from "../../support/request.ts";
import { startSession, type UserSession } from "../../support/user-session.ts";

export interface FuzzedOrganization {
  read: string;
  ingest: string;
  csvLink: string;
  /** Of the changes. */
  cursor: string;
  session: UserSession;
  /** The ids of its counted campaigns, one for each tracking type. */
  campaigns: readonly number[];
  /** Webhook paths by provider. */
  sources: ReadonlyMap<ProviderName, string>;
  /** The paths of all URLs in tracked messages. */
  trackedPaths: readonly string[];
}

/**
 * Adds new credentials, campaigns and messages, because fuzzed requests may have deleted the earlier ones.
 *
 * @param round makes campaign ids and the email of the admin new
 */
export async function renewOrganization(
  database: Database,
  { url, organizationId, round }: { url: string; organizationId: number; round: number },
): Promise<FuzzedOrganization> {
  const now = Date.now();
  const { sources, ...keys } = await database.transactionOf(organizationId, async (scope) => {
    await changeOrganization(scope, { csvLinks: "allow" }, now);
    const organization = await findOrganization(scope);
    if (!organization) throw new Error("the organization is missing");
    const add = async (of: StoredScope, expiresAt: number | null = null) => {
      const key = { name: `${of} ${round}`, scope: of, region: "local", expiresAt, now };
      return (await addApiKey(scope, key)).text;
    };
    const paths = new Map<ProviderName, string>();
    for (const provider of providerNames) {
      const { secret } = providerExamples[provider];
      const source = { provider, secret, campaignField: "campaign_id", now };
      paths.set(provider, `/ingest/v1/webhooks/${(await addSource(scope, source)).id}`);
    }
    const csvLink = await add("csv-link", now + dayMs);
    return { read: await add("read"), ingest: await add("ingest"), csvLink, sources: paths };
  });
  const { read, ingest } = keys;
  const session = await startSession(database, organizationId, { email: `admin-${round}@example.com` });
  const campaigns = [1, 2, 3].map((number) => round * 10 + number);
  const trackedPaths: string[] = [];
  for (const id of campaigns) trackedPaths.push(...(await registerCampaign(url, ingest, id)));
  const changes = await request(`${url}/data_api/v1/emails/changes?per_page=1`, read);
  const { cursor } = (JSON.parse(changes.text) as ChangesBody).meta;
  return { ...keys, cursor, session, campaigns, sources, trackedPaths };
}

const survey = { survey_id: "s-1", kind: "enps", question: "Would you recommend us?" };

/** Registers a campaign and makes a message of it. Returns the paths of the URLs in the message. */
async function registerCampaign(url: string, key: string, id: number): Promise<string[]> {
  const campaign = { ...generateCampaign(id), sent_at: new Date(Date.now() - hourMs).toISOString() };
  const put = await request(`${url}/ingest/v1/campaigns/${id}`, key, JSON.stringify(campaign), "PUT");
  if (put.status > 201) throw new Error(`PUT ${id}: ${put.status} ${put.text}`);
  const html = '<a href="https://example.com/news">News</a>';
  const message = JSON.stringify({ html, recipients: ["ann@example.com"], surveys: [survey] });
  const { status, text } = await request(`${url}/ingest/v1/campaigns/${id}/messages`, key, message);
  if (status !== 200) throw new Error(`messages of ${id}: ${status} ${text}`);
  return [...text.matchAll(/\/t\/[ocrs]\/[\w-]+/g)].map(([path]) => path);
}
