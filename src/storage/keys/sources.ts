// The table `sources`: the webhooks of email providers, each with its own URL.

import { randomBytes } from "node:crypto";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { type DeliveryReport, deliveryReports } from "../../campaign/events/outcomes.ts";
import { nextId } from "../queries/ids.ts";
import type { Queries } from "../queries/queries.ts";
import { columnsOf, objectsOf, type RowObject } from "../queries/rows.ts";
import { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

/** The secret must not appear in any output or log. */
export type Source = Omit<RowObject<"sources">, "secret" | "lastEventAt" | "reports"> & {
  secret: string | undefined;
  /** The time of the last event, up to {@link recordedEveryMs} too early; undefined before the first one. */
  lastEventAt: number | undefined;
  /** When each type of delivery event last arrived that it sends; 0 if it did not yet. Opens and clicks say whether it is silent. */
  reports: Partial<Record<DeliveryReport, number>>;
};

/** How often the time of the last event is updated. */
const recordedEveryMs = minuteMs;

export async function addSource(
  scope: Scope,
  {
    provider,
    secret,
    campaignField,
    createdBy = null,
    now,
  }: Pick<Source, "provider" | "secret" | "campaignField"> & {
    createdBy?: string | null;
    now: number;
  },
): Promise<Source> {
  const id = `${scope.organizationId}-${randomBytes(16).toString("hex")}`;
  const sender = await nextSender(scope);
  const row = { id, provider, secret: secret ?? null, created_at: now, reports: "{}" };
  await scope
    .insert("sources", { ...row, campaign_field: campaignField, sender, created_by: createdBy })
    .execute();
  const base = { organizationId: scope.organizationId, id, provider, secret, campaignField, createdAt: now };
  return { ...base, lastEventAt: undefined, reports: {}, sender, createdBy };
}

/** Keys and sources have one sequence, so that a campaign can name both by number. */
const nextSender = ({ queries }: Scope) => nextId(queries, "api_keys");

/** All sources, in order of creation. */
export async function listSources(scope: Scope): Promise<Source[]> {
  return (await scope.selectRows("sources").orderBy("created_at").orderBy("id").execute()).map(toSource);
}

/**
 * When the last event of an organization arrived: by the webhook of a provider, or with an API key, whose use is recorded to
 * the minute. Undefined before the first one.
 */
export async function findLastEventAt(scope: Scope): Promise<number | undefined> {
  const { max } = scope.queries.fn;
  const [sources, key] = await Promise.all([
    listSources(scope),
    scope
      .from("api_keys")
      .select(max("last_used_at").as("at"))
      .where("scope", "=", "ingest")
      .executeTakeFirst(),
  ]);
  const times = sources.flatMap(({ lastEventAt = 0, reports }) => [lastEventAt, ...Object.values(reports)]);
  const at = Math.max(...times, Number(key?.at ?? 0));
  return at > 0 ? at : undefined;
}

/** A source by the last part of its webhook URL; undefined if it was deleted or never existed. */
export async function findSource(queries: Queries, id: string): Promise<Source | undefined> {
  const organizationId = Number(/^([1-9]\d{0,14})-[0-9a-f]{32}$/.exec(id)?.[1]);
  if (Number.isNaN(organizationId)) return undefined;
  const row = await new Scope(queries, organizationId).selectRows("sources", { id }).executeTakeFirst();
  return row && toSource(row);
}

/** @param change `createdBy`: the user who knows the new secret, which makes the source another sender */
export async function changeSource(
  scope: Scope,
  { id }: Pick<Source, "id">,
  {
    reports,
    createdBy,
    ...change
  }: Partial<Pick<Source, "secret" | "campaignField" | "createdBy" | "reports">>,
): Promise<void> {
  const sender = createdBy ? await nextSender(scope) : undefined;
  const columns = columnsOf<"sources">({
    ...{ ...change, createdBy, sender },
    reports: reports && JSON.stringify(reports),
  });
  if (Object.keys(columns).length === 0) return;
  await scope.updateRows("sources", { id }, columns);
}

/**
 * Updates the times of the last events, unless they were updated within {@link recordedEveryMs}.
 *
 * @param known the source, as it may have been a moment ago
 * @param types of the events that arrived
 */
export async function recordSourceEvents(
  scope: Scope,
  known: Pick<Source, "id" | "lastEventAt" | "reports">,
  types: ReadonlySet<unknown>,
  now: number,
): Promise<void> {
  const isReport = (type: unknown) => deliveryReports.some((each) => each === type);
  const changesOf = ({ lastEventAt, reports }: Pick<Source, "lastEventAt" | "reports">) => {
    const isDue = (at: number | undefined) => !at || at <= now - recordedEveryMs;
    const due = deliveryReports.filter((each) => types.has(each) && isDue(reports[each]));
    const isUsed = isDue(lastEventAt) && [...types].some((type) => !isReport(type));
    if (!isUsed && due.length === 0) return undefined;
    const times = Object.fromEntries(due.map((each) => [each, now]));
    return { ...(isUsed && { last_event_at: now }), reports: JSON.stringify({ ...reports, ...times }) };
  };
  if (!changesOf(known)) return;
  const source = await findSource(scope.queries, known.id);
  const changes = source && changesOf(source);
  if (changes) await scope.updateRows("sources", { id: known.id }, changes);
}

/** Deletes a source; its webhook URL is then not found. */
export async function deleteSource(scope: Scope, id: string): Promise<void> {
  await scope.deleteRows("sources", { id });
}

const toObject = objectsOf("sources");

function toSource(row: Tables["sources"]): Source {
  const [secret, lastEventAt] = [row.secret ?? undefined, row.last_event_at ?? undefined];
  return { ...toObject(row), secret, lastEventAt, reports: JSON.parse(row.reports) };
}
