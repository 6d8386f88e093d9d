// The table `changes`: when each campaign that was ever published last changed. Everything cached and every feed follows it.

import { sql } from "kysely";
import { chunks } from "../queries/database.ts";
import { fromInputOf, inputRows } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";

/** The position of a change in the order of all changes. */
export interface ChangeKey {
  revision: number;
  /** The id of the campaign. */
  id: number;
}

/** The last change of a campaign. */
export interface Change extends ChangeKey {
  /** Identifies the change, even after a backup was restored. */
  revisionId: number;
  /** The revision at which the campaign was last added, moved, retagged or deleted. */
  orderRevision: number;
  /** Null if the campaign is deleted. */
  sentAt: number | null;
}

/** The position before the first change. */
export const beforeAllChanges: ChangeKey = { revision: -1, id: 0 };

/**
 * Saves that campaigns changed, under the revision that the transaction raised. Call it for every change of a record.
 *
 * @param campaigns `sentAt` is null if the campaign is deleted
 * @param retagged the ids of those with other tags
 */
export async function saveChanges(
  scope: Scope,
  campaigns: readonly { id: number; sentAt: number | null }[],
  retagged: readonly number[] = [],
): Promise<void> {
  const hasOtherTags = new Set(retagged);
  for (const some of chunks(campaigns)) {
    const rows = some.map(({ id, sentAt }) => [id, sentAt, Number(hasOtherTags.has(id))]);
    const columns = { campaign_id: "integer", sent_at: "integer", is_retagged: "integer" } as const;
    const input = inputRows(scope, columns, rows);
    // Where there is no row yet, or another send time, the campaign moves as well. The subquery names the organization again: without that, Citus sends the statement to all shards, and commits in two phases.
    await sql`
      insert into changes (organization_id, campaign_id, revision, revision_id, order_revision, sent_at)
      select organizations.id, input.campaign_id, organizations.revision, organizations.revision_id,
        case when input.is_retagged = 1 then organizations.revision else coalesce((
          select order_revision from changes where changes.organization_id = organizations.id
            and changes.organization_id = ${scope.organizationId} and changes.campaign_id = input.campaign_id
            and changes.sent_at = input.sent_at), organizations.revision) end,
        input.sent_at
      ${fromInputOf(scope.organizationId, input)}
      on conflict (organization_id, campaign_id) do update set
        revision = excluded.revision, revision_id = excluded.revision_id,
        order_revision = excluded.order_revision, sent_at = excluded.sent_at`.execute(scope);
  }
}

/** Saves that published campaigns are not visible any more. Does nothing for those that never were. */
export async function saveWithdrawals(scope: Scope, ids: readonly number[]): Promise<void> {
  const withdrawn = [...(await findChangesOf(scope, ids)).values()].filter(({ sentAt }) => sentAt !== null);
  await saveChanges(
    scope,
    withdrawn.map(({ id }) => ({ id, sentAt: null })),
  );
}

/** Changes after a position, up to and including a revision, in their order. */
export function findChangesAfter(
  scope: Scope,
  { after, until, limit }: { after: ChangeKey; until?: number | undefined; limit: number },
): Promise<Change[]> {
  let select = selectChanges(scope).where(
    sql<boolean>`(revision, campaign_id) > (${after.revision}, ${after.id})`,
  );
  if (until !== undefined) select = select.where("revision", "<=", until);
  return select.orderBy("revision").orderBy("campaign_id").limit(limit).execute();
}

/** The last changes up to one, or of all, in their order. */
export async function findLastChanges(
  scope: Scope,
  { until, limit }: { until?: ChangeKey | undefined; limit: number },
): Promise<Change[]> {
  let select = selectChanges(scope);
  if (until) select = select.where(sql<boolean>`(revision, campaign_id) <= (${until.revision}, ${until.id})`);
  const rows = await select.orderBy("revision", "desc").orderBy("campaign_id", "desc").limit(limit).execute();
  return rows.reverse();
}

/** The last change of the order of campaigns up to a revision; undefined if there is none. */
export async function findLastMove(scope: Scope, untilRevision: number): Promise<Change | undefined> {
  return selectChanges(scope)
    .where("order_revision", "<=", untilRevision)
    .orderBy("order_revision", "desc")
    .orderBy("campaign_id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The last changes of these campaigns, by campaign id. */
export async function findChangesOf(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<Map<number, Change>> {
  const rows = await selectChanges(scope, { campaign_id: campaignIds }).execute();
  return new Map(rows.map((change) => [change.id, change]));
}

function selectChanges(scope: Scope, values: { campaign_id?: readonly number[] } = {}) {
  return scope
    .from("changes", values)
    .select(["campaign_id as id", "revision", "revision_id as revisionId"])
    .select(["order_revision as orderRevision", "sent_at as sentAt"]);
}
