// Checks a database for damage: what the database itself can see, and whether each record matches its campaign.

import { isDeepStrictEqual } from "node:util";
import { renderRecord } from "../../campaign/email-record.ts";
import { toTypedRecord } from "../../campaign/feed/typed-record.ts";
import { releaseAnswers } from "../../campaign/release-answers.ts";
import { countCampaigns, findCampaignKeys, findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { findChangesOf } from "../../storage/campaigns/changes.ts";
import { type EmailKey, findPublishedEmails, type PublishedEmail } from "../../storage/campaigns/emails.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import {
  findOrganization,
  listOrganizations,
  type Organization,
} from "../../storage/organizations/organizations.ts";
import { checkIntegrity } from "../../storage/queries/check-integrity.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CampaignSums, findSums } from "../../storage/sums/sums.ts";
import { bothSums } from "../publish.ts";

interface Damage {
  /** Null if the damage concerns the database as a whole. */
  organization: number | null;
  /** Null if it concerns more than one campaign. */
  campaign: number | null;
  problem: string;
}

interface CheckResult {
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

/** Does not block writers, and does not see a changed value from which no record is rendered, such as an event id. */
export async function checkDatabase(database: Database, onProgress: OnProgress): Promise<CheckResult> {
  const result: CheckResult = { records: 0, problems: 0, damage: [] };
  onProgress(0, "checking the database");
  for (const problem of await database.query((queries) => checkIntegrity(queries))) {
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
  const total = await database.queryOf(id, countCampaigns);
  let done = 0;
  for (let after: EmailKey | undefined; ; ) {
    const page = await database.snapshotOf(id, (scope) => checkPage(scope, after));
    for (const [campaign, problem] of [...page.damaged].sort(([a], [b]) => a - b))
      add(result, { organization: id, campaign, problem });
    done += page.entries.length;
    result.records += page.entries.length;
    after = page.entries.at(-1);
    if (!after || page.entries.length < campaignsPerQuery) return;
    onProgress(Math.min(done / total, 1), `organization ${id}, campaign ${after.id}`);
  }
}

/** Compares the next campaigns, newest first, with their published records and sums. */
async function checkPage(scope: Scope, after: EmailKey | undefined) {
  const damaged = new Map<number, string>();
  const organization = await findOrganization(scope);
  if (!organization) return { entries: [], damaged };
  const entries = await findCampaignKeys(scope, { after, limit: campaignsPerQuery });
  const ids = entries.filter(({ isScheduled }) => !isScheduled).map((entry) => entry.id);
  const emails = await findPublishedEmails(scope, ids);
  const sums = Map.groupBy(await findSums(scope, ids), (each) => each.campaign_id);
  const changes = await findChangesOf(scope, ids);
  const published = new Set(emails.map((email) => email.id));
  for (const each of ids) {
    if (!published.has(each)) damaged.set(each, "the campaign has no record");
    else if (!changes.has(each)) damaged.set(each, "the campaign is not in the change log");
  }
  for (const campaign of await findDifferent(scope, organization, emails, sums)) {
    damaged.set(campaign, "the record does not match its campaign");
  }
  return { entries, damaged };
}

/** The ids of campaigns that have another record than the published one, or whose data is no longer readable. */
async function findDifferent(
  scope: Scope,
  organization: Organization,
  emails: readonly PublishedEmail[],
  sums: ReadonlyMap<number, readonly CampaignSums[]>,
): Promise<number[]> {
  const published = new Map(emails.map((email) => [email.id, email]));
  try {
    const campaigns = await findCampaigns(scope, [...published.keys()]);
    return campaigns
      .filter((stored) => isDifferent(stored, organization, published.get(stored.campaign.id), sums))
      .map(({ campaign }) => campaign.id);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    if (emails.length === 1) return [...published.keys()];
    // One unreadable campaign hides the others of its page, so each is read alone.
    const different = [];
    for (const email of emails) different.push(...(await findDifferent(scope, organization, [email], sums)));
    return different;
  }
}

function isDifferent(
  given: StoredCampaign,
  organization: Organization,
  email: PublishedEmail | undefined,
  sums: ReadonlyMap<number, readonly CampaignSums[]>,
): boolean {
  if (!email) return true;
  const stored = releaseAnswers(given, organization.minAnswers);
  if (!isDeepStrictEqual(sums.get(email.id), bothSums(stored))) return true;
  const typed = toTypedRecord(stored, organization, email.updated_at);
  return !isDeepStrictEqual(email, { ...typed, record: renderRecord(stored, organization) });
}

/** Damaged JSON does not parse, or has values of another type than the program wrote. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
}
