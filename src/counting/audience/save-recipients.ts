// Saves the list of a campaign's recipients with their groups, from which the denominators of its groups come.

import { type CountedGroups, countInGroups } from "../../campaign/audience/group-counts.ts";
import { groupsIn } from "../../campaign/audience/groups-in.ts";
import type { TrackingType } from "../../campaign/campaign.ts";
import { isForgotten } from "../../campaign/events/parse-event.ts";
import { type GroupsByAttribute, hasEvents, type Recipient } from "../../campaign/events/recipient.ts";
import { contributions, openedOf } from "../../campaign/events/tally.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { AppError } from "../../errors.ts";
import { findInDirectory } from "../../storage/audience/directory.ts";
import { replaceCopies } from "../../storage/audience/released-groups.ts";
import { listAttributes } from "../../storage/audience/store-groups.ts";
import { findCampaigns, saveCampaigns } from "../../storage/campaigns/campaigns.ts";
import { publishAtAfterCount, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findLedgers, type Ledger } from "../../storage/ledgers/ledgers.ts";
import {
  deleteRecipients,
  readRecipients,
  type StoredRecipient,
  saveRecipients,
} from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { chunks } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { replaceCampaignGroups } from "../campaign-groups.ts";
import { requireSender } from "../campaigns/check-campaign-change.ts";
import { forgottenRecipientName, hashRecipient, storedRecipientName } from "../hashes/hash-recipient.ts";
import { publishSaved } from "../publish.ts";
import type { ListRow } from "./parse-list.ts";
import { type ListedRecipient, resolveGroups } from "./resolve-groups.ts";

const rowsPerStatement = 2_000;

/**
 * Replaces the list of a campaign. Values that a row lacks come from the directory. Recipients with an
 * event who are not on the list keep their groups.
 *
 * @returns the number of recipients on the list
 * @throws AppError `not_found` if there is no such campaign; `forbidden` as {@link requireSender}; `conflict` if it was imported, is closed or has Overall
 *   tracking; `bad_request` if a row is wrong
 */
export async function saveRecipientList(
  scope: Scope,
  organization: Organization,
  { id, rows, now, sender }: { id: number; rows: readonly ListRow[]; now: number; sender?: number },
): Promise<number> {
  const { stored, ledger } = await requireListable(scope, id);
  requireSender(stored, sender);
  const attributeIds = (await listAttributes(scope)).map((attribute) => attribute.id);
  const listed = await namedGroups(scope, organization, { stored, ledger, attributeIds, rows });
  const merged = await mergeWithLedger(scope, { ledger, attributeIds, listed });
  const counting = stored.counting && { ...stored.counting, attributeIds, listed: merged.listed };
  const publishAt = publishAtAfterCount({ ...stored, counting }, now);
  const after: StoredCampaign = { ...stored, counting, publishAt };
  await saveCampaigns(scope, [after]);
  await replaceCampaignGroups(scope, id, merged.counted);
  // Which groups reveal others may change while their sizes do not.
  if (hasNames(after.campaign)) await replaceCopies(scope, new Map([[id, []]]));
  await publishSaved(scope, organization, [after], { now, isMoved: false });
  return merged.listed;
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

interface ListOfCampaign {
  stored: StoredCampaign;
  ledger: Ledger;
  attributeIds: readonly number[];
  rows: readonly ListRow[];
}

interface ListedGroups {
  groups: GroupsByAttribute;
  /** The name of the recipient once it is forgotten; empty if the campaign has no forgotten one. */
  forgottenName: string;
}

/** The groups of listed recipients, by the name in the ledger. */
async function namedGroups(
  scope: Scope,
  organization: Organization,
  { stored, ledger, attributeIds, rows }: ListOfCampaign,
): Promise<Map<string, ListedGroups>> {
  const listed = await resolveGroups(scope, rows);
  const secrets = { organization: organization.secret, campaign: ledger.secret };
  const trackingType = stored.campaign.trackingType as TrackingType;
  const named = new Map<string, ListedGroups>();
  for (const some of chunks(listed, rowsPerStatement)) {
    const known = await groupsInDirectory(scope, organization, some, attributeIds);
    for (const { recipient, groups } of some) {
      const name = storedRecipientName(secrets, trackingType, { recipient });
      named.set(name, {
        groups: groupsIn(attributeIds, groups, known.get(recipient)),
        forgottenName:
          ledger.forgottenId === null ? "" : forgottenRecipientName(secrets, trackingType, { recipient }),
      });
    }
  }
  return named;
}

/** The groups of recipients that lack a value, by recipient. */
async function groupsInDirectory(
  scope: Scope,
  organization: Organization,
  listed: readonly ListedRecipient[],
  attributeIds: readonly number[],
): Promise<Map<string, GroupsByAttribute | undefined>> {
  if (organization.directoryVersion === 0) return new Map();
  const isIncomplete = ({ groups }: ListedRecipient) => attributeIds.some((id) => groups[id] === undefined);
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

interface MergeOptions {
  ledger: Ledger;
  attributeIds: readonly number[];
  listed: ReadonlyMap<string, ListedGroups>;
}

/** Saves who is listed in the ledger. @returns how many are, and what the campaign counts by group */
async function mergeWithLedger(
  scope: Scope,
  { ledger, attributeIds, listed }: MergeOptions,
): Promise<{ listed: number; counted: CountedGroups }> {
  const merged = { listed: 0, counted: new Map() as CountedGroups };
  const save = async (recipients: readonly StoredRecipient[]) => {
    const rows = recipients.map((recipient) => {
      const contributed = contributions(recipient.state);
      merged.listed += recipient.state.listed ?? 0;
      countInGroups(merged.counted, recipient.state, { isNew: true, after: contributed });
      return { ...recipient, opened: openedOf(contributed) };
    });
    await saveRecipients(scope, rows);
  };
  const left = new Map(listed);
  const forgotten = namesOfForgotten(ledger, listed);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const range = { ledgerId: ledger.id, after, limit: rowsPerStatement };
    const page = await readRecipients(scope, range);
    const changed = page.map((row) => {
      const name = forgotten.get(row.name) ?? row.name;
      const state = mergedState(row.state, left.get(name)?.groups, attributeIds);
      left.delete(name);
      return { ...row, state };
    });
    // A forgotten recipient stays, so that later events are ignored.
    const isKept = ({ name, state }: StoredRecipient) => state.groups !== undefined || isForgotten(name);
    await save(changed.filter(isKept));
    const names = changed.filter((each) => !isKept(each)).map(({ name }) => name);
    await deleteRecipients(scope, ledger.id, names);
    after = page.length < rowsPerStatement ? undefined : page.at(-1)?.name;
  }
  for (const some of chunks([...left])) {
    await save(
      some.map(([name, { groups }]) => ({ ledgerId: ledger.id, name, state: { groups, listed: 1 } })),
    );
  }
  return merged;
}

/** The names of listed recipients, by those that they have once they are forgotten. Most campaigns forgot none. */
function namesOfForgotten(ledger: Ledger, listed: MergeOptions["listed"]): Map<string, string> {
  if (ledger.forgottenId === null) return new Map();
  return new Map([...listed].map(([name, { forgottenName }]) => [forgottenName, name]));
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
  if (own) return { ...events, groups: own, listed: 1 };
  return hasEvents(events) ? { ...events, groups: groupsIn(attributeIds, groups) } : {};
}
