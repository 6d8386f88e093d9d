// Reported campaigns come or change: their tags are matched by name, and what is really different is published.

import type { Tag } from "../../campaign/campaign.ts";
import { toStoredRecord } from "../../campaign/email-record.ts";
import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { findCampaigns, type StoredCampaign } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { type CampaignChange, publish } from "../publish.ts";
import { matchTags } from "./match-tags.ts";

/** `counted`: left as it is, because the numbers of the campaign that is there are counted from events. */
export type SaveStatus = "added" | "changed" | "unchanged" | "counted";

/** What an import notices, over as many calls as it needs. */
export interface Noticed {
  /** Names of the tags that this import made without a colour; a colour that is named later is theirs. */
  uncolored?: Set<string>;
  /** Is called with the fields of a campaign that had a value and have none any more. */
  emptied?: (fields: string[]) => void;
}

/**
 * Saves reported campaigns, none of them twice. The same content again changes nothing.
 *
 * @returns what became of each, in the order of `reported`
 */
export async function saveReportedCampaigns(
  queries: Queries,
  organization: Organization,
  reported: readonly ReportedCampaign[],
  now: number,
  { uncolored = new Set(), emptied }: Noticed = {},
): Promise<SaveStatus[]> {
  const named = reported.flatMap((each) => each.tags);
  const tags = await matchTags(queries, { organizationId: organization.id, named, uncolored, now });
  const ids = reported.map(({ campaign }) => campaign.id);
  const before = new Map(
    (await findCampaigns(queries, organization.id, ids)).map((stored) => [stored.campaign.id, stored]),
  );
  const outcomes: SaveStatus[] = [];
  const different: CampaignChange[] = [];
  for (const each of reported) {
    const after = toStored(
      each,
      each.tags.map(({ name }) => tags.get(name) as Tag),
    );
    const known = before.get(each.campaign.id);
    const isSame = known && contentOf(known) === contentOf(after);
    const outcome = !known ? "added" : known.counting ? "counted" : isSame ? "unchanged" : "changed";
    outcomes.push(outcome);
    if (outcome === "added" || outcome === "changed") different.push({ before: known, after });
    if (known && outcome === "changed") emptied?.(emptiedBy(known, after));
  }
  if (different.length > 0) await publish(queries, organization, different, now);
  return outcomes;
}

/** Whether a campaign is already there with the same content. The colours that it names for its tags do not count. */
export async function isUnchanged(
  queries: Queries,
  organizationId: number,
  reported: ReportedCampaign,
): Promise<boolean> {
  const [known] = await findCampaigns(queries, organizationId, [reported.campaign.id]);
  if (!known) return false;
  const tags = new Map(known.tags.map((tag) => [tag.name, tag]));
  const same = reported.tags.map(({ name }) => tags.get(name)).filter((tag) => tag !== undefined);
  return same.length === reported.tags.length && contentOf(known) === contentOf(toStored(reported, same));
}

function toStored({ campaign, metrics }: ReportedCampaign, tags: Tag[]): StoredCampaign {
  return { campaign, tags, numbers: { reported: metrics }, counting: null };
}

/** All that an import gives of a campaign; nothing of a counted one. */
function recordOf({ campaign, tags, numbers }: StoredCampaign): Record<string, unknown> {
  return "reported" in numbers ? toStoredRecord(campaign, tags, numbers.reported) : {};
}

function contentOf(stored: StoredCampaign): string {
  return JSON.stringify(recordOf(stored));
}

/** Whether it is no value, or a list of no tags. */
const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function emptiedBy(before: StoredCampaign, after: StoredCampaign): string[] {
  const left = recordOf(after);
  const had = Object.entries(recordOf(before)).filter(([, value]) => !isEmpty(value));
  return had.map(([field]) => field).filter((field) => isEmpty(left[field]));
}
