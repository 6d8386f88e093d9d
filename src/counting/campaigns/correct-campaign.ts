// Corrects what the sender or the import of a campaign said of it. What was counted stays.

import type { Campaign } from "../../campaign/campaign.ts";
import { contradictedRates } from "../../campaign/campaign-rates.ts";
import {
  type CountedCampaign,
  parseCountedCampaign,
  toRegistration,
} from "../../campaign/counted-campaign.ts";
import { toNullableRecord } from "../../campaign/email-record.ts";
import { emptyTally } from "../../campaign/events/tally.ts";
import { type FieldError, formatErrors } from "../../campaign/fields/validate-fields.ts";
import { deriveMetrics, type ReportedMetrics } from "../../campaign/metrics.ts";
import { parseReportedCampaign, type ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { AppError } from "../../errors.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { endHistories, findHistories } from "../../storage/imports/imported-campaigns.ts";
import { findSampleImport } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { CampaignChange } from "../publish.ts";
import { saveCountedCampaign } from "./save-counted-campaign.ts";
import { saveReportedCampaigns } from "./save-reported-campaigns.ts";

/** Fields of a registration with their new values; null for none. The other fields stay. */
type EditedFields = Record<string, unknown>;

type Correction = { errors: FieldError[] } | { counted: CountedCampaign } | { reported: ReportedCampaign };

/** Validates the fields of a counted campaign as its registration does, and those of a reported one as an import does. */
export function parseCorrection(stored: StoredCampaign, edited: EditedFields, timeZone: string): Correction {
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
  if (!reported) return { errors };
  const metrics = followRecipients(campaign, reported);
  return { reported: { ...reported, metrics } };
}

/** The rates and the unopened that followed from the number of recipients before follow from the new one. */
function followRecipients(before: Campaign, { campaign, metrics }: ReportedCampaign): ReportedMetrics {
  const { recipientCount } = campaign;
  if (before.recipientCount === null || recipientCount === null) return metrics;
  const { unique_opens: opens, unique_clicks: clicks, unopened } = metrics;
  const tally = { ...emptyTally(), uniqueOpens: opens ?? 0, uniqueClicks: clicks ?? 0 };
  const derived = deriveMetrics(tally, recipientCount);
  const contradicted = contradictedRates(before, metrics);
  const follows = (name: "open_rate" | "click_rate", count: number | null) =>
    metrics[name] !== null && count !== null && !contradicted.includes(name);
  const wasDerived = unopened !== null && unopened === deriveMetrics(tally, before.recipientCount).unopened;
  return {
    ...metrics,
    ...(before.recipientCount !== recipientCount && {
      ...(follows("open_rate", opens) && { open_rate: derived.open_rate }),
      ...(follows("click_rate", clicks) && { click_rate: derived.click_rate }),
      ...(wasDerived && opens !== null && { unopened: derived.unopened }),
    }),
  };
}

/** Tells what corrections change and of which campaign, without the tracking type: pages may show another. */
export function detailsOf({ registration, campaign, tags, counting }: StoredCampaign): string {
  return JSON.stringify([registration, { ...campaign, trackingType: null }, tags, counting?.externalId]);
}

/**
 * @param task.details of the campaign that was corrected
 * @returns false if it has other details by now
 * @throws AppError `not_found` if the campaign is gone, `bad_request` naming the fields that are wrong, `conflict` as
 *   {@link saveCountedCampaign}
 */
export async function correctCampaign(
  scope: Scope,
  organization: Organization,
  { id, details, input, now }: { id: number; details: string; input: unknown; now: number },
): Promise<"added" | "changed" | "unchanged" | false> {
  const [stored] = await findCampaigns(scope, [id]);
  if (!stored) throw new AppError("not_found");
  if (detailsOf(stored) !== details) return false;
  const correction = parseCorrection(stored, input as EditedFields, organization.timeZone);
  if ("errors" in correction) throw new AppError("bad_request", `${formatErrors(correction.errors)}.`);
  if ("counted" in correction)
    return saveCountedCampaign(scope, organization, correction.counted, now, "user");
  const saved = async ([change]: readonly CampaignChange[]) => {
    const newest = (await findHistories(scope, [id])).get(id)?.at(-1);
    const sample = await findSampleImport(scope);
    // A corrected campaign of the sample is still one.
    if (change?.before !== change?.after && newest?.import_id !== sample?.id) await endHistories(scope, [id]);
  };
  const corrected = [correction.reported];
  const [status] = await saveReportedCampaigns(scope, organization, corrected, now, { saved });
  return status === "unchanged" ? "unchanged" : "changed";
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
  await saveCountedCampaign(scope, organization, correction.counted, now);
}
