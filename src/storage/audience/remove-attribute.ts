// Removes what campaigns and the directory have of an attribute.

import { sql } from "kysely";
import type { Queries } from "../queries/database.ts";
import { withoutMember } from "../queries/dialect-differences.ts";
import { deleteRows } from "../queries/rows.ts";

/** Whether a campaign is counted by an attribute, as a condition on the table `campaigns`. */
export const isCountedBy = (attributeId: number) =>
  sql<boolean>`replace(replace(campaigns.attributes, '[', ','), ']', ',') like ${`%,${attributeId},%`}`;

/** The ids of the campaigns that are counted by an attribute. */
export async function findCampaignsBy(
  queries: Queries,
  organizationId: number,
  attributeId: number,
): Promise<number[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where(isCountedBy(attributeId))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** How many campaigns are counted by each attribute, by its id. */
export async function countCampaignsByAttribute(
  queries: Queries,
  organizationId: number,
): Promise<Map<number, number>> {
  const rows = await queries
    .selectFrom("campaigns")
    .select((of) => ["attributes", of.fn.countAll<number>().as("count")])
    .where("organization_id", "=", organizationId)
    .where("attributes", "is not", null)
    .groupBy("attributes")
    .execute();
  const counts = new Map<number, number>();
  for (const { attributes, count } of rows) {
    for (const id of JSON.parse(attributes ?? "[]") as number[])
      counts.set(id, (counts.get(id) ?? 0) + Number(count));
  }
  return counts;
}

/** Deletes what a campaign counts by the attribute, for readers too, and which groups its recipients have. */
export async function removeFromCampaign(
  queries: Queries,
  organizationId: number,
  { campaignId, ledgerId, attributeId }: { campaignId: number; ledgerId: number | null; attributeId: number },
): Promise<void> {
  for (const table of ["campaign_groups", "released_groups"] as const) {
    await deleteRows(queries, table, {
      ...{ organization_id: organizationId, campaign_id: campaignId, attribute_id: attributeId },
    });
  }
  if (ledgerId === null) return;
  await sql`update recipients set state = ${withoutMember(queries, "state", ["groups", `${attributeId}`])}
    where organization_id = ${organizationId} and ledger_id = ${ledgerId}`.execute(queries);
}

/** Removes the attribute from up to `limit` recipients of the directory. @returns whether there may be more */
export async function removeFromDirectoryGroups(
  queries: Queries,
  organizationId: number,
  { attributeId, limit }: { attributeId: number; limit: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update directory set groups = ${withoutMember(queries, "groups", [`${attributeId}`])}
    where organization_id = ${organizationId} and (version, recipient) in (
      select version, recipient from directory
      where organization_id = ${organizationId} and groups like ${`%"${attributeId}":%`} limit ${limit})`.execute(
    queries,
  );
  return Number(numAffectedRows) === limit;
}

/** Deletes an attribute with its values. */
export async function deleteAttribute(
  queries: Queries,
  organizationId: number,
  attributeId: number,
): Promise<void> {
  const ofAttribute = { organization_id: organizationId, attribute_id: attributeId };
  await deleteRows(queries, "audience_groups", ofAttribute);
}
