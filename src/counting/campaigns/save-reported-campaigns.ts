// Saves reported campaigns: matches their tags by name and publishes those that differ from their stored version.

import { toNullableRecord } from "../../campaign/email-record.ts";
import { metricNames } from "../../campaign/metrics.ts";
import type { EmailRecordField } from "../../campaign/record-fields.ts";
import { campaignFields, type ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { endHistories } from "../../storage/imports/imported-campaigns.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { newRandomId } from "../../storage/organizations/revisions.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CampaignChange, publishAtAfter, saveAndPublish } from "../publish.ts";
import { type Said, saidOf, withSaid } from "./corrections.ts";
import { matchTags } from "./match-tags.ts";

/** `counted`: left unchanged, because a campaign with this id is counted from events. */
export type SaveStatus = "added" | "changed" | "unchanged" | "counted";

/** What an import observes over all its calls. */
export interface ImportNotices {
  /** Names of the tags that this import created without a color; the next color named for one of them applies. */
  uncolored?: Set<string>;
  /** Called with the fields of a campaign that had a value and lose it. */
  emptied?: (fields: string[]) => void;
  /** Called with what a call has saved. By default it ends the histories of the campaigns, so that they are kept. */
  saved?: ((campaigns: readonly CampaignChange[]) => Promise<void>) | undefined;
}

/**
 * Idempotent: saving the same content again changes nothing.
 *
 * @param reported campaigns with different ids
 * @returns the status of each, in the order of `reported`
 */
export async function saveReportedCampaigns(
  scope: Scope,
  organization: Organization,
  reported: readonly ReportedCampaign[],
  now: number,
  { uncolored = new Set(), emptied, saved: onSaved }: ImportNotices = {},
): Promise<SaveStatus[]> {
  const named = reported.flatMap((each) => each.tags);
  const { tags, idsOf } = await matchTags(scope, { organization, named, uncolored, now });
  const ids = reported.map(({ campaign }) => campaign.id);
  const before = new Map((await findCampaigns(scope, ids)).map((stored) => [stored.campaign.id, stored]));
  const statuses: SaveStatus[] = [];
  /** Includes campaigns that had the same content already, whose `before` is `after`. */
  const saved: CampaignChange[] = [];
  for (const each of reported) {
    const known = before.get(each.campaign.id);
    const stored = withSaid(known ?? newCampaign(each), saidBy(each, idsOf(each.tags), known), tags);
    const after = { ...stored, publishAt: publishAtAfter(known, stored, now) };
    const isSame = known && contentOf(known) === contentOf(after);
    const status = !known ? "added" : known.counting ? "counted" : isSame ? "unchanged" : "changed";
    statuses.push(status);
    if (status !== "counted") saved.push({ before: known, after: isSame ? known : after });
    if (known && status === "changed") emptied?.(emptiedFields(known, after));
  }
  const changes = saved.filter(({ before, after }) => before !== after);
  if (changes.length > 0) await saveAndPublish(scope, organization, changes, now);
  await (onSaved?.(saved) ?? endHistories(scope, ids));
  return statuses;
}

function newCampaign({ campaign, metrics }: ReportedCampaign): Omit<StoredCampaign, "publishAt"> {
  const numbers = { reported: metrics };
  return {
    registration: newRandomId(),
    campaign,
    tags: [],
    numbers,
    counting: null,
    corrections: {},
    origin: null,
  };
}

/** A field that the file has no column for stays. So do the numbers if it has none of them: those of one report belong together. */
function saidBy(
  { campaign, metrics, absent = [] }: ReportedCampaign,
  tagIds: readonly number[],
  known: StoredCampaign | undefined,
): Said {
  const said: Said = { campaign: { ...campaign }, tagIds, reported: metrics };
  if (!known) return said;
  const before = saidOf(known);
  for (const [name, field] of Object.entries(campaignFields)) {
    if (absent.includes(name as EmailRecordField))
      Object.assign(said.campaign, { [field]: before.campaign[field] });
  }
  return {
    campaign: said.campaign,
    tagIds: absent.includes("tags") ? before.tagIds : tagIds,
    reported: metricNames.every((name) => absent.includes(name)) ? before.reported : metrics,
  };
}

/** The fields that an import sets, as they are shown; none for a counted campaign. */
function recordOf({ campaign, tags, numbers }: StoredCampaign): Record<string, unknown> {
  return "reported" in numbers ? toNullableRecord(campaign, tags, numbers.reported) : {};
}

function contentOf(stored: StoredCampaign): string {
  return JSON.stringify([recordOf(stored), stored.corrections]);
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function emptiedFields(before: StoredCampaign, after: StoredCampaign): string[] {
  const left = recordOf(after);
  const had = Object.entries(recordOf(before)).filter(([, value]) => !isEmpty(value));
  return had.map(([field]) => field).filter((field) => isEmpty(left[field]));
}
