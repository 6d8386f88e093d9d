// The table `audit_log`: who did what. It is append-only: upkeep deletes rows after the days of the organization, and
// deleting the organization deletes all of them.

import { sql } from "kysely";
import type { AuditAction } from "../../access/audit-actions.ts";
import { dayMs } from "../../campaign/calendar/durations.ts";
import { nextId } from "../queries/ids.ts";
import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";
import type { Organization } from "./organizations.ts";

export interface AuditEntry {
  /** Milliseconds since 1970. */
  at: number;
  /** The email of a user, `command line`, `API key` with the name of the key, or `somebody`. */
  actor: string;
  action: AuditAction;
  /** Names what the action changed or showed, but contains no secret and no recipient. */
  target: string;
}

/** Runs in the transaction of the change, so that no change is saved without its entry. */
export async function recordAction(scope: Scope, { at, actor, action, target }: AuditEntry): Promise<void> {
  const id = await nextId(scope.queries, "audit_log");
  await scope.insert("audit_log", { id, at, actor, action, target }).execute();
}

export interface AuditFilter {
  action?: AuditAction | undefined;
  /** A part of the actor, in any letter case. */
  actor?: string | undefined;
  /** The entries are older than the one with this id. */
  before?: number | undefined;
}

/** The newest entries that match, newest first. */
export async function listActions(
  scope: Scope,
  { action, actor = "", before }: AuditFilter,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<(AuditEntry & { id: number })[]> {
  const pattern = `%${actor.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return scope
    .from("audit_log")
    .select(["id", "at", "actor", "action", "target"])
    .$if(action !== undefined, (query) => query.where("action", "=", action as AuditAction))
    .$if(before !== undefined, (query) => query.where("id", "<", before as number))
    .$if(actor !== "", (query) => query.where(sql<boolean>`lower(actor) like ${pattern} escape '\\'`))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/**
 * Organizations with entries older than their days, and with one since `trustedSince`: a wrong clock that is ahead of all
 * entries deletes none.
 */
export async function findOrganizationsWithOldActions(
  queries: Queries,
  { now, trustedSince }: { now: number; trustedSince: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from organizations
    where exists (
      select 1 from audit_log
      where organization_id = organizations.id and at < ${now} - organizations.audit_days * ${dayMs})
    and exists (
      select 1 from audit_log where organization_id = organizations.id and at >= ${trustedSince})`.execute(
    queries,
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes entries older than the days of the organization, up to a limit, so that other writers do not wait for long.
 *
 * @returns whether there may be more
 */
export async function deleteOldActions(
  scope: Scope,
  { auditDays }: Organization,
  { now, limit }: { now: number; limit: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from audit_log
    where organization_id = ${scope.organizationId} and id in (
      select id from audit_log
      where organization_id = ${scope.organizationId} and at < ${now - auditDays * dayMs}
      order by at limit ${limit})`.execute(scope);
  return Number(numAffectedRows) === limit;
}
