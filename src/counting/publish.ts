// Publishes campaigns: writes their typed records, their sums and their changes when they change, so that readers only select.

import { dayMs } from "../campaign/calendar/durations.ts";
import { answersOf, numberOf, surveysOf } from "../campaign/campaign-number.ts";
import { sumsOfCampaign } from "../campaign/campaign-rates.ts";
import { renderRecord } from "../campaign/email-record.ts";
import { emptyTally, proofsOf, type Tallies } from "../campaign/events/tally.ts";
import { type TrafficFilter, trafficFilters } from "../campaign/events/traffic.ts";
import { tagFields, toTypedRecord } from "../campaign/feed/typed-record.ts";
import { releaseAnswers } from "../campaign/release-answers.ts";
import { emptySums, ofTraffic, type Sums } from "../campaign/sums.ts";
import { raiseLastCampaignId } from "../storage/campaigns/campaign-ids.ts";
import { findTagsOfCampaigns } from "../storage/campaigns/campaign-tags.ts";
import {
  findCampaignIds,
  findCampaigns,
  findDueCampaigns,
  findOrganizationsWithDue,
  findScheduledIds,
  saveCampaigns,
  savePublishTimes,
} from "../storage/campaigns/campaigns.ts";
import { saveChanges, saveWithdrawals } from "../storage/campaigns/changes.ts";
import { deleteEmails, findEmailKeys, saveEmails, saveTagsOfEmails } from "../storage/campaigns/emails.ts";
import {
  isScheduled,
  isStillCounting,
  kindOf,
  nextPublishAt,
  publishAtAfterCount,
  publishTimes,
  type StoredCampaign,
} from "../storage/campaigns/stored-campaign.ts";
import { teamKeyOf } from "../storage/campaigns/teams.ts";
import {
  lockOrganization,
  type Organization,
  organizationOf,
} from "../storage/organizations/organizations.ts";
import { raiseRevision } from "../storage/organizations/revisions.ts";
import { chunks, type Database } from "../storage/queries/database.ts";
import type { Scope } from "../storage/queries/scope.ts";
import { type CampaignSums, deleteSums, saveSums, withSums } from "../storage/sums/sums.ts";
import { saveTallies } from "../storage/sums/tallies.ts";
import { releaseCampaignGroups } from "./campaign-groups.ts";

export interface CampaignChange {
  /** Undefined if the campaign is new. */
  before: StoredCampaign | undefined;
  after: UntimedCampaign;
}

/** A campaign of which {@link saveAndPublish} decides when it is published next. */
type UntimedCampaign = Omit<StoredCampaign, "publishAt">;

/**
 * When a campaign is published next after a change. A clock that is behind that of another process withdraws nothing that
 * was published.
 */
function publishAtAfter(
  before: StoredCampaign | undefined,
  { campaign, counting }: UntimedCampaign,
  now: number,
): number | null {
  const { sentAt } = campaign;
  if (before?.campaign.sentAt === sentAt && before.publishAt !== sentAt) return before.publishAt;
  const publishAt = nextPublishAt({ campaign, counting }, now);
  return before ? publishAtAfterCount({ campaign, counting, publishAt }, now) : publishAt;
}

/** Saves new and changed campaigns, and publishes those that were sent. Readers see them from the commit on. */
export async function saveAndPublish(
  scope: Scope,
  organization: Organization,
  changes: readonly CampaignChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const campaigns = changes.map(({ before, after }) => ({
    ...after,
    publishAt: publishAtAfter(before, after, now),
  }));
  await saveCampaigns(scope, campaigns);
  const added = changes.flatMap(({ before, after }) => (before ? [] : [after.campaign.id]));
  await raiseLastCampaignId(scope, added);
  const left = changes.flatMap(({ before, after }) =>
    before && before.campaign.sentAt !== after.campaign.sentAt ? [before.campaign] : [],
  );
  await deletePublished(scope, left);
  const retagged = changes.filter(isRetagged).map(({ after }) => after.campaign.id);
  await publishSaved(scope, organization, campaigns, now, retagged);
  if (left.length === 0) return;
  const withdrawn = await findScheduledIds(
    scope,
    left.map(({ id }) => id),
  );
  await saveWithdrawals(scope, [...withdrawn]);
}

function isRetagged({ before, after }: CampaignChange): boolean {
  if (!before) return false;
  const tagIds = new Set(before.tags.map(({ id }) => id));
  return before.tags.length !== after.tags.length || after.tags.some(({ id }) => !tagIds.has(id));
}

/** Publishes campaigns of which only the tallies changed. Every event takes this path. */
export async function saveAndPublishTallies(
  scope: Scope,
  organization: Organization,
  campaigns: readonly (StoredCampaign & { numbers: { tallies: Tallies } })[],
  now: number,
): Promise<void> {
  const counted = campaigns.map((stored) => ({ ...stored, publishAt: publishAtAfterCount(stored, now) }));
  const tallies = counted.map(({ campaign: { id }, numbers, counting, publishAt }) => ({
    id,
    publishAt,
    sourceId: counting?.sourceId ?? null,
    senders: counting?.senders ?? {},
    tallies: numbers.tallies,
  }));
  await saveTallies(scope, tallies);
  await publishSaved(scope, organization, counted, now);
}

/** Publishes campaigns that are saved already, under a new revision. @param retagged the ids of those with other tags */
export async function publishSaved(
  scope: Scope,
  organization: Organization,
  campaigns: readonly StoredCampaign[],
  now: number,
  retagged: readonly number[] = [],
): Promise<void> {
  const revision = await raiseRevision(scope, now);
  await saveSent(scope, organization, campaigns, { revision, now, retagged });
}

/** Rendering so many takes some milliseconds, during which no other organization is served. */
const campaignsPerQuery = 100;

/** Publishes all campaigns again after a change of what the organization shows. Only the minimum of answers changes sums. */
export async function republishAll(scope: Scope, now: number, hasNewSums: boolean): Promise<void> {
  const organization = await organizationOf(scope);
  const revision = await raiseRevision(scope, now);
  for (const some of chunks(await findCampaignIds(scope), campaignsPerQuery)) {
    const campaigns = await findCampaigns(scope, some);
    const sent = await sentOf(scope, organization, campaigns, now);
    await saveRecords(scope, organization, sent, { revision, retagged: [] });
    if (hasNewSums) await saveSums(scope, sent.flatMap(bothSums));
  }
}

/**
 * Publishes campaigns again of whose records at most the tags changed. Other organizations wait meanwhile on SQLite, so
 * nothing else is rendered.
 *
 * @param retagged the ids of those with other tags
 */
export async function republish(
  scope: Scope,
  ids: readonly number[],
  { now, retagged = [] }: { now: number; retagged?: readonly number[] },
): Promise<void> {
  const revision = await raiseRevision(scope, now);
  for (const some of chunks(ids)) {
    const keys = await findEmailKeys(scope, some);
    const tags = await findTagsOfCampaigns(scope, some);
    const emails = keys.map((key) => ({ ...key, ...tagFields(tags.get(key.id) ?? []) }));
    await saveTagsOfEmails(scope, emails, revision);
    await saveChanges(scope, keys, retagged);
  }
}

/** It takes some ten milliseconds to find out which groups of one campaign are released. */
const duePerTransaction = 5;

/** No campaign reaches an age later than a week after its last change. One day more is as in due-tasks.ts. */
const maxQuietMs = 8 * dayMs;

/**
 * Publishes campaigns that change at an instant: scheduled ones that are sent, those that reach one of the recorded ages, and
 * those whose groups changed. By a clock that is further ahead of the last change than any age, campaigns reach none.
 *
 * @returns whether there may be more
 */
export async function publishDue(scope: Scope, now: number): Promise<boolean> {
  const organization = await lockOrganization(scope);
  if (!organization) return false;
  const aheadMs = now - organization.revision;
  const options = { now, limit: duePerTransaction, onlyScheduled: aheadMs > maxQuietMs };
  const due = await findDueCampaigns(scope, options);
  if (due.length === 0) return false;
  const next = due.map((stored) => ({ ...stored, publishAt: nextPublishAt(stored, now) }));
  const { changed = [], reported = [] } = Object.groupBy(next, ({ campaign, counting }, index) => {
    const stored = due[index] as StoredCampaign;
    if (stored.publishAt === campaign.sentAt) return "changed";
    if (!counting) return "reported";
    return hasReachedAge(stored, now) ? "changed" : "grouped";
  });
  const hasNewGroups = await releaseCampaignGroups(scope, organization, next, { now, isDue: true });
  if (hasNewGroups || changed.length > 0) {
    const dueAt = Math.max(...due.map((stored) => publishTimes(stored).findLast((at) => at <= now) ?? 0));
    // A clock that is far ahead may be wrong. It must not look like a sign of its time, after which campaigns are closed.
    const revision = await raiseRevision(scope, aheadMs <= dayMs ? now : dueAt);
    await saveSent(scope, organization, changed, { revision, now });
  }
  // Records of imported campaigns have no numbers by age.
  await saveSums(scope, (await sentOf(scope, organization, reported, now)).flatMap(bothSums));
  await savePublishTimes(
    scope,
    next.map(({ campaign: { id }, publishAt }) => ({ id, publishAt })),
  );
  return due.length === duePerTransaction;
}

/**
 * Calls {@link publishDue} for every organization with due campaigns, each in a transaction of its own.
 *
 * @returns whether there may be more
 */
export async function publishAllDue(database: Database, now: number): Promise<boolean> {
  let hasMore = false;
  for (const id of await database.query((queries) => findOrganizationsWithDue(queries, now))) {
    if (await database.transactionOf(id, (scope) => publishDue(scope, now))) hasMore = true;
  }
  return hasMore;
}

/** Whether its record changes without an event, because one of its ages was reached since it is due. */
const hasReachedAge = (stored: StoredCampaign, now: number) =>
  publishTimes(stored).some((at) => at >= (stored.publishAt ?? now) && at <= now);

/** Deletes what readers see of campaigns that are deleted, or move to another send time. */
export async function deletePublished(
  scope: Scope,
  campaigns: readonly { id: number; sentAt: number }[],
): Promise<void> {
  await deleteEmails(scope, campaigns);
  await deleteSums(scope, campaigns);
}

async function saveSent(
  scope: Scope,
  organization: Organization,
  campaigns: readonly StoredCampaign[],
  { revision, now, retagged = [] }: { revision: number; now: number; retagged?: readonly number[] },
): Promise<void> {
  const sent = await sentOf(scope, organization, campaigns, now);
  await saveRecords(scope, organization, sent, { revision, retagged });
  await saveSums(scope, sent.flatMap(bothSums));
}

/**
 * Those that are published, without withheld results. The clocks of processes may differ: what one has published stays
 * published.
 */
async function sentOf(
  scope: Scope,
  { minAnswers }: Organization,
  given: readonly StoredCampaign[],
  now: number,
): Promise<readonly StoredCampaign[]> {
  const campaigns = given.map((stored) => releaseAnswers(stored, minAnswers));
  const later = campaigns
    .filter(({ campaign }) => isScheduled(campaign, now))
    .map(({ campaign }) => campaign.id);
  if (later.length === 0) return campaigns;
  const scheduled = await findScheduledIds(scope, later);
  return campaigns.filter(({ campaign }) => !scheduled.has(campaign.id));
}

/** Saves the typed records of campaigns, and that they changed. */
async function saveRecords(
  scope: Scope,
  organization: Organization,
  sent: readonly StoredCampaign[],
  { revision, retagged }: { revision: number; retagged: readonly number[] },
): Promise<void> {
  if (sent.length === 0) return;
  await saveEmails(
    scope,
    sent.map((stored) => ({
      ...toTypedRecord(stored, organization, revision),
      record: renderRecord(stored, organization),
    })),
  );
  const changed = sent.map(({ campaign: { id, sentAt } }) => ({ id, sentAt }));
  await saveChanges(scope, changed, retagged);
}

/** The rows of `sums` of a campaign without withheld results, human traffic first. */
export const bothSums = (released: StoredCampaign) =>
  trafficFilters.map((traffic) => sumsOf(released, traffic));

const noTally = emptyTally();

function sumsOf(stored: StoredCampaign, traffic: TrafficFilter): CampaignSums {
  const { campaign, numbers } = stored;
  const { id, sentAt, team, sendingType, trackingType } = campaign;
  const sums = sumsOfCampaign(ofTraffic(stored, traffic));
  const row = {
    traffic,
    sent_at: sentAt,
    campaign_id: id,
    tracking_type: trackingType,
    team: shortened(team),
    sending_type: shortened(sendingType),
    kind: kindOf(stored),
    surveys: surveysOf(stored),
    answers: answersOf(stored),
    recipient_count: numberOf(stored, traffic, "recipient_count"),
    unique_opens: numberOf(stored, traffic, "unique_opens"),
    unique_clicks: numberOf(stored, traffic, "unique_clicks"),
    comments_count: numberOf(stored, traffic, "comments_count"),
  };
  const proofs = proofsOf("tallies" in numbers ? numbers.tallies.people : noTally);
  return withSums(row, isStillCounting(stored) ? withoutRates(sums) : sums, proofs);
}

/** A campaign that is still counting is compared with none, so it enters only what counts campaigns and recipients. */
function withoutRates({ campaigns, countedCampaigns, recipients }: Sums): Sums {
  return { ...emptySums(), campaigns, countedCampaigns, recipients };
}

const shortened = (text: string | null) => (text === null ? null : teamKeyOf(text));
