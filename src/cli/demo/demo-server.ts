// The server of the demo, with the data of the fictional company in its own database.

import { generateSecret } from "../../access/secret.ts";
import { dayMs, hourMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { parseCountedCampaign } from "../../campaign/counted-campaign.ts";
import type { Settings } from "../../config.ts";
import { addAttributes } from "../../counting/audience/add-attributes.ts";
import { replaceDirectory } from "../../counting/audience/save-directory.ts";
import { saveRecipientList } from "../../counting/audience/save-recipients.ts";
import { releaseCampaignGroups } from "../../counting/campaign-groups.ts";
import { saveCountedCampaign } from "../../counting/campaigns/save-counted-campaign.ts";
import { saveReportedCampaigns } from "../../counting/campaigns/save-reported-campaigns.ts";
import { classifyEvents } from "../../counting/events/classify-events.ts";
import { ingestEvents } from "../../counting/events/ingest-events.ts";
import { company } from "../../counting/sample/company.ts";
import { demoCampaigns } from "../../counting/sample/reported-campaigns.ts";
import { demoSendings } from "../../counting/sample/sendings.ts";
import { componentNames } from "../../http/server/components.ts";
import { type RunningServer, startServer } from "../../http/server/start.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { addApiKey } from "../../storage/keys/api-keys.ts";
import { addSource, recordSourceEvents } from "../../storage/keys/sources.ts";
import { openDatabase } from "../../storage/open-database.ts";
import {
  addOrganization,
  type Organization,
  saveOrganization,
} from "../../storage/organizations/organizations.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import type { Database } from "../../storage/queries/database.ts";
import { Scope } from "../../storage/queries/scope.ts";
import { addUser } from "../../storage/users/users.ts";
import { type CountedDemo, demoAttributes, demoCounted, demoDirectory } from "./counted-campaigns.ts";

export interface DemoServer extends RunningServer, DemoData {
  /** This URL signs in to the web application. */
  signInUrl: string;
}

interface DemoData {
  organizationId: number;
  key: string;
  /** How many have imported numbers, and how many are counted from events. */
  campaigns: { imported: number; counted: number };
  tagId: number;
  userId: number;
}

export async function startDemoServer(settings: Settings, now: number): Promise<DemoServer> {
  const { DATABASE_URL, REGION: region } = settings;
  const database = await openDatabase(DATABASE_URL);
  const data = await makeDemoData(database, { region, now }).finally(() => database.close());
  const welcome = { secret: generateSecret(), organizationId: data.organizationId, userId: data.userId };
  const server = await startServer(settings, componentNames, { isMonitored: false, welcome });
  return { ...server, ...data, signInUrl: `${server.url}/welcome/${welcome.secret}` };
}

/** The age of the newest campaign, at least: most of its opens have happened. */
const newestMs = 36 * hourMs;

/**
 * The company counts campaigns from events for nine months. Imported campaigns have no eNPS index, so it takes half a
 * year until at least half of the campaigns in the year before one have it, and pages compare its index with theirs.
 */
const countedMs = 40 * 7 * dayMs;

/** Creates the organization of the company and its data. */
export async function makeDemoData(
  database: Database,
  { region, now }: { region: string; now: number },
): Promise<DemoData> {
  const data = await database.transaction(async (queries) => {
    const organization = await addOrganization(queries, { ...company.organization, now });
    const { id: organizationId } = organization;
    const scope = new Scope(queries, organization.id);
    const until = now - newestMs;
    const imported = demoCampaigns(company, now - countedMs);
    await saveReportedCampaigns(scope, organization, imported, now);
    const counted = demoSendings(company, until).slice(imported.length);
    await addAttributes(scope, demoAttributes);
    await addCounted(scope, organization, demoCounted(counted, now), now);
    await saveOrganization(scope, { setUp: "dismissed" });
    const key = await addApiKey(scope, { name: "demo", region, now });
    await addSources(scope, now);
    const email = `demo@${company.domain}`;
    const { id: userId } = await addUser(scope, { email, role: "admin", now });
    const newsletter = (await listTags(scope)).find(({ name }) => name === "Newsletter");
    const campaigns = { imported: imported.length, counted: counted.length };
    return { organizationId, key: key.text, campaigns, tagId: newsletter?.id ?? 1, userId };
  });
  await replaceDirectory(database, data.organizationId, [demoDirectory()], async () => undefined);
  return data;
}

/** One source receives events, and one has not received any for days. */
async function addSources(scope: Scope, now: number): Promise<void> {
  for (const [provider, lastEventAt] of [
    ["postmark", now - 10 * minuteMs],
    ["sendgrid", now - 9 * dayMs],
  ] as const) {
    await recordSourceEvents(
      scope,
      await addSource(scope, { provider, secret: generateSecret(), campaignField: "campaign_id", now }),
      new Set(["open"]),
      lastEventAt,
    );
  }
}

async function addCounted(
  scope: Scope,
  organization: Organization,
  { campaigns, lists, events }: CountedDemo,
  now: number,
): Promise<void> {
  for (const { id, input } of campaigns) {
    const read = parseCountedCampaign(id, input, organization.timeZone);
    if ("errors" in read) throw new Error(JSON.stringify(read.errors));
    await saveCountedCampaign(scope, organization, read, now);
  }
  for (const list of lists) await saveRecipientList(scope, organization, { ...list, now });
  const entries = events.map((input) => ({ input }));
  await ingestEvents(scope, organization, classifyEvents(entries, now), {
    now,
    maxQuarantineBytes: 1_000_000,
  });
  // The newest campaign is old enough for the first copy of its groups.
  const ids = campaigns.map(({ id }) => id);
  const sent = await findCampaigns(scope, ids);
  await releaseCampaignGroups(scope, organization, sent, { now, isDue: true });
}
