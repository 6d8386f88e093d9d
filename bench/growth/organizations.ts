// Many organizations with a few campaigns each, and a key of each to read them.

import { parseReportedCampaign } from "../../src/campaign/reported-campaign.ts";
import { saveReportedCampaigns } from "../../src/counting/campaigns/save-reported-campaigns.ts";
import { addApiKey } from "../../src/storage/api-keys.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { addOrganization } from "../../src/storage/organizations.ts";
import { generateRecord } from "../../verify/support/generated-record.ts";
import type { World } from "../read/world.ts";

const organizationsPerTransaction = 100;

export async function makeOrganizations(
  databaseUrl: string,
  program: string,
  count: number,
  campaigns: number,
): Promise<{ world: Pick<World, "databaseUrl" | "program">; keys: string[] }> {
  const reported = Array.from({ length: campaigns }, (_, index) => {
    return parseReportedCampaign(generateRecord(index + 1), "UTC").reported ?? [];
  }).flat();
  const keys: string[] = [];
  const now = Date.now();
  const database = await openDatabase(databaseUrl);
  for (let made = 0; made < count; made += organizationsPerTransaction) {
    await database.transaction(async (queries) => {
      for (let index = made; index < Math.min(made + organizationsPerTransaction, count); index++) {
        const name = `Organization ${index + 1}`;
        const organization = await addOrganization(queries, { name, timeZone: "UTC", now });
        await saveReportedCampaigns(queries, organization, reported, now);
        const { id: organizationId } = organization;
        const key = await addApiKey(queries, { organizationId, name: "read", region: "local", now });
        keys.push(key.text);
      }
    });
  }
  await database.close();
  return { world: { databaseUrl, program }, keys };
}
