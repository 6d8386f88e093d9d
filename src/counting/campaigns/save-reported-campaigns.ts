// Saves reported campaigns: matches their tags by name and publishes those that differ from their stored version.

import type { Tag } from "../../campaign/campaign.ts";
import { toNullableRecord } from "../../campaign/email-record.ts";
import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { endHistories } from "../../storage/imports/imported-campaigns.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { newRandomId } from "../../storage/organizations/revisions.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CampaignChange, publishAtAfter, saveAndPublish } from "../publish.ts";
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
  const tags = await matchTags(scope, { organization, named, uncolored, now });
  const ids = reported.map(({ campaign }) => campaign.id);
  const before = new Map((await findCampaigns(scope, ids)).map((stored) => [stored.campaign.id, stored]));
  const statuses: SaveStatus[] = [];
  /** Includes campaigns that had the same content already, whose `before` is `after`. */
  const saved: CampaignChange[] = [];
  for (const each of reported) {
    const known = before.get(each.campaign.id);
    const stored = toStored(
      each,
      each.tags.map(({ name }) => tags.get(name) as Tag),
    );
    const registration = known?.registration ?? newRandomId();
    const after = { registration, ...stored, publishAt: publishAtAfter(known, stored, now) };
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

function toStored({ campaign, metrics }: ReportedCampaign, tags: Tag[]) {
  return { campaign, tags, numbers: { reported: metrics }, counting: null };
}

/** The fields that an import sets; none for a counted campaign. */
function recordOf({ campaign, tags, numbers }: StoredCampaign): Record<string, unknown> {
  return "reported" in numbers ? toNullableRecord(campaign, tags, numbers.reported) : {};
}

function contentOf(stored: StoredCampaign): string {
  return JSON.stringify(recordOf(stored));
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function emptiedFields(before: StoredCampaign, after: StoredCampaign): string[] {
  const left = recordOf(after);
  const had = Object.entries(recordOf(before)).filter(([, value]) => !isEmpty(value));
  return had.map(([field]) => field).filter((field) => isEmpty(left[field]));
}
