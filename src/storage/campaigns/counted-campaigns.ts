// The table `campaigns`, as far as their numbers are counted from events.

import { sql } from "kysely";
import { dayMs } from "../../campaign/calendar/durations.ts";
import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Tallies } from "../../campaign/events/tally.ts";
import { chunks, type Queries } from "../database.ts";
import { inputRowsForUpdate, isAnyOf } from "../dialect-differences.ts";
import { findCampaigns, type StoredCampaign } from "./campaigns.ts";
import type { RenderedRecord } from "./rendered-records.ts";

/** The campaigns that events name, by the name that they use; by far the most do it by number. */
export async function findCampaignsByReference(
  queries: Queries,
  organizationId: number,
  references: readonly CampaignReference[],
): Promise<Map<CampaignReference, StoredCampaign>> {
  const numbers = references.filter((reference) => typeof reference === "number");
  const names = references.filter((reference) => typeof reference === "string");
  const idsOfNames = await findIdsOfExternalIds(queries, organizationId, names);
  const ids = [...new Set([...numbers, ...idsOfNames.values()])];
  const found = await findCampaigns(queries, organizationId, ids);
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  const byReference = new Map<CampaignReference, StoredCampaign>();
  for (const reference of references) {
    const stored = byId.get(typeof reference === "number" ? reference : (idsOfNames.get(reference) ?? 0));
    if (stored) byReference.set(reference, stored);
  }
  return byReference;
}

export async function findIdsOfExternalIds(
  queries: Queries,
  organizationId: number,
  externalIds: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks(externalIds)) {
    const rows = await queries
      .selectFrom("campaigns")
      .select(["id", "external_id"])
      .where("organization_id", "=", organizationId)
      .where("external_id", "in", some)
      .execute();
    for (const { id, external_id } of rows) found.set(external_id ?? "", id);
  }
  return found;
}

/** So many campaigns are looked at, where most are not counted. */
const lastCampaignsMax = 2_000;

/** When the last counted campaign was sent that was sent within a time, among the last ones; undefined where there is none. */
export async function findLastCountedSentAt(
  queries: Queries,
  organizationId: number,
  { from, until }: { from: number; until: number },
): Promise<number | undefined> {
  const last = queries
    .selectFrom("campaigns")
    .select(["sent_at", "registered_at"])
    .where("organization_id", "=", organizationId)
    .where("sent_at", ">=", from)
    .where("sent_at", "<=", until)
    .orderBy("sent_at", "desc")
    .limit(lastCampaignsMax);
  const row = await queries
    .selectFrom(last.as("last"))
    .select("sent_at")
    .where("registered_at", "is not", null)
    .orderBy("sent_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.sent_at;
}

/** Days after which campaigns are closed: those with names of recipients, and those without. */
export interface ClosingDays {
  closeAfterDays: number;
  closeNamelessAfterDays: number;
}

/**
 * Counted campaigns that are not closed, and whose days are over at this time, counted from their sending and their
 * registration.
 *
 * @param days in place of those that their organization has
 */
function dueCampaigns(queries: Queries, now: number, days?: ClosingDays) {
  const bigint = (value: number) => sql<number>`cast(${value} as bigint)`;
  return queries
    .selectFrom("campaigns")
    .innerJoin("organizations", "organizations.id", "campaigns.organization_id")
    .where("campaigns.ledger_id", "is not", null)
    .where((where) => {
      const [named, nameless] = days
        ? [bigint(days.closeAfterDays), bigint(days.closeNamelessAfterDays)]
        : [where.ref("organizations.close_after_days"), where.ref("organizations.close_nameless_after_days")];
      const after = where
        .case()
        .when("campaigns.tracking_type", "=", "Individual")
        .then(named)
        .else(nameless)
        .end();
      const until = sql<number>`cast(${now} as bigint) - ${after} * ${sql.lit(dayMs)}`;
      return where.and([
        where("campaigns.sent_at", "<", until),
        where("campaigns.registered_at", "<", until),
      ]);
    });
}

export async function findCampaignsToClose(
  queries: Queries,
  { organizationId, now, limit }: { organizationId: number; now: number; limit: number },
): Promise<number[]> {
  const rows = await dueCampaigns(queries, now)
    .select("campaigns.id")
    .where("campaigns.organization_id", "=", organizationId)
    .orderBy("campaigns.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** How many campaigns of an organization would be closed at once if it had these days. */
export async function countCampaignsToClose(
  queries: Queries,
  { organizationId, now, days }: { organizationId: number; now: number; days: ClosingDays },
): Promise<number> {
  const { campaigns } = await dueCampaigns(queries, now, days)
    .select((select) => select.fn.countAll<number>().as("campaigns"))
    .where("campaigns.organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(campaigns);
}

export async function findOrganizationsWithCampaignsToClose(
  queries: Queries,
  now: number,
): Promise<number[]> {
  const rows = await dueCampaigns(queries, now).select("campaigns.organization_id").distinct().execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** What the campaign was counted from is no longer its own. Its record stays as it is. */
export async function saveClosedCampaign(
  queries: Queries,
  organizationId: number,
  { id, tallies, closedAt }: { id: number; tallies: Tallies; closedAt: number },
): Promise<void> {
  await queries
    .updateTable("campaigns")
    .set({ tallies: JSON.stringify(tallies), ledger_id: null, closed_at: closedAt })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}

/** Saves the numbers of counted campaigns with their finished records. */
export async function saveTallies(
  queries: Queries,
  organizationId: number,
  campaigns: readonly (RenderedRecord & { tallies: Tallies })[],
): Promise<void> {
  // By their keys: PostgreSQL would read all campaigns where its statistics have not heard of the organization yet.
  const ids = campaigns.map(({ id }) => id);
  const rows = campaigns.map(({ id, tallies, record, renderVersion }) => [
    id,
    tallies,
    record,
    renderVersion,
  ]);
  const input = inputRowsForUpdate(
    queries,
    { id: "integer", tallies: "json", record: "text", render_version: "integer" },
    rows,
  );
  await sql`
    update campaigns set tallies = input.tallies, record = input.record, render_version = input.render_version
    from ${input} where campaigns.organization_id = ${organizationId} and campaigns.id = input.id
      and ${isAnyOf(queries, "campaigns.id", "integer", ids)}`.execute(queries);
}
