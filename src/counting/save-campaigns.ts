// Campaigns come or change: their tags are matched by name, and what is really different is published.

import { paletteColor, type Tag } from "../campaign/campaign.ts";
import { toStoredRecord } from "../campaign/email-record.ts";
import type { NamedTag, ReportedCampaign } from "../campaign/reported-campaign.ts";
import { deleteCampaign, findCampaigns, type StoredCampaign } from "../storage/campaigns.ts";
import type { Queries } from "../storage/database.ts";
import { type Organization, raiseRevision } from "../storage/organizations.ts";
import { addTag, changeTag, listTags } from "../storage/tags.ts";
import { publish } from "./publish.ts";

export type Outcome = "added" | "changed" | "unchanged";

/**
 * Saves reported campaigns, none of them twice. The same content again changes nothing.
 *
 * @param uncolored names of the tags that this import made without a colour; a colour that is named later is theirs
 * @returns what became of each, in the order of `reported`
 */
export async function saveReportedCampaigns(
  queries: Queries,
  organization: Organization,
  reported: readonly ReportedCampaign[],
  now: number,
  uncolored: Set<string> = new Set(),
): Promise<Outcome[]> {
  const named = reported.flatMap((each) => each.tags);
  const tags = await matchTags(queries, { organizationId: organization.id, named, uncolored, now });
  const ids = reported.map(({ campaign }) => campaign.id);
  const before = new Map(
    (await findCampaigns(queries, organization.id, ids)).map((stored) => [stored.campaign.id, stored]),
  );
  const outcomes: Outcome[] = [];
  const different: StoredCampaign[] = [];
  for (const each of reported) {
    const after = { ...each, tags: each.tags.map(({ name }) => tags.get(name) as Tag) };
    const known = before.get(each.campaign.id);
    const outcome = !known ? "added" : contentOf(known) === contentOf(after) ? "unchanged" : "changed";
    outcomes.push(outcome);
    if (outcome !== "unchanged") different.push(after);
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
  return same.length === reported.tags.length && contentOf(known) === contentOf({ ...reported, tags: same });
}

/** The organization's tags by name; those it does not have yet are made, with their colour or one for their name. */
async function matchTags(
  queries: Queries,
  {
    organizationId,
    named,
    uncolored,
    now,
  }: { organizationId: number; named: readonly NamedTag[]; uncolored: Set<string>; now: number },
): Promise<Map<string, Tag>> {
  const tags = new Map((await listTags(queries, organizationId)).map((tag) => [tag.name, tag]));
  for (const { name, color } of named) {
    const tag = tags.get(name);
    if (!tag) {
      tags.set(name, await addTag(queries, { organizationId, name, color: color ?? paletteColor(name) }));
      if (color === null) uncolored.add(name);
    } else if (color !== null && uncolored.delete(name)) {
      await changeTag(queries, { organizationId, id: tag.id, change: { color }, now });
      tags.set(name, { ...tag, color });
    }
  }
  return tags;
}

function contentOf({ campaign, tags, metrics }: StoredCampaign): string {
  return JSON.stringify(toStoredRecord(campaign, tags, metrics));
}

/** Removes a campaign and all that hangs on it. Returns whether there was such a campaign. */
export async function removeCampaign(
  queries: Queries,
  organizationId: number,
  id: number,
  now: number,
): Promise<boolean> {
  if (!(await deleteCampaign(queries, organizationId, id))) return false;
  await raiseRevision(queries, organizationId, now);
  return true;
}
