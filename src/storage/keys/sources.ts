// The table `sources`: the webhooks of email providers, each with its own URL.

import { randomBytes } from "node:crypto";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import type { Queries } from "../queries/database.ts";
import { nextId } from "../queries/ids.ts";
import { columnsOf, deleteRows, objectsOf, type RowObject, selectRows, updateRows } from "../queries/rows.ts";
import type { Tables } from "../tables/tables.ts";

/** Its secret must not appear in any output or log. */
export type Source = Omit<RowObject<"sources">, "secret" | "lastEventAt"> & {
  secret: string | undefined;
  /** Up to {@link recordedEveryMs} too early; undefined before the first one. */
  lastEventAt: number | undefined;
};

/** How often the time of the last event is updated. */
export const recordedEveryMs = minuteMs;

export async function addSource(
  queries: Queries,
  {
    organizationId,
    provider,
    secret,
    campaignField,
    createdBy = null,
    now,
  }: Pick<Source, "organizationId" | "provider" | "secret" | "campaignField"> & {
    createdBy?: string | null;
    now: number;
  },
): Promise<Source> {
  const id = `${organizationId}-${randomBytes(16).toString("hex")}`;
  const sender = await nextSender(queries);
  const row = { organization_id: organizationId, id, provider, secret: secret ?? null, created_at: now };
  await queries
    .insertInto("sources")
    .values({ ...row, campaign_field: campaignField, sender, created_by: createdBy })
    .execute();
  const base = { organizationId, id, provider, secret, campaignField, createdAt: now };
  return { ...base, lastEventAt: undefined, sender, createdBy };
}

/** Keys and sources have one sequence, so that a campaign can name both by number. */
const nextSender = (queries: Queries) => nextId(queries, "api_keys");

/** All sources, in order of creation. */
export async function listSources(queries: Queries, organizationId: number): Promise<Source[]> {
  const rows = await selectRows(queries, "sources", { organization_id: organizationId })
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toSource);
}

/**
 * When the last event of an organization arrived: by the webhook of a provider, or with an API key, whose use is recorded to
 * the minute. Undefined before the first one.
 */
export async function findLastEventAt(queries: Queries, organizationId: number): Promise<number | undefined> {
  const { max } = queries.fn;
  const [source, key] = await Promise.all([
    queries
      .selectFrom("sources")
      .select(max("last_event_at").as("at"))
      .where("organization_id", "=", organizationId)
      .executeTakeFirst(),
    queries
      .selectFrom("api_keys")
      .select(max("last_used_at").as("at"))
      .where("organization_id", "=", organizationId)
      .where("scope", "=", "ingest")
      .executeTakeFirst(),
  ]);
  const at = Math.max(Number(source?.at ?? 0), Number(key?.at ?? 0));
  return at > 0 ? at : undefined;
}

/** A source by the last part of its webhook URL; undefined if it was deleted or never existed. */
export async function findSource(queries: Queries, id: string): Promise<Source | undefined> {
  const organizationId = Number(/^([1-9]\d{0,14})-[0-9a-f]{32}$/.exec(id)?.[1]);
  if (Number.isNaN(organizationId)) return undefined;
  const row = await selectRows(queries, "sources", {
    organization_id: organizationId,
    id,
  }).executeTakeFirst();
  return row && toSource(row);
}

/** @param change `createdBy`: the user who knows the new secret, which makes the source another sender */
export async function changeSource(
  queries: Queries,
  { organizationId, id }: Pick<Source, "organizationId" | "id">,
  { secret, campaignField, createdBy }: Partial<Pick<Source, "secret" | "campaignField" | "createdBy">>,
): Promise<void> {
  const sender = createdBy ? await nextSender(queries) : undefined;
  const change = columnsOf<"sources">({ secret, campaignField, createdBy, sender });
  if (Object.keys(change).length === 0) return;
  await updateRows(queries, "sources", { organization_id: organizationId, id }, change);
}

/** Updates the time of the last event, unless it was updated within {@link recordedEveryMs}. */
export async function recordSourceEvent(
  queries: Queries,
  { organizationId, id }: Pick<Source, "organizationId" | "id">,
  now: number,
): Promise<void> {
  await queries
    .updateTable("sources")
    .set({ last_event_at: now })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where((where) =>
      where.or([where("last_event_at", "is", null), where("last_event_at", "<=", now - recordedEveryMs)]),
    )
    .execute();
}

/** Deletes a source; its webhook URL is then not found. */
export async function deleteSource(queries: Queries, organizationId: number, id: string): Promise<void> {
  await deleteRows(queries, "sources", { organization_id: organizationId, id });
}

const toObject = objectsOf("sources");

function toSource(row: Tables["sources"]): Source {
  return { ...toObject(row), secret: row.secret ?? undefined, lastEventAt: row.last_event_at ?? undefined };
}
