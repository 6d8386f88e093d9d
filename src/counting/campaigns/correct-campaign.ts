// Corrects what the sender or the import of a campaign said of it. What was counted stays.

import { isDeepStrictEqual } from "node:util";
import { commandLine } from "../../access/audit-actions.ts";
import { compareTags } from "../../campaign/campaign.ts";
import { parseCampaignEdit } from "../../campaign/campaign-edit.ts";
import {
  type CountedCampaign,
  parseCountedCampaign,
  toRegistration,
} from "../../campaign/counted-campaign.ts";
import { toNullableRecord } from "../../campaign/email-record.ts";
import { type FieldError, formatErrors } from "../../campaign/fields/validate-fields.ts";
import { parseReportedCampaign, type ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { AppError } from "../../errors.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { saveAndPublish } from "../publish.ts";
import { requireSender } from "./check-campaign-change.ts";
import { type Correction, correct } from "./corrections.ts";
import { matchTags } from "./match-tags.ts";
import { saveCountedCampaign } from "./save-counted-campaign.ts";

/** Fields of a registration with their new values; null for none. The other fields stay. */
type EditedFields = Record<string, unknown>;

type ParsedCorrection =
  | { errors: FieldError[] }
  | { counted: CountedCampaign }
  | { reported: ReportedCampaign };

/** Validates the fields of a counted campaign as its registration does, and those of a reported one as an import does. */
export function parseCorrection(
  stored: StoredCampaign,
  edited: EditedFields,
  timeZone: string,
): ParsedCorrection {
  const { campaign, tags, numbers, counting } = stored;
  if (!("reported" in numbers)) {
    const registration = toRegistration(campaign, tags, counting?.externalId ?? null);
    const read = parseCountedCampaign(campaign.id, { ...registration, ...edited }, timeZone);
    return "errors" in read ? read : { counted: read };
  }
  const { team = campaign.team, recipient_groups: groups, ...same } = edited;
  const record = {
    ...toNullableRecord(campaign, tags, numbers.reported),
    sent_at: new Date(campaign.sentAt).toISOString(),
    ...same,
    organization_team: team,
    ...(Array.isArray(groups) && { recipients: groups.join(", ") }),
  };
  const { reported, errors } = parseReportedCampaign(record, timeZone);
  return reported ? { reported } : { errors };
}

/** Tells what corrections change and of which campaign, without the tracking type: pages may show another. */
export function detailsOf({ registration, campaign, tags, counting }: StoredCampaign): string {
  return JSON.stringify([registration, { ...campaign, trackingType: null }, tags, counting?.externalId]);
}

export interface CorrectionRequest extends Pick<Correction, "reset"> {
  id: number;
  /** The {@link detailsOf} the campaign that the person saw. */
  details: string;
  actor: string;
}

/**
 * @returns false if it has other details by now
 * @throws AppError `not_found` if the campaign is gone, `bad_request` naming the fields that are wrong, `conflict` as
 *   {@link saveCountedCampaign}
 */
export async function correctCampaign(
  scope: Scope,
  organization: Organization,
  { id, details, input, actor, reset, now }: CorrectionRequest & { input: unknown; now: number },
): Promise<"added" | "changed" | "unchanged" | false> {
  const [stored] = await findCampaigns(scope, [id]);
  if (!stored) throw new AppError("not_found");
  if (detailsOf(stored) !== details) return false;
  const parsed = parseCorrection(stored, input as EditedFields, organization.timeZone);
  if ("errors" in parsed) throw new AppError("bad_request", `${formatErrors(parsed.errors)}.`);
  const correction = { author: { at: now, by: actor }, reset };
  if ("counted" in parsed)
    return saveCountedCampaign(scope, organization, parsed.counted, now, "user", correction);
  const { campaign, tags: named } = parsed.reported;
  const { tags, idsOf } = await matchTags(scope, { named, now });
  const corrected = correct(stored, { campaign, tagIds: idsOf(named) }, correction, tags);
  return saveCorrected(scope, organization, { stored, corrected, now });
}

async function saveCorrected(
  scope: Scope,
  organization: Organization,
  { stored, corrected, now }: { stored: StoredCampaign; corrected: StoredCampaign; now: number },
): Promise<"changed" | "unchanged"> {
  if (isDeepStrictEqual(corrected, { ...stored, tags: stored.tags.toSorted(compareTags) }))
    return "unchanged";
  await saveAndPublish(scope, organization, [{ before: stored, after: corrected }], now);
  return "changed";
}

/**
 * Sets tags and the team of any campaign, as a person would.
 *
 * @throws AppError `not_found` if there is no such campaign; `bad_request` naming the fields that are wrong; `forbidden` as
 *   {@link requireSender}
 */
export async function editCampaign(
  scope: Scope,
  organization: Organization,
  {
    id,
    input,
    actor,
    sender,
    now,
  }: { id: number; input: unknown; actor: string; sender: number; now: number },
): Promise<"changed" | "unchanged"> {
  const edit = parseCampaignEdit(input);
  if ("errors" in edit) throw new AppError("bad_request", `${formatErrors(edit.errors)}.`);
  const [stored] = await findCampaigns(scope, [id]);
  if (!stored) throw new AppError("not_found", `There is no campaign ${id}.`);
  requireSender(stored, sender);
  const { tags, idsOf } = await matchTags(scope, { named: edit.add, now });
  const removed = new Set(edit.remove.map(({ name }) => name));
  const left = stored.tags.filter(({ name }) => !removed.has(name)).map((tag) => tag.id);
  const tagIds = [...new Set([...left, ...idsOf(edit.add)])];
  const campaign = { ...stored.campaign, ...(edit.team !== undefined && { team: edit.team }) };
  const corrected = correct(stored, { campaign, tagIds }, { author: { at: now, by: actor } }, tags);
  return saveCorrected(scope, organization, { stored, corrected, now });
}

/**
 * Replaces who may send events of a campaign, and counts those of their events that wait in quarantine.
 *
 * @throws AppError `not_found` if there is no such campaign; `bad_request` if a sender is unknown
 */
export async function setSenders(
  scope: Scope,
  organization: Organization,
  { id, senders, now }: { id: number; senders: readonly number[]; now: number },
): Promise<void> {
  const [stored] = await findCampaigns(scope, [id]);
  const correction = stored && parseCorrection(stored, { senders }, organization.timeZone);
  if (!correction || !("counted" in correction)) {
    throw new AppError("not_found", `organization ${organization.id} counts no campaign ${id}`);
  }
  // As a correction of nothing: otherwise the sender would seem to say what people have set.
  const author = { at: now, by: commandLine };
  await saveCountedCampaign(scope, organization, correction.counted, now, undefined, { author });
}
