// Removes what campaigns and the directory have of an attribute.

import { sql } from "kysely";
import { withoutMember } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";

/** Whether a campaign is counted by an attribute, as a condition on the table `campaigns`. */
export const isCountedBy = (attributeId: number) =>
  sql<boolean>`replace(replace(campaigns.attributes, '[', ','), ']', ',') like ${`%,${attributeId},%`}`;

/** The ids of the campaigns that are counted by an attribute. */
export async function findCampaignsBy(scope: Scope, attributeId: number): Promise<number[]> {
  const rows = await scope
    .from("campaigns")
    .select("id")
    .where(isCountedBy(attributeId))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** How many campaigns are counted by each attribute, by its id. */
export async function countCampaignsByAttribute(scope: Scope): Promise<Map<number, number>> {
  const rows = await scope
    .from("campaigns")
    .select((of) => ["attributes", of.fn.countAll<number>().as("count")])
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
  scope: Scope,
  { campaignId, ledgerId, attributeId }: { campaignId: number; ledgerId: number | null; attributeId: number },
): Promise<void> {
  for (const table of ["campaign_groups", "released_groups"] as const) {
    await scope.deleteRows(table, { campaign_id: campaignId, attribute_id: attributeId });
  }
  if (ledgerId === null) return;
  await sql`update recipients set state = ${withoutMember(scope, "state", ["groups", `${attributeId}`])}
    where organization_id = ${scope.organizationId} and ledger_id = ${ledgerId}`.execute(scope);
}

/** Removes the attribute from up to `limit` recipients of the directory. @returns whether there may be more */
export async function removeFromDirectoryGroups(
  scope: Scope,
  { attributeId, limit }: { attributeId: number; limit: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update directory set groups = ${withoutMember(scope, "groups", [`${attributeId}`])}
    where organization_id = ${scope.organizationId} and (version, recipient) in (
      select version, recipient from directory
      where organization_id = ${scope.organizationId} and groups like ${`%"${attributeId}":%`} limit ${limit})`.execute(
    scope,
  );
  return Number(numAffectedRows) === limit;
}

/** Deletes an attribute with its values. */
export async function deleteAttribute(scope: Scope, attributeId: number): Promise<void> {
  await scope.deleteRows("audience_groups", { attribute_id: attributeId });
}
