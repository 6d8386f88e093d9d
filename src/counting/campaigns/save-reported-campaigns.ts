// Saves reported campaigns: matches their tags by name and publishes those that differ from their stored version.

import type { Campaign, Tag } from "../../campaign/campaign.ts";
import { campaignFields, toImportRecord } from "../../campaign/email-record.ts";
import { metricNames } from "../../campaign/metrics.ts";
import type { ImportField, ReportedCampaign } from "../../campaign/reported-campaign.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { endHistories } from "../../storage/imports/imported-campaigns.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { listRules } from "../../storage/organizations/rules.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CampaignChange, saveAndPublish } from "../publish.ts";
import { applyRules, edited } from "./apply-rules.ts";
import { assignIds, isOtherCampaign } from "./assign-ids.ts";
import { newCampaign, type Said, saidOf, withSaid } from "./corrections.ts";
import { matchTags } from "./match-tags.ts";

/** `counted`: left unchanged, because a campaign with this id is counted from events. */
export type SaveStatus = "added" | "changed" | "unchanged" | "counted";

/** What an import observes over all its calls. */
export interface ImportNotices {
  /** Names of the tags that this import created without a color; the next color named for one of them applies. */
  uncolored?: Set<string>;
  /** Called with the fields of a campaign that had a value and lose it. */
  emptied?: (fields: string[]) => void;
  /** Whether to replace a campaign by one with its id that seems to be another: see {@link isOtherCampaign}. By default it does. */
  replaces?: ((before: Campaign, after: Campaign) => boolean) | undefined;
  /** What the user wants of all of them. */
  edit?: Omit<Parameters<typeof edited>[1], "tags"> | undefined;
  /** Called with what a call has saved. By default it ends the histories of the campaigns, so that they are kept. */
  saved?: ((campaigns: readonly CampaignChange[]) => Promise<void>) | undefined;
}

/**
 * Idempotent: saving the same content again changes nothing.
 *
 * @param given campaigns with different ids
 * @returns the status of each, in their order
 */
export async function saveReportedCampaigns(
  scope: Scope,
  organization: Organization,
  given: readonly ReportedCampaign[],
  now: number,
  { uncolored = new Set(), emptied, replaces = () => true, edit, saved: onSaved }: ImportNotices = {},
): Promise<SaveStatus[]> {
  const { records: reported, known: before } = await assignIds(scope, given);
  const skipped = new Set(
    reported.filter(({ campaign }) => {
      const known = before.get(campaign.id);
      return (
        known && isOtherCampaign(known, campaign) && !known.counting && !replaces(known.campaign, campaign)
      );
    }),
  );
  const named = reported.flatMap((each) => (skipped.has(each) ? [] : each.tags));
  const { tags, idsOf } = await matchTags(scope, { named, isSaid: true, uncolored, now });
  const rules = await listRules(scope);
  const statuses: SaveStatus[] = [];
  /** Includes campaigns that had the same content already, whose `before` is `after`. */
  const saved: CampaignChange[] = [];
  for (const each of reported) {
    const known = before.get(each.campaign.id);
    if (skipped.has(each)) {
      statuses.push("unchanged");
      continue;
    }
    const stored = withSaid(
      {
        ...(known ?? newCampaign(each.campaign, { reported: each.metrics })),
        origin: known?.origin ?? each.origin ?? null,
      },
      saidBy(each, idsOf(each.tags), known),
      tags,
    );
    const ruled = known ? stored : applyRules(stored, rules, { tags, now });
    const after = (edit && edited(ruled, { ...edit, tags })) ?? ruled;
    const isSame = known && contentOf(known) === contentOf(after);
    // Where a campaign comes from is learned without telling of a change.
    const isShown = isSame || (known && contentOf({ ...known, origin: after.origin }) === contentOf(after));
    const status = !known ? "added" : known.counting ? "counted" : isShown ? "unchanged" : "changed";
    statuses.push(status);
    if (status !== "counted") saved.push({ before: known, after: isSame ? known : after });
    if (known && status === "changed") emptied?.(emptiedFields(known, after));
  }
  const changes = saved.filter(({ before, after }) => before !== after);
  await saveAndPublish(scope, organization, changes, now);
  await (onSaved?.(saved) ??
    endHistories(
      scope,
      saved.map(({ after }) => after.campaign.id),
    ));
  return statuses;
}

/** A field that the file has no column for stays. So do the numbers if it has no column with any: those of one report belong together. */
function saidBy(
  { campaign, metrics, absent = [] }: ReportedCampaign,
  tagIds: readonly number[],
  known: StoredCampaign | undefined,
): Said {
  if (!known) return { campaign, tagIds, reported: metrics };
  const before = saidOf(known);
  const fields = Object.entries(campaignFields).filter(([name]) => absent.includes(name as ImportField));
  const stays = Object.fromEntries(fields.map(([, field]) => [field, before.campaign[field]]));
  return {
    campaign: { ...campaign, ...stays },
    tagIds: absent.includes("tags") ? before.tagIds : tagIds,
    reported: metricNames.every((name) => absent.includes(name)) ? before.reported : metrics,
  };
}

/** The fields that an import sets, as they are shown; none for a counted campaign. */
function recordOf({ campaign, tags, numbers }: CampaignChange["after"]): Record<string, unknown> {
  return "reported" in numbers ? toImportRecord(campaign, tags, numbers.reported) : {};
}

function contentOf(stored: CampaignChange["after"]): string {
  return JSON.stringify([recordOf(stored), stored.corrections, stored.origin]);
}

/** The fields that a record would change of a stored campaign, as they are shown. @param byName all tags, also by names that they had before */
export function changedFields(
  stored: StoredCampaign,
  reported: ReportedCampaign,
  byName: ReadonlyMap<string, Tag>,
): ImportField[] {
  const named = reported.tags.map(
    ({ name }, index) => byName.get(name) ?? { id: -1 - index, name, color: "" },
  );
  const tags = new Map([...byName.values(), ...named].map((tag) => [tag.id, tag]));
  const said = saidBy(
    reported,
    named.map(({ id }) => id),
    stored,
  );
  const [before, after] = [recordOf(stored), recordOf(withSaid(stored, said, tags))];
  const isChanged = (field: string) => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  return Object.keys(before).filter(isChanged) as ImportField[];
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function emptiedFields(before: StoredCampaign, after: CampaignChange["after"]): string[] {
  const left = recordOf(after);
  const had = Object.entries(recordOf(before)).filter(([, value]) => !isEmpty(value));
  return had.map(([field]) => field).filter((field) => isEmpty(left[field]));
}
