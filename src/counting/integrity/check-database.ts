// Checks a database for damage: what the database itself can see, and whether each record matches its campaign.

import { renderRecord } from "../../campaign/email-record.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { countCampaigns, findIndexEntries, type IndexEntry } from "../../storage/campaigns/index-entries.ts";
import { findRenderedRecords, type RenderedRecord } from "../../storage/campaigns/rendered-records.ts";
import { checkIntegrity } from "../../storage/check-integrity.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { findOrganization, listOrganizations, type Organization } from "../../storage/organizations.ts";

interface Damage {
  /** Null if the damage concerns the database as a whole. */
  organization: number | null;
  /** Null if it concerns more than one campaign. */
  campaign: number | null;
  problem: string;
}

export interface CheckResult {
  /** How many campaigns were compared with their records. */
  records: number;
  /** How many problems were found. */
  problems: number;
  /** The first {@link maxListed} of them. */
  damage: Damage[];
}

/** @param share from 0 to 1 */
type OnProgress = (share: number, text: string) => void;

const maxListed = 100;
const campaignsPerQuery = 500;

/** Reads the whole database, without blocking writers. */
export async function checkDatabase(database: Database, onProgress: OnProgress): Promise<CheckResult> {
  const result: CheckResult = { records: 0, problems: 0, damage: [] };
  onProgress(0, "checking the database");
  for (const problem of await database.query(checkIntegrity)) {
    add(result, { organization: null, campaign: null, problem });
  }
  // What cannot be read cannot be compared: the list of the database says more.
  if (result.problems > 0) return result;
  for (const { id } of await database.snapshot(listOrganizations)) {
    await checkRecords(database, id, result, onProgress);
  }
  return result;
}

function add(result: CheckResult, damage: Damage): void {
  result.problems += 1;
  if (result.damage.length < maxListed) result.damage.push(damage);
}

async function checkRecords(
  database: Database,
  id: number,
  result: CheckResult,
  onProgress: OnProgress,
): Promise<void> {
  const total = await database.query((queries) => countCampaigns(queries, id));
  let done = 0;
  for (let after: IndexEntry | undefined; ; ) {
    const page = await database.snapshot((queries) => checkPage(queries, id, after));
    for (const [campaign, problem] of [...page.damaged].sort(([a], [b]) => a - b))
      add(result, { organization: id, campaign, problem });
    done += page.entries.length;
    result.records += page.entries.length;
    after = page.entries.at(-1);
    if (!after || page.entries.length < campaignsPerQuery) return;
    onProgress(Math.min(done / total, 1), `organization ${id}, campaign ${after.id}`);
  }
}

/** Compares the next campaigns, newest first, with their records. */
async function checkPage(queries: Queries, id: number, after: IndexEntry | undefined) {
  const damaged = new Map<number, string>();
  const organization = await findOrganization(queries, id);
  if (!organization) return { entries: [], damaged };
  const entries = await findIndexEntries(queries, id, { after, limit: campaignsPerQuery });
  const records = await findRenderedRecords(queries, id, entries);
  const recorded = new Set(records.map((record) => record.id));
  for (const entry of entries) {
    if (!recorded.has(entry.id)) damaged.set(entry.id, "the campaign has no rendered record");
  }
  // An outdated record differs from its campaign until it is rendered again.
  const current = records.filter(({ renderVersion }) => renderVersion === organization.renderVersion);
  for (const campaign of await findDifferent(queries, organization, current)) {
    damaged.set(campaign, "the rendered record does not match its campaign");
  }
  return { entries, damaged };
}

/** The ids of campaigns that render another record than the stored one, or whose data is no longer readable. */
async function findDifferent(
  queries: Queries,
  organization: Organization,
  records: readonly RenderedRecord[],
): Promise<number[]> {
  const texts = new Map(records.map(({ id, record }) => [id, record]));
  try {
    const campaigns = await findCampaigns(queries, organization.id, [...texts.keys()]);
    return campaigns
      .filter((stored) => renderRecord(stored, organization) !== texts.get(stored.campaign.id))
      .map(({ campaign }) => campaign.id);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (records.length === 1) return [...texts.keys()];
    // One unreadable campaign hides the others of its page, so each is read alone.
    const different = [];
    for (const record of records) different.push(...(await findDifferent(queries, organization, [record])));
    return different;
  }
}

/** Damaged JSON does not parse, or has values of another type than the program wrote. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
}
