// Stages a list of a campaign's recipients: its rows wait under a ledger of their own until all of them are there.

import { groupsIn } from "../../campaign/audience/groups-in.ts";
import type { TrackingType } from "../../campaign/campaign.ts";
import type { GroupsByAttribute, Recipient } from "../../campaign/events/recipient.ts";
import { contributions, openedOf } from "../../campaign/events/tally.ts";
import { AppError } from "../../errors.ts";
import { findInDirectory } from "../../storage/audience/directory.ts";
import {
  addRecipientList,
  deleteRecipientList,
  findRecipientList,
  findRecipientLists,
  type RecipientList,
  saveListProgress,
} from "../../storage/audience/recipient-lists.ts";
import { listAttributes } from "../../storage/audience/store-groups.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findLedgers, type Ledger } from "../../storage/ledgers/ledgers.ts";
import { findRecipients, saveRecipients } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { requireSender } from "../campaigns/check-campaign-change.ts";
import { forgottenRecipientName, hashRecipient, storedRecipientName } from "../hashes/hash-recipient.ts";
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
    return groups ? [] : [{ ledgerId, name, state, opened: openedOf(state, contributions(state)) }];
  });
  await saveRecipients(scope, recipients);
  await saveListProgress(scope, { ...list, added, workedAt: now });
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

/** Deletes a list of which rows are missing. */
export async function giveUpList(scope: Scope, ledgerId: number): Promise<void> {
  const list = await findRecipientList(scope, ledgerId);
  if (list?.state === "staging") await deleteRecipientList(scope, list);
}

/** @throws AppError `unavailable` if another list has replaced it */
export async function requireList(scope: Scope, ledgerId: number): Promise<RecipientList> {
  const list = await findRecipientList(scope, ledgerId);
  if (list) return list;
  throw new AppError("unavailable", "The campaign has got another list meanwhile. Send this one again.");
}

/** @throws AppError as {@link startList} */
export async function requireListable(
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
