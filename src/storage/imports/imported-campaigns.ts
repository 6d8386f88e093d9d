// The table `imported_campaigns`: what an import changed, so that it can be undone.

import { chunks, type Queries } from "../database.ts";
import { deleteRows } from "../rows.ts";

export interface ImportedCampaign {
  id: number;
  /** JSON of the campaign before; null if the import added it. */
  before: string | null;
  /** Hash of the campaign after. */
  after: string;
}

export async function addImportedCampaigns(
  queries: Queries,
  organizationId: number,
  importId: number,
  campaigns: readonly ImportedCampaign[],
): Promise<void> {
  const rows = campaigns.map(({ id, before, after }) => ({
    ...{ organization_id: organizationId, import_id: importId, campaign_id: id, before, after },
  }));
  for (const some of chunks(rows)) await queries.insertInto("imported_campaigns").values(some).execute();
}

/** The next ones by id. @param after the last id before; 0 for the first ones */
export function findImportedCampaigns(
  queries: Queries,
  organizationId: number,
  importId: number,
  { after, limit }: { after: number; limit: number },
): Promise<ImportedCampaign[]> {
  return queries
    .selectFrom("imported_campaigns")
    .select(["campaign_id as id", "before", "after"])
    .where("organization_id", "=", organizationId)
    .where("import_id", "=", importId)
    .where("campaign_id", ">", after)
    .orderBy("campaign_id")
    .limit(limit)
    .execute();
}

/** Whether the organization has campaigns that the import did not add or change. */
export async function hasOtherCampaigns(
  queries: Queries,
  organizationId: number,
  importId: number,
): Promise<boolean> {
  const imported = queries
    .selectFrom("imported_campaigns")
    .select("campaign_id")
    .where("organization_id", "=", organizationId)
    .where("import_id", "=", importId);
  const other = await queries
    .selectFrom("campaigns")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "not in", imported)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function deleteImportedCampaigns(
  queries: Queries,
  organizationId: number,
  importId: number,
): Promise<void> {
  const ofImport = { organization_id: organizationId, import_id: importId };
  await deleteRows(queries, "imported_campaigns", ofImport);
}
