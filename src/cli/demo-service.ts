// One service of the demo: a branch of the made-up company in a database of its own, served.

import type { Settings } from "../config.ts";
import { saveReportedCampaigns } from "../counting/save-reported-campaigns.ts";
import { doorNames } from "../doors.ts";
import { addApiKey } from "../storage/api-keys.ts";
import { openDatabase } from "../storage/open-database.ts";
import { addOrganization } from "../storage/organizations.ts";
import { listTags } from "../storage/tags.ts";
import type { Branch } from "./demo-branches.ts";
import { demoCampaigns } from "./demo-world.ts";
import { type RunningServer, startServing } from "./start-serving.ts";

export interface DemoService extends RunningServer, World {
  region: string;
}

interface World {
  key: string;
  campaigns: number;
  tagId: number;
}

export async function startDemoService(
  settings: Settings,
  branch: Branch,
  now: number,
): Promise<DemoService> {
  const { DATABASE_URL, REGION: region } = settings;
  const world = await makeWorld(DATABASE_URL, { branch, region, now });
  return { ...(await startServing(settings, doorNames, false)), ...world, region };
}

async function makeWorld(
  databaseUrl: string,
  { branch, region, now }: { branch: Branch; region: string; now: number },
): Promise<World> {
  const database = await openDatabase(databaseUrl);
  try {
    return await database.write(async (queries) => {
      const organization = await addOrganization(queries, { ...branch.organization, now });
      const campaigns = demoCampaigns(branch);
      await saveReportedCampaigns(queries, organization, campaigns, now);
      const key = await addApiKey(queries, { organizationId: organization.id, name: "demo", region, now });
      const newsletter = (await listTags(queries, organization.id)).find(({ name }) => name === "Newsletter");
      return { key: key.text, campaigns: campaigns.length, tagId: newsletter?.id ?? 1 };
    });
  } finally {
    await database.close();
  }
}
