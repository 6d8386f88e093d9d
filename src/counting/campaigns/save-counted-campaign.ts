// Registers a counted campaign, or changes its details without touching what was counted.

import { isDeepStrictEqual } from "node:util";
import { type Campaign, compareTags } from "../../campaign/campaign.ts";
import type { CountedCampaign } from "../../campaign/counted-campaign.ts";
import { addReports, type DeliveryReport } from "../../campaign/events/outcomes.ts";
import { emptyTally } from "../../campaign/events/tally.ts";
import type { Numbers } from "../../campaign/metrics.ts";
import { AppError } from "../../errors.ts";
import { listAttributes } from "../../storage/audience/store-groups.ts";
import { saveQuestions } from "../../storage/campaigns/campaign-questions.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { hasNamelessReference } from "../../storage/campaigns/nameless-references.ts";
import { referencesOf, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { addLedger } from "../../storage/ledgers/ledgers.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { listRules } from "../../storage/organizations/rules.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { replayQuarantined } from "../events/replay.ts";
import { saveAndPublish } from "../publish.ts";
import { recountTallies } from "../tallies/recount.ts";
import { applyRules } from "./apply-rules.ts";
import { checkCampaignChange, checkExternalId } from "./check-campaign-change.ts";
import { type Correction, correct, newCampaign, withSaid } from "./corrections.ts";
import { matchTags } from "./match-tags.ts";
import { type Registrar, sendersAfter } from "./senders-after.ts";

/**
 * Saves the campaign, and replays its quarantined events in the same transaction.
 *
 * @param correction if a person corrects it: what differs is kept apart from what the sender said
 * @throws AppError `forbidden` if the registrar is not one of its senders; `conflict` if its numbers were imported, its external id belongs to another campaign, or the change
 *   contradicts what was counted
 */
export async function saveCountedCampaign(
  scope: Scope,
  organization: Organization,
  counted: CountedCampaign,
  now: number,
  registrar?: Registrar,
  correction?: Correction,
): Promise<"added" | "changed" | "unchanged"> {
  const { externalId, tags: named, questions } = counted;
  const [known] = await findCampaigns(scope, [counted.campaign.id]);
  const { tags, idsOf } = await matchTags(scope, { named, isSaid: !correction, now });
  const stored =
    known ?? newCampaign(counted.campaign, { tallies: { people: emptyTally(), all: emptyTally() } });
  const said = { campaign: counted.campaign, tagIds: idsOf(named) };
  const shown = correction
    ? correct(stored, said, correction, tags)
    : withSaid(stored, { ...said, reported: undefined }, tags);
  const ruled = known ? shown : applyRules(shown, await listRules(scope), { tags, now });
  const { campaign } = ruled;
  if (known) await checkCampaignChange(scope, organization, known, { campaign, externalId }, registrar);
  if (known?.campaign.trackingType !== campaign.trackingType) refuseNames(organization, campaign);
  await refuseReferences(scope, counted);
  await checkExternalId(scope, campaign.id, externalId);
  const counting = {
    ...(known?.counting ?? {
      ledgerId: (await addLedger(scope)).id,
      registeredAt: now,
      closedAt: null,
      listed: null,
      sourceId: null,
    }),
    attributeIds: await attributesAfter(scope, known, campaign),
    senders: await sendersAfter(scope, known, counted, registrar),
  };
  const after = {
    ...ruled,
    numbers: await numbersAfter(scope, known ?? { ...shown, counting }, {
      campaign,
      reports: counted.reports,
    }),
    counting: { ...counting, externalId },
  };
  const before = known && { ...known, tags: known.tags.toSorted(compareTags) };
  const isUnchanged = isDeepStrictEqual(before, after);
  if (!isUnchanged) await saveAndPublish(scope, organization, [{ before, after }], now);
  const areNew = await saveQuestions(scope, campaign.id, questions);
  if (isUnchanged) return areNew ? "changed" : "unchanged";
  const isRenamed = externalId !== known?.counting?.externalId;
  if (!known || campaign.sentAt < known.campaign.sentAt || isRenamed || counted.senders) {
    await replayQuarantined(scope, organization, { campaigns: referencesOf(after) }, now);
  }
  return known ? "changed" : "added";
}

/** @throws AppError `conflict` */
function refuseNames({ persons }: Organization, { trackingType }: Campaign): void {
  if (persons === "allow" || trackingType !== "Individual") return;
  throw new AppError(
    "conflict",
    'tracking_type: "Individual" is refused, because the organization keeps no persons; use "Anonymous" or "Overall".',
  );
}

/** @throws AppError `conflict` if late events of a deleted campaign without names would get names */
async function refuseReferences(
  scope: Scope,
  { campaign: { id, trackingType }, externalId }: CountedCampaign,
): Promise<void> {
  const references = externalId === null ? [id] : [id, externalId];
  if (trackingType !== "Individual" || !(await hasNamelessReference(scope, references))) return;
  throw new AppError(
    "conflict",
    'tracking_type: a deleted campaign without names had this id or external_id; use another one, "Anonymous" or "Overall".',
  );
}

/** It cannot change after the first recipient, because every recipient has a group of each attribute, or once it is closed. */
async function attributesAfter(
  scope: Scope,
  known: StoredCampaign | undefined,
  { trackingType }: Campaign,
): Promise<number[]> {
  const isSame = known?.counting?.ledgerId === null || known?.campaign.trackingType === trackingType;
  if (known?.counting && isSame) return known.counting.attributeIds;
  if (trackingType === "Overall") return [];
  return (await listAttributes(scope)).map(({ id }) => id);
}

/** Counts by age start at the send time, so another one means to count them again. A closed campaign keeps its numbers. */
async function numbersAfter(
  scope: Scope,
  {
    campaign: before,
    numbers,
    counting,
  }: Pick<StoredCampaign, "campaign" | "numbers"> & {
    counting: Pick<NonNullable<StoredCampaign["counting"]>, "ledgerId"> | null;
  },
  { campaign: { sentAt }, reports }: { campaign: Campaign; reports: readonly DeliveryReport[] },
): Promise<Numbers> {
  const ledgerId = counting?.ledgerId ?? null;
  if (ledgerId === null || !("tallies" in numbers)) return numbers;
  const { tallies } =
    sentAt === before.sentAt
      ? structuredClone(numbers)
      : await recountTallies(scope, { ledgerId, sentAt, known: numbers.tallies });
  for (const { outcomes } of Object.values(tallies)) addReports(outcomes, reports);
  return { tallies };
}
