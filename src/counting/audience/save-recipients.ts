// Saves the list of a campaign's recipients with their groups, from which the denominators of its groups come. A list may have
// 200,000 of them, so it is staged and then merged in parts, each in a transaction of its own. Readers see its groups after the last one.

import { type CountedGroups, countInGroups, subtractGroups } from "../../campaign/audience/group-counts.ts";
import { groupsIn } from "../../campaign/audience/groups-in.ts";
import type { TrackingType } from "../../campaign/campaign.ts";
import { isForgotten } from "../../campaign/events/parse-event.ts";
import { type GroupsByAttribute, hasEvents, type Recipient } from "../../campaign/events/recipient.ts";
import { contributions, openedOf } from "../../campaign/events/tally.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { AppError } from "../../errors.ts";
import { deleteEmptyCampaignGroups } from "../../storage/audience/campaign-groups.ts";
import { findInDirectory } from "../../storage/audience/directory.ts";
import {
  addRecipientList,
  deleteRecipientList,
  findListsInWork,
  findRecipientList,
  findRecipientLists,
  type RecipientList,
  saveRecipientList as saveProgress,
} from "../../storage/audience/recipient-lists.ts";
import { replaceCopies } from "../../storage/audience/released-groups.ts";
import { listAttributes } from "../../storage/audience/store-groups.ts";
import { findCampaigns, saveCampaigns } from "../../storage/campaigns/campaigns.ts";
import { publishAtAfterCount, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findLedgers, type Ledger } from "../../storage/ledgers/ledgers.ts";
import {
  deleteRecipients,
  deleteRecipientsUntil,
  findRecipients,
  readRecipients,
  saveRecipients,
} from "../../storage/ledgers/recipients.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import { chunks, type Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { addCountedGroups } from "../campaign-groups.ts";
import { requireSender } from "../campaigns/check-campaign-change.ts";
import { collectErrors } from "../collect-errors.ts";
import { forgottenRecipientName, hashRecipient, storedRecipientName } from "../hashes/hash-recipient.ts";
import { publishSaved } from "../publish.ts";
import type { ListRow } from "./parse-list.ts";
import { requireSame, resolveGroups } from "./resolve-groups.ts";

/** The rows of a part. Others wait some ten milliseconds for it. */
export const listedPerPart = 1_000;

/**
 * Starts to replace the list of a campaign. A list of which rows are missing is given up.
 *
 * @returns the id of the list
 * @throws AppError `not_found` if there is no such campaign; `forbidden` as {@link requireSender}; `conflict` if it was
 *   imported, is closed or has Overall tracking; `unavailable` while another list of it is merged
 */
export async function startList(
  scope: Scope,
  { id, now, sender }: { id: number; now: number; sender?: number },
): Promise<number> {
  const { stored } = await requireListable(scope, id);
  requireSender(stored, sender);
  for (const other of await findRecipientLists(scope, [id])) {
    if (other.state === "merging") {
      throw new AppError(
        "unavailable",
        `Another list of campaign ${id} is being saved. Try again in a moment.`,
      );
    }
    await deleteRecipientList(scope, other);
  }
  return (await addRecipientList(scope, { campaignId: id, now })).ledgerId;
}

/**
 * Stages the next rows of a list. Values that a row lacks come from the directory.
 *
 * @throws AppError `bad_request` if a row is wrong; `unavailable` if another list has replaced this one
 */
export async function stageRows(
  scope: Scope,
  organization: Organization,
  { list: ledgerId, rows, now }: { list: number; rows: readonly ListRow[]; now: number },
): Promise<void> {
  const list = await requireList(scope, ledgerId);
  const { stored, ledger } = await requireListable(scope, list.campaignId);
  const attributeIds = (await listAttributes(scope)).map((attribute) => attribute.id);
  const added = [...list.added];
  const listed = await resolveGroups(scope, rows, added);
  const inDirectory = await groupsInDirectory(scope, organization, listed, attributeIds);
  const secrets = { organization: organization.secret, campaign: ledger.secret };
  const trackingType = stored.campaign.trackingType as TrackingType;
  const staged = listed.map((each) => ({
    ...each,
    name: storedRecipientName(secrets, trackingType, each),
    forgottenName: ledger.forgottenId === null ? "" : forgottenRecipientName(secrets, trackingType, each),
    groups: groupsIn(attributeIds, each.groups, inDirectory.get(each.recipient)),
  }));
  const names = await namesInLedger(scope, ledger.id, staged);
  const keys = staged.map(({ name }) => ({ ledgerId, name: names.get(name) ?? name }));
  const before = new Map((await findRecipients(scope, keys)).map(({ name, state }) => [name, state.groups]));
  const recipients = staged.flatMap((each, index) => {
    const { name } = keys[index] as (typeof keys)[number];
    const groups = before.get(name);
    if (groups) requireSame({ groups }, each);
    const state: Recipient = { groups: each.groups, listed: 1 };
    return groups ? [] : [{ ledgerId, name, state, opened: openedOf(contributions(state)) }];
  });
  await saveRecipients(scope, recipients);
  await saveProgress(scope, { ...list, added, workedAt: now });
}

/** The names of forgotten recipients, by the name that they would have. Most campaigns forgot none. */
async function namesInLedger(
  scope: Scope,
  ledgerId: number,
  staged: readonly { name: string; forgottenName: string }[],
): Promise<Map<string, string>> {
  const candidates = staged.filter(({ forgottenName }) => forgottenName !== "");
  const keys = candidates.map(({ forgottenName }) => ({ ledgerId, name: forgottenName }));
  const forgotten = new Set((await findRecipients(scope, keys)).map(({ name }) => name));
  return new Map(
    candidates.flatMap(({ name, forgottenName }) =>
      forgotten.has(forgottenName) ? [[name, forgottenName] as const] : [],
    ),
  );
}

interface MergeOptions {
  /** The campaign. */
  id: number;
  list: number;
  /** Whether a part is merged already: a list that is gone was then finished by another process. */
  isMerging?: boolean;
  now: number;
  limit?: number;
}

/**
 * Merges the next part of a list into the recipients of its campaign. Recipients with an event who are not on the list keep
 * their groups.
 *
 * @returns the number of recipients on the list; `more` unless this was the last part
 * @throws AppError `unavailable` if another list has replaced this one
 */
export async function mergePart(
  scope: Scope,
  organization: Organization,
  { id, list: ledgerId, isMerging = false, now, limit = listedPerPart }: MergeOptions,
): Promise<number | "more"> {
  if (isMerging && !(await findRecipientList(scope, ledgerId))) {
    const { stored } = await requireListable(scope, id);
    return stored.counting?.listed ?? 0;
  }
  const list = await requireList(scope, ledgerId);
  const { stored, ledger } = await requireListable(scope, list.campaignId);
  const { campaign } = stored;
  const counting = stored.counting as NonNullable<StoredCampaign["counting"]>;
  if (list.state === "staging") {
    const attributeIds = (await listAttributes(scope)).map((attribute) => attribute.id);
    await saveCampaigns(scope, [{ ...stored, counting: { ...counting, attributeIds } }]);
    await saveProgress(scope, { ...list, state: "merging", workedAt: now });
    return "more";
  }
  const { attributeIds } = counting;
  const [known, staged] = [
    await readRecipients(scope, { ledgerId: ledger.id, after: list.mergedUntil, limit }),
    await readRecipients(scope, { ledgerId, after: "", limit }),
  ];
  const full = [known, staged].filter((page) => page.length === limit);
  // The last name up to which both pages have all rows; undefined if both are the last pages.
  const until = full.map((page) => page.at(-1)?.name ?? "").sort(compareNames)[0];
  const listed = new Map(staged.map(({ name, state }) => [name, state.groups]));
  const merged = new Map(
    known.map((row) => [row.name, mergedState(row.state, listed.get(row.name), attributeIds)]),
  );
  for (const [name, groups] of listed) {
    if (!merged.has(name)) merged.set(name, mergedState({}, groups, attributeIds));
  }
  const before = new Map(known.map(({ name, state }) => [name, state]));
  const part = [...merged].filter(([name]) => until === undefined || compareNames(name, until) <= 0);
  await saveMerged(scope, { ledger, campaignId: campaign.id, before, part });
  const next = { ...list, listed: list.listed + part.filter(([, state]) => state.listed).length };
  if (until === undefined) return finishList(scope, organization, { list: next, stored, now });
  await deleteRecipientsUntil(scope, ledgerId, until);
  await saveProgress(scope, { ...next, mergedUntil: until, workedAt: now });
  return "more";
}

/** The order of both databases, which is that of the bytes. */
const compareNames = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

interface MergedPart {
  ledger: Ledger;
  campaignId: number;
  before: ReadonlyMap<string, Recipient>;
  part: readonly (readonly [name: string, state: Recipient])[];
}

/** Saves the states of recipients, and what they change in the groups of the campaign. */
async function saveMerged(scope: Scope, { ledger, campaignId, before, part }: MergedPart): Promise<void> {
  const [left, counted] = [new Map() as CountedGroups, new Map() as CountedGroups];
  const [saved, deleted]: [Parameters<typeof saveRecipients>[1][number][], string[]] = [[], []];
  for (const [name, state] of part) {
    const known = before.get(name);
    if (known && JSON.stringify(known) === JSON.stringify(state)) continue;
    const contributed = contributions(state);
    if (known) countInGroups(left, known, { isNew: true, after: contributed });
    countInGroups(counted, state, { isNew: true, after: contributed });
    // A forgotten recipient stays, so that later events are ignored.
    if (state.groups !== undefined || isForgotten(name))
      saved.push({ ledgerId: ledger.id, name, state, opened: openedOf(contributed) });
    else deleted.push(name);
  }
  await saveRecipients(scope, saved);
  await deleteRecipients(scope, ledger.id, deleted);
  subtractGroups(counted, left);
  await addCountedGroups(scope, new Map([[campaignId, counted]]));
}

/**
 * Without events, a recipient who is not on the list is in no group.
 *
 * @param own the groups on the list; undefined if the recipient is not on it
 */
function mergedState(
  { groups, listed, ...events }: Recipient,
  own: GroupsByAttribute | undefined,
  attributeIds: readonly number[],
): Recipient {
  if (own) return { ...events, groups: groupsIn(attributeIds, own), listed: 1 };
  return hasEvents(events) ? { ...events, groups: groupsIn(attributeIds, groups) } : {};
}

async function finishList(
  scope: Scope,
  organization: Organization,
  { list, stored, now }: { list: RecipientList; stored: StoredCampaign; now: number },
): Promise<number> {
  const { listed, campaignId } = list;
  const counting = stored.counting && { ...stored.counting, listed };
  const publishAt = publishAtAfterCount({ ...stored, counting }, now);
  const after: StoredCampaign = { ...stored, counting, publishAt };
  await saveCampaigns(scope, [after]);
  await deleteEmptyCampaignGroups(scope, campaignId);
  // Which groups reveal others may change while their sizes do not.
  if (hasNames(after.campaign)) await replaceCopies(scope, new Map([[campaignId, []]]));
  await deleteRecipientList(scope, { ...list, added: [] });
  await publishSaved(scope, organization, [after], { now, isMoved: false });
  return listed;
}

/** Deletes a list of which rows are missing. */
export async function giveUpList(scope: Scope, ledgerId: number): Promise<void> {
  const list = await findRecipientList(scope, ledgerId);
  if (list?.state === "staging") await deleteRecipientList(scope, list);
}

async function requireList(scope: Scope, ledgerId: number): Promise<RecipientList> {
  const list = await findRecipientList(scope, ledgerId);
  if (list) return list;
  throw new AppError("unavailable", "The campaign has got another list meanwhile. Send this one again.");
}

async function requireListable(
  scope: Scope,
  id: number,
): Promise<{ stored: StoredCampaign; ledger: Ledger }> {
  const [stored] = await findCampaigns(scope, [id]);
  if (!stored) throw new AppError("not_found", `There is no campaign ${id}. Register it first.`);
  const refuse = (problem: string) => new AppError("conflict", `Campaign ${id} ${problem}.`);
  if (!stored.counting) throw refuse("was imported, so its recipients are not counted");
  const { ledgerId } = stored.counting;
  const ledger = ledgerId === null ? undefined : (await findLedgers(scope, [ledgerId])).get(ledgerId);
  if (!ledger) throw refuse("is closed, so its recipients are final");
  if (stored.campaign.trackingType === "Overall") {
    throw refuse('has the tracking type "Overall", which stores nothing about recipients');
  }
  return { stored, ledger };
}

/** The groups of recipients that lack a value, by recipient. */
async function groupsInDirectory(
  scope: Scope,
  organization: Organization,
  listed: Awaited<ReturnType<typeof resolveGroups>>,
  attributeIds: readonly number[],
): Promise<Map<string, GroupsByAttribute | undefined>> {
  if (organization.directoryVersion === 0) return new Map();
  const isIncomplete = ({ groups }: { groups: GroupsByAttribute }) =>
    attributeIds.some((id) => groups[id] === undefined);
  const hashes = listed
    .filter(isIncomplete)
    .map(({ recipient }) => [recipient, hashRecipient(organization.secret, { recipient })] as const);
  const found = await findInDirectory(
    scope,
    organization,
    hashes.map(([, hash]) => hash),
  );
  return new Map(hashes.map(([recipient, hash]) => [recipient, found.get(hash)]));
}

/** Saves a whole list in one transaction. @returns the number of recipients on it @throws AppError as above */
export async function saveRecipientList(
  scope: Scope,
  organization: Organization,
  { rows, ...options }: { id: number; rows: readonly ListRow[]; now: number; sender?: number },
): Promise<number> {
  const list = await startList(scope, options);
  for (const some of chunks(rows, listedPerPart)) {
    await stageRows(scope, organization, { ...options, list, rows: some });
  }
  for (;;) {
    const step = await mergePart(scope, organization, { ...options, list });
    if (step !== "more") return step;
  }
}

/** The process that saves a list does a part at least this often, unless the database is very busy. */
const abandonedAfterMs = 5_000;
/** Nothing is lost if a list waits longer until it is given up, and its rows may arrive slowly. */
const givenUpAfterMs = 30_000;

/**
 * Finishes the lists whose process seems to have ended, or gives them up if rows are missing.
 *
 * @returns the errors of those that fail
 */
export async function finishAbandonedLists(database: Database, now: number): Promise<unknown[]> {
  const abandoned = await database.query((queries) => findListsInWork(queries, now - abandonedAfterMs));
  return collectErrors(abandoned, async ({ organizationId, ledgerId }) => {
    const part = async (scope: Scope) => {
      const organization = await lockOrganization(scope);
      const list = await findRecipientList(scope, ledgerId);
      if (!organization || !list) return undefined;
      const { campaignId: id, state, workedAt } = list;
      if (state === "merging") return mergePart(scope, organization, { id, list: ledgerId, now });
      return workedAt < now - givenUpAfterMs ? giveUpList(scope, ledgerId) : undefined;
    };
    while ((await database.transactionOf(organizationId, part)) === "more");
  });
}
