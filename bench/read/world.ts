// Campaigns of one organization, spread evenly over ten years, with twenty tags and a key to read them.

import { parseReportedCampaign } from "../../src/campaign/reported-campaign.ts";
import { progressBar } from "../../src/cli/shell/progress-bar.ts";
import { saveReportedCampaigns } from "../../src/counting/campaigns/save-reported-campaigns.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { findOrganization } from "../../src/storage/organizations/organizations.ts";
import { listTags } from "../../src/storage/organizations/tags.ts";
import { generateRecord } from "../../test/support/generated-record.ts";
import { askAs } from "../../test/support/guest-role.ts";
import { Random } from "../../test/support/histories.ts";
import { type Keys, makeOrganization } from "../../test/support/service-process.ts";

export interface World {
  databaseUrl: string;
  /** The path of the program that serves it. */
  program: string;
  keys: Keys;
  /** The number of campaigns. */
  campaigns: number;
  /** The IDs of the tags, by their number from 0. */
  tagIds: number[];
}

/** Lower IDs are used for counted campaigns. */
const firstId = 1_001;
const recordsPerTransaction = 10_000;
const tags = 20;
const years = 10;
const firstYear = 2015;

const startAt = Date.UTC(firstYear, 0, 1);
const spanMs = Date.UTC(firstYear + years, 0, 1) - startAt;

/** @param position of the campaign in the order of time, from 0 */
function sentAtOf(position: number, campaigns: number): number {
  return startAt + Math.floor((position / campaigns) * spanMs);
}

/** The numbers of the tags of a campaign: every tenth has none, the others have one or two. */
export function tagsOf(position: number): number[] {
  if (position % 10 === 0) return [];
  const random = new Random(position);
  const first = random.between(0, tags - 1);
  return random.chance(50) ? [first] : [...new Set([first, random.between(0, tags - 1)])];
}

const tagName = (number: number) => `Subject ${String(number + 1).padStart(2, "0")}`;

export async function makeWorld(databaseUrl: string, program: string, campaigns: number): Promise<World> {
  const keys = await makeOrganization(databaseUrl);
  const database = await openDatabase(databaseUrl);
  const bar = progressBar({ json: false, stdout: process.stdout, stderr: process.stderr });
  try {
    for (let start = 0; start < campaigns; start += recordsPerTransaction) {
      bar.show(start / campaigns, `${start} of ${campaigns} campaigns`);
      const length = Math.min(recordsPerTransaction, campaigns - start);
      const some = Array.from({ length }, (_, index) => reportedAt(start + index, campaigns)).flat();
      await database.transactionOf(keys.organizationId, async (scope) => {
        const organization = await findOrganization(scope);
        if (organization) await saveReportedCampaigns(scope, organization, some, Date.now());
      });
    }
  } finally {
    bar.clear();
  }
  const found = await database.snapshotOf(keys.organizationId, listTags);
  await database.close();
  return { databaseUrl, program, keys, campaigns, tagIds: found.map(({ id }) => id) };
}

/** On PostgreSQL. Otherwise autovacuum could run during the measurement, or not before it. */
export const vacuumAnalyze = (databaseUrl: string) => askAs(databaseUrl, "vacuum analyze");

function reportedAt(position: number, campaigns: number) {
  return parseReportedCampaign(recordAt(position, campaigns), "UTC").reported ?? [];
}

/** The record of the campaign at a position in the order of time, from 0. */
export function recordAt(position: number, campaigns: number) {
  return {
    ...generateRecord(firstId + position),
    sent_at: new Date(sentAtOf(position, campaigns)).toISOString(),
    tags: tagsOf(position).map((number) => ({ name: tagName(number), color: "#4E79A7" })),
  };
}
