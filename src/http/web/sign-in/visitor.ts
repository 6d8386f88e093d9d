// Who has signed in, as the cookie of a request says, and whether they may do what they are about to.

import type { FastifyRequest } from "fastify";
import { hasPermission, type Role } from "../../../access/role.ts";
import { AppError } from "../../../errors.ts";
import { lockOrganization } from "../../../storage/organizations.ts";
import {
  findSession,
  findUserOfSession,
  recordSessionUse,
  shouldRecordUse,
} from "../../../storage/sessions.ts";
import type { Actor, Visitor } from "../page.ts";
import { csrfTokenOf } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import type { Cookies } from "./cookies.ts";

/** Undefined where nobody has signed in, or the session has ended. */
export async function findVisitor(
  request: FastifyRequest,
  { database, now, log }: WebContext,
  cookies: Cookies,
): Promise<Visitor | undefined> {
  const secret = cookies.read(request, "session");
  if (secret === "") return undefined;
  const at = now();
  const found = await database.query((queries) => findSession(queries, secret, at));
  if (!found) return undefined;
  const { organization, user, session } = found;
  if (shouldRecordUse(session, at)) {
    // The page does not wait for it.
    database
      .transaction(async (queries) => {
        await lockOrganization(queries, organization.id);
        await recordSessionUse(queries, user, session.hash, at);
      })
      .catch((error: unknown) => log.warn({ err: error }, "a visit could not be noted"));
  }
  return { organization, user, session: session.hash, formToken: csrfTokenOf(secret) };
}

/** @param needed for what they are about to do */
export function actingAs(visitor: Visitor, { database, now }: WebContext, needed: Role): Actor {
  refuseRole(visitor, needed);
  const { organization, session } = visitor;
  return {
    ...visitor,
    write: (work) =>
      database.transaction(async (queries) => {
        const locked = await lockOrganization(queries, organization.id);
        const user = locked && (await findUserOfSession(queries, locked.id, session, now()));
        if (!user) throw new AppError("forbidden", "You were signed out meanwhile. Nothing was changed.");
        refuseRole({ user }, needed);
        return work(queries, locked);
      }),
  };
}

/** @throws Refusal `forbidden` */
export function refuseRole({ user }: Pick<Visitor, "user">, needed: Role): void {
  if (hasPermission(user.role, needed)) return;
  throw new AppError(
    "forbidden",
    "This is for admins of your organization. Ask one of them, or for their role.",
  );
}
