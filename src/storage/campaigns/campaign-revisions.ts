// The table `campaign_revisions`: when each campaign last changed, so that clients read only new changes. A column
// of the wide table would need an index there, which would cost PostgreSQL its heap-only updates.

import { sql } from "kysely";
import { chunks, type Queries } from "../database.ts";
import { fromInputOf, inputRows, isAnyOf } from "../dialect-differences.ts";

/** The last change of a campaign. */
export interface CampaignRevision {
  /** Of the campaign. */
  id: number;
  revision: number;
  /** Identifies the change, even after a backup was restored. */
  revisionId: number;
}

/** The position of a change in the order of all changes. */
type RevisionKey = Pick<CampaignRevision, "id" | "revision">;

/**
 * Saves that campaigns changed, under the revision that the transaction raised. Call it for every change of a record.
 *
 * @param campaigns `sentAt` is null if the campaign was deleted
 */
export async function saveCampaignRevisions(
  queries: Queries,
  organizationId: number,
  campaigns: readonly { id: number; sentAt: number | null }[],
): Promise<void> {
  for (const some of chunks(campaigns)) {
    const rows = some.map(({ id, sentAt }) => [id, sentAt]);
    const input = inputRows(queries, { campaign_id: "integer", sent_at: "integer" }, rows);
    await sql`
      insert into campaign_revisions (organization_id, campaign_id, revision, revision_id, sent_at)
      select organizations.id, input.campaign_id, organizations.revision, organizations.revision_id, input.sent_at
      ${fromInputOf(organizationId, input)}
      on conflict (organization_id, campaign_id) do update set
        revision = excluded.revision, revision_id = excluded.revision_id, sent_at = excluded.sent_at`.execute(
      queries,
    );
  }
}

/** The campaigns that changed or were deleted after a change, in the order of their changes. */
export function findRevisionsAfter(
  queries: Queries,
  organizationId: number,
  { after: { revision, id }, limit }: { after: RevisionKey; limit: number },
): Promise<CampaignRevision[]> {
  return selectRevisions(queries, organizationId)
    .where(sql<boolean>`(revision, campaign_id) > (${revision}, ${id})`)
    .orderBy("revision")
    .orderBy("campaign_id")
    .limit(limit)
    .execute();
}

/** The last changes up to one, or of all, in their order. */
export async function findLastRevisions(
  queries: Queries,
  organizationId: number,
  { until, limit }: { until?: RevisionKey | undefined; limit: number },
): Promise<CampaignRevision[]> {
  let select = selectRevisions(queries, organizationId);
  if (until) select = select.where(sql<boolean>`(revision, campaign_id) <= (${until.revision}, ${until.id})`);
  const rows = await select.orderBy("revision", "desc").orderBy("campaign_id", "desc").limit(limit).execute();
  return rows.reverse();
}

/** The last changes of these campaigns, by campaign id. */
export async function findChangesOf(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<Map<number, CampaignRevision>> {
  const rows = await selectRevisions(queries, organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", campaignIds))
    .execute();
  return new Map(rows.map((change) => [change.id, change]));
}

function selectRevisions(queries: Queries, organizationId: number) {
  return queries
    .selectFrom("campaign_revisions")
    .select(["campaign_id as id", "revision", "revision_id as revisionId"])
    .where("organization_id", "=", organizationId);
}
