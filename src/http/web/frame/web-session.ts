// The session behind a request's cookie, and permission checks.

import type { FastifyRequest } from "fastify";
import type { AuditAction } from "../../../access/audit-actions.ts";
import { hasPermission, type Role } from "../../../access/role.ts";
import { type Job, toJob } from "../../../counting/writer/jobs.ts";
import { AppError } from "../../../errors.ts";
import { findSourcesAlert } from "../../../listing/reports/sources-alert.ts";
import { type Locale, localeOf } from "../../../locale/locale.ts";
import { findLastEventAt } from "../../../storage/keys/sources.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import { lockOrganization, type Organization } from "../../../storage/organizations/organizations.ts";
import type { Database } from "../../../storage/queries/database.ts";
import { Scope } from "../../../storage/queries/scope.ts";
import {
  findSession,
  findUserOfSession,
  recordSessionUse,
  shouldRecordUse,
} from "../../../storage/users/sessions.ts";
import type { Cookies } from "./cookies.ts";
import { csrfTokenOf } from "./csrf.ts";
import type { Actor, WebSession } from "./page.ts";
import type { WebContext } from "./web-context.ts";

/** Returns the session of a request; undefined if there is none or it has ended. */
export async function findWebSession(
  request: FastifyRequest,
  { database, now, log }: WebContext,
  cookies: Cookies,
): Promise<WebSession | undefined> {
  const secret = cookies.read(request, "session");
  if (secret === "") return undefined;
  const at = now();
  const found = await database.query(async (queries) => {
    const signedIn = await findSession(queries, secret, at);
    if (!signedIn) return undefined;
    const scope = new Scope(queries, signedIn.organization.id);
    const [lastEventAt, sourcesAlert] = await Promise.all([
      findLastEventAt(scope),
      findSourcesAlert(scope, at),
    ]);
    return { ...signedIn, lastEventAt, sourcesAlert };
  });
  if (!found) return undefined;
  const { organization, user, session, lastEventAt, sourcesAlert } = found;
  if (shouldRecordUse(session, at)) {
    // The page does not wait for this write.
    database
      .transactionOf(organization.id, async (scope) => {
        await lockOrganization(scope);
        await recordSessionUse(scope, user, session.hash, at);
      })
      .catch((error: unknown) => log.warn({ err: error }, "a visit could not be noted"));
  }
  return {
    organization,
    user,
    ...localeIn(organization, localeOf(request, user.language)),
    browserLocale: localeOf(request),
    hash: session.hash,
    csrfToken: csrfTokenOf(secret),
    lastEventAt,
    sourcesAlert,
    now: at,
    isAdmin: hasPermission(user.role, "admin"),
    ...readsOf(database, organization),
  };
}

/** A locale with the times of an organization. */
export const localeIn = (
  { timeZone }: Organization,
  locale: Locale,
): Locale & Pick<WebSession, "timeText"> => ({
  ...locale,
  timeText: (at) => locale.format.dateTime(at, timeZone),
});

/** How pages read the data of their organization, and of no other one. */
export const readsOf = (
  database: Database,
  { id }: Organization,
): Pick<WebSession, "query" | "snapshot"> => ({
  query: (work) => database.queryOf(id, work),
  snapshot: (work) => database.snapshotOf(id, work),
});

/**
 * Returns the actor for an action. Its transactions check the permission again, because the session may have ended or the
 * role changed since the request started.
 *
 * @throws AppError `forbidden` without the role
 */
export function asActor(session: WebSession, { database, writer, now }: WebContext, needed: Role): Actor {
  checkPermission(session, needed);
  const { organization, user: known, hash, t } = session;
  const record: Actor["record"] = (scope, action, target) =>
    recordAction(scope, { at: now(), actor: known.email, action, target });
  return {
    ...session,
    record,
    transaction: (work, audit) =>
      database.transactionOf(organization.id, async (scope) => {
        const locked = await lockOrganization(scope);
        const user = locked && (await findUserOfSession(scope, hash, now()));
        if (!user) throw new AppError("forbidden", t("ui.sessionEnded"));
        checkPermission({ user, t }, needed);
        const result = await work(scope, locked);
        if (audit) {
          const [action, target] = audit;
          await record(scope, action, typeof target === "string" ? target : target(result));
        }
        return result;
      }),
    write<Task extends Job["task"]>(task: Task, entry?: [AuditAction, string], body?: object) {
      const audit = entry && { actor: known.email, action: entry[0], target: entry[1] };
      // Upkeep takes over a long action whose last part is old, so each part has its own time.
      // Events that arrive while they are replayed page by page are left to the next replay.
      const at = task.name === "replay" ? session.now : now();
      const job = toJob(organization.id, at, task, audit);
      return writer.write<Task["name"]>(body ? { ...job, body: Buffer.from(JSON.stringify(body)) } : job);
    },
  };
}

/** @throws AppError `forbidden` if the user does not have the role */
export function checkPermission({ user, t }: Pick<WebSession, "user" | "t">, needed: Role): void {
  if (!hasPermission(user.role, needed)) throw new AppError("forbidden", t("ui.needsAdminRole"));
}
