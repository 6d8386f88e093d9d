// Checks a database for damage: what the database itself can see, and whether each rendered record is what was saved.

import { renderRecord } from "../../campaign/email-record.ts";
import { findEntriesWithoutRevision } from "../../storage/campaigns/campaign-revisions.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { countCampaigns, findIndexEntries, type IndexEntry } from "../../storage/campaigns/index-entries.ts";
import {
  type ChecksummedRecord,
  findChecksummedRecords,
  isDamaged,
} from "../../storage/campaigns/record-checksums.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { damageOf, findDamage } from "../../storage/find-damage.ts";
import { findOrganization, listOrganizations, type Organization } from "../../storage/organizations.ts";

export interface Damage {
  /** Null if the damage concerns the database as a whole. */
  organization: number | null;
  /** Null if it concerns more than one campaign. */
  campaign: number | null;
  problem: string;
}

export interface CheckResult {
  /** How many records were compared. */
  records: number;
  /** How many problems were found. */
  problems: number;
  /** The first {@link maxListed} of them. */
  damage: Damage[];
}

export interface CheckOptions {
  /** As in {@link findDamage}. */
  isThorough: boolean;
  /** @param share from 0 to 1 */
  onProgress?: (share: number, text: string) => void;
}

const maxListed = 100;
const campaignsPerQuery = 500;

/** Reads the whole database, without blocking writers. */
export async function checkDatabase(database: Database, options: CheckOptions): Promise<CheckResult> {
  const { isThorough, onProgress = () => undefined } = options;
  const result: CheckResult = { records: 0, problems: 0, damage: [] };
  onProgress(0, "checking the database");
  for (const problem of await database.query((queries) => findDamage(queries, isThorough))) {
    add(result, { organization: null, campaign: null, problem });
  }
  await noteDamage(result, null, async () => {
    for (const { id } of await database.snapshot(listOrganizations)) {
      await noteDamage(result, id, () => checkRecords(database, id, result, onProgress));
    }
  });
  return result;
}

/** Adds damage that prevents the work from going on. */
async function noteDamage(
  result: CheckResult,
  organization: number | null,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = damageOf(error);
    if (problem === undefined) throw error;
    add(result, { organization, campaign: null, problem });
  }
}

function add(result: CheckResult, damage: Damage): void {
  result.problems += 1;
  if (result.damage.length < maxListed) result.damage.push(damage);
}

async function checkRecords(
  database: Database,
  id: number,
  result: CheckResult,
  onProgress: NonNullable<CheckOptions["onProgress"]>,
): Promise<void> {
  const total = await database.query((queries) => countCampaigns(queries, id));
  let done = 0;
  for (let after: IndexEntry | undefined; ; ) {
    const page = await database.snapshot((queries) => checkPage(queries, id, after));
    for (const [campaign, problem] of [...page.damaged].sort(([a], [b]) => a - b))
      add(result, { organization: id, campaign, problem });
    result.records += page.records;
    done += page.campaigns;
    after = page.last;
    if (!after) return;
    onProgress(Math.min(done / total, 1), `organization ${id}, campaign ${after.id}`);
  }
}

/**
 * Checks the records of the next campaigns, newest first, and all others among them.
 *
 * @returns `last`: the last campaign; undefined if there are no more
 */
async function checkPage(queries: Queries, id: number, after: IndexEntry | undefined) {
  const organization = await findOrganization(queries, id);
  const entries = await findIndexEntries(queries, id, { after, limit: campaignsPerQuery });
  const last = entries.length < campaignsPerQuery ? undefined : entries.at(-1);
  const records = organization ? await findChecksummedRecords(queries, id, { after, last }) : [];
  const damaged = new Map<number, string>();
  const keys = new Set(records.map(keyOf));
  for (const entry of entries) {
    if (!keys.delete(keyOf(entry))) damaged.set(entry.id, "the campaign has no rendered record");
  }
  for (const { id: campaign } of await findEntriesWithoutRevision(queries, id, entries)) {
    damaged.set(campaign, "the campaign has no revision, so readers of changes miss it");
  }
  for (const record of records) {
    if (keys.has(keyOf(record))) damaged.set(record.id, "the rendered record belongs to no campaign");
    else if (isDamaged(record)) damaged.set(record.id, "the rendered record does not match its checksum");
  }
  if (organization) {
    // An outdated record differs from its campaign until it is rendered again.
    const current = records.filter(
      (each) => each.renderVersion === organization.renderVersion && !damaged.has(each.id),
    );
    for (const campaign of await findDifferent(queries, organization, current)) {
      damaged.set(campaign, "the rendered record does not match its campaign");
    }
  }
  return { campaigns: entries.length, records: records.length, last, damaged };
}

const keyOf = ({ sentAt, id }: IndexEntry) => `${sentAt} ${id}`;

/** The ids of campaigns that render another record than the stored one, or whose data is no longer readable. */
async function findDifferent(
  queries: Queries,
  organization: Organization,
  records: readonly ChecksummedRecord[],
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
