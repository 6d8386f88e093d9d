// The table `outbox`: mails and messages that are due or were sent. Its primary key makes each of them unique.

import { sql } from "kysely";
import type { NotificationKind, RecipientKey } from "../../access/notification-kinds.ts";
import { dayMs, minuteMs } from "../../campaign/calendar/durations.ts";
import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

interface OutboxKey {
  kind: NotificationKind;
  /** The subject of the notification; each kind has its own format. */
  about: string;
  recipient: RecipientKey;
}

export interface OutboxRow extends OutboxKey {
  attempts: number;
  createdAt: number;
}

/** A mail that did not arrive, or of which that is not known. */
export type Undelivered = Pick<Tables["outbox"], "kind" | "about" | "recipient" | "state" | "problem"> & {
  changedAt: number;
};

/** Sending takes up to a minute. After this time, the process that was sending is gone. */
const sendingMs = 10 * minuteMs;
/** How long rows are kept: no notification becomes due again after this time. */
const keptMs = 60 * dayMs;

/** Adds those that are not there already, in any state. */
export async function addToOutbox(
  scope: Scope,
  keys: readonly OutboxKey[],
  { now, dueAt = now }: { now: number; dueAt?: number },
): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.map((key) => ({
    ...rowOf(key),
    state: "pending" as const,
    due_at: dueAt,
    attempts: 0,
    created_at: now,
    changed_at: now,
    problem: null,
  }));
  await scope
    .insert("outbox", rows)
    .onConflict((conflict) => conflict.columns(["organization_id", "kind", "about", "recipient"]).doNothing())
    .execute();
}

/** The pending rows that are due, those that wait longest first. */
export async function findDueMail(
  scope: Scope,
  now: number,
  { limit, onlyChats = false }: { limit: number; onlyChats?: boolean },
): Promise<OutboxRow[]> {
  return scope
    .from("outbox")
    .select(["kind", "about", "recipient", "attempts", "created_at as createdAt"])
    .where("state", "=", "pending")
    .where("due_at", "<=", now)
    .$if(onlyChats, (query) => query.where(sql<boolean>`recipient not like 'user %'`))
    .orderBy("due_at")
    .orderBy("recipient")
    .limit(limit)
    .execute();
}

/** Organizations with rows that are due. */
export async function findOrganizationsWithDueMail(queries: Queries, now: number): Promise<number[]> {
  const rows = await queries
    .selectFrom("outbox")
    .select("organization_id")
    .distinct()
    .where("state", "=", "pending")
    .where("due_at", "<=", now)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}

const rowOf = ({ kind, about, recipient }: OutboxKey) => ({ kind, about, recipient });

/**
 * Marks a pending row as being sent. It is never pending again, unless the sender says that nothing was sent: if the process
 * dies, no one knows.
 *
 * @returns whether this caller may send it; of several processes, one may
 */
export async function claimMail(scope: Scope, key: OutboxKey, now: number): Promise<boolean> {
  const pending = { ...rowOf(key), state: "pending" as const };
  return (await scope.updateRows("outbox", pending, { state: "sending", changed_at: now })) === 1;
}

/** Saves what became of a row. @param change.dueAt when to retry a row that is pending again */
export async function settleMail(
  scope: Scope,
  key: OutboxKey,
  change: {
    state: Tables["outbox"]["state"];
    now: number;
    problem?: string;
    attempts?: number;
    dueAt?: number;
  },
): Promise<void> {
  const { state, now, problem = null, attempts, dueAt } = change;
  await scope.updateRows("outbox", rowOf(key), {
    state,
    changed_at: now,
    problem,
    ...(attempts !== undefined && { attempts }),
    ...(dueAt !== undefined && { due_at: dueAt }),
  });
}

/** Deletes a pending row that has nothing to say anymore. */
export async function dropMail(scope: Scope, key: OutboxKey): Promise<void> {
  await scope.deleteRows("outbox", { ...rowOf(key), state: "pending" });
}

/** Deletes rows that are too old to matter. */
export async function deleteOldMail(scope: Scope, now: number): Promise<void> {
  await scope
    .delete("outbox")
    .where("created_at", "<", now - keptMs)
    .execute();
}

/** What failed, and what a process was sending when it died; newest first. */
export async function listUndelivered(scope: Scope, now: number, limit: number): Promise<Undelivered[]> {
  return scope
    .from("outbox")
    .select(["kind", "about", "recipient", "state", "problem", "changed_at as changedAt"])
    .where((where) =>
      where.or([
        where("state", "=", "failed"),
        where.and([where("state", "=", "sending"), where("changed_at", "<", now - sendingMs)]),
      ]),
    )
    .orderBy("changed_at", "desc")
    .limit(limit)
    .execute();
}

/** How many rows of all organizations did not arrive, and how many wait. */
export async function measureOutbox(
  queries: Queries,
  now: number,
): Promise<{ undelivered: number; pending: number }> {
  const rows = await queries
    .selectFrom("outbox")
    .select((select) => ["state", select.fn.countAll<number>().as("rows")])
    .where("state", "<>", "sent")
    .where((where) => where.or([where("state", "<>", "sending"), where("changed_at", "<", now - sendingMs)]))
    .groupBy("state")
    .execute();
  const countOf = (state: string) => Number(rows.find((row) => row.state === state)?.rows ?? 0);
  return { undelivered: countOf("failed") + countOf("sending"), pending: countOf("pending") };
}
