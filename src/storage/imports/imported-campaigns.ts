// The table `imported_campaigns`: the imports that brought each campaign, in order, so that any of them can be undone.
//
// What an import said of a campaign is in `before` of the next one, or in the campaign itself. So each change of a campaign
// is either added here, or ends the history of the campaign.

import { sql } from "kysely";
import { chunks, type Queries } from "../database.ts";
import { inputRowsForUpdate } from "../dialect-differences.ts";
import { deleteRows } from "../rows.ts";

/** One import in the history of a campaign. */
interface ImportedCampaign {
  importId: number;
  campaignId: number;
  position: number;
}

/** What a campaign was before an import. */
interface StateBefore {
  /** JSON of the campaign without its tags; null if the import added it. */
  before: string | null;
  /** JSON list of the ids of its tags. */
  tagsBefore: string;
}

export async function addImportedCampaigns(
  queries: Queries,
  organizationId: number,
  campaigns: readonly (ImportedCampaign & StateBefore)[],
): Promise<void> {
  const rows = campaigns.map(({ importId, campaignId, position, before, tagsBefore }) => ({
    ...{ organization_id: organizationId, import_id: importId, campaign_id: campaignId, position },
    ...{ before, tags_before: tagsBefore },
  }));
  for (const some of chunks(rows)) await queries.insertInto("imported_campaigns").values(some).execute();
}

/** The histories of campaigns, each from the first import to the last; campaigns without one are missing. */
export async function findHistories(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<Map<number, ImportedCampaign[]>> {
  const histories = new Map<number, ImportedCampaign[]>();
  for (const some of chunks(campaignIds)) {
    const rows = await queries
      .selectFrom("imported_campaigns")
      .select(["import_id as importId", "campaign_id as campaignId", "position"])
      .where("organization_id", "=", organizationId)
      .where("campaign_id", "in", some)
      .orderBy("position")
      .execute();
    for (const row of rows) histories.set(row.campaignId, [...(histories.get(row.campaignId) ?? []), row]);
  }
  return histories;
}

/** The next campaigns of an import, by id. @param after the last id before; 0 for the first ones */
export function findImportedCampaigns(
  queries: Queries,
  organizationId: number,
  importId: number,
  { after, limit }: { after: number; limit: number },
): Promise<(ImportedCampaign & StateBefore)[]> {
  return queries
    .selectFrom("imported_campaigns")
    .select(["import_id as importId", "campaign_id as campaignId", "position"])
    .select(["before", "tags_before as tagsBefore"])
    .where("organization_id", "=", organizationId)
    .where("import_id", "=", importId)
    .where("campaign_id", ">", after)
    .orderBy("campaign_id")
    .limit(limit)
    .execute();
}

/** Changes what campaigns were before an import. */
export async function saveStatesBefore(
  queries: Queries,
  organizationId: number,
  states: readonly (ImportedCampaign & StateBefore)[],
): Promise<void> {
  const types = {
    import_id: "integer",
    campaign_id: "integer",
    before: "text",
    tags_before: "text",
  } as const;
  const rows = states.map(({ importId, campaignId, before, tagsBefore }) => {
    return [importId, campaignId, before, tagsBefore];
  });
  await sql`update imported_campaigns set before = input.before, tags_before = input.tags_before
    from ${inputRowsForUpdate(queries, types, rows)}
    where imported_campaigns.organization_id = ${organizationId}
      and imported_campaigns.import_id = input.import_id
      and imported_campaigns.campaign_id = input.campaign_id`.execute(queries);
}

/** The ids of all tags that campaigns had before an import. */
export async function findTagsBefore(queries: Queries, organizationId: number): Promise<Set<number>> {
  const rows = await queries
    .selectFrom("imported_campaigns")
    .select("tags_before as json")
    .distinct()
    .where("organization_id", "=", organizationId)
    .execute();
  return new Set(rows.flatMap(({ json }) => JSON.parse(json) as number[]));
}

/** Ends the histories of campaigns that something else than an import brought or changed: no undoing touches them. */
export async function endHistories(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<void> {
  for (const some of chunks(campaignIds)) {
    await queries
      .deleteFrom("imported_campaigns")
      .where("organization_id", "=", organizationId)
      .where("campaign_id", "in", some)
      .execute();
  }
}

/** Removes an import that was undone from all histories. */
export async function deleteImportedCampaigns(
  queries: Queries,
  organizationId: number,
  importId: number,
): Promise<void> {
  const ofImport = { organization_id: organizationId, import_id: importId };
  await deleteRows(queries, "imported_campaigns", ofImport);
}

/** Lets the histories of campaigns begin after an import that can no longer be undone. */
export async function settleImport(
  queries: Queries,
  organizationId: number,
  importId: number,
): Promise<void> {
  await sql`delete from imported_campaigns where organization_id = ${organizationId} and exists (
    select 1 from imported_campaigns as settled
    where settled.organization_id = ${organizationId} and settled.import_id = ${importId}
      and settled.campaign_id = imported_campaigns.campaign_id
      and settled.position >= imported_campaigns.position)`.execute(queries);
}
