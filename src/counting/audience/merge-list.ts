// Merges a list that is staged into the recipients of its campaign, part by part. Readers see its groups after the last one.

import { type CountedGroups, countInGroups, subtractGroups } from "../../campaign/audience/group-counts.ts";
import { groupsIn } from "../../campaign/audience/groups-in.ts";
import { isForgotten } from "../../campaign/events/parse-event.ts";
import { type GroupsByAttribute, hasEvents, type Recipient } from "../../campaign/events/recipient.ts";
import { contributions, openedOf } from "../../campaign/events/tally.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { deleteEmptyCampaignGroups } from "../../storage/audience/campaign-groups.ts";
import {
  deleteRecipientList,
  findRecipientList,
  type RecipientList,
  saveListProgress,
} from "../../storage/audience/recipient-lists.ts";
import { replaceCopies } from "../../storage/audience/released-groups.ts";
import { listAttributes } from "../../storage/audience/store-groups.ts";
import { saveCampaigns } from "../../storage/campaigns/campaigns.ts";
import { publishAtAfterCount, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Ledger } from "../../storage/ledgers/ledgers.ts";
import {
  deleteRecipients,
  deleteRecipientsUntil,
  readRecipients,
  saveRecipients,
} from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { addCountedGroups } from "../campaign-groups.ts";
import { publishSaved } from "../publish.ts";
import { listedPerPart, requireList, requireListable } from "./stage-list.ts";

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
    await saveListProgress(scope, { ...list, state: "merging", workedAt: now });
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
  await saveListProgress(scope, { ...next, mergedUntil: until, workedAt: now });
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
    if (state.groups !== undefined || state.outcomes !== undefined || isForgotten(name))
      saved.push({ ledgerId: ledger.id, name, state, opened: openedOf(state, contributed) });
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
  if (hasEvents(events)) return { ...events, groups: groupsIn(attributeIds, groups) };
  return events.outcomes ? { outcomes: events.outcomes } : {};
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
  await publishSaved(scope, organization, [after], now);
  return listed;
}
