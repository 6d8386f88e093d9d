// Signs in an admin without a browser, to submit forms of the web application.

import { csrfTokenOf } from "../../src/http/web/frame/csrf.ts";
import type { Database } from "../../src/storage/queries/database.ts";
import { Scope } from "../../src/storage/queries/scope.ts";
import { addSession } from "../../src/storage/users/sessions.ts";
import { addUser } from "../../src/storage/users/users.ts";

export interface AdminSession {
  /** The Cookie header. */
  cookie: string;
  csrfToken: string;
}

/** Adds an admin with this email, and a session. */
export async function startAdminSession(
  database: Database,
  organizationId: number,
  email: string,
): Promise<AdminSession> {
  const now = Date.now();
  const secret = await database.transaction(async (queries) => {
    const user = await addUser(new Scope(queries, organizationId), { email, role: "admin", now });
    return addSession(new Scope(queries, user.organizationId), user, { client: "verify", now });
  });
  return { cookie: `ea_session=${secret}`, csrfToken: csrfTokenOf(secret) };
}
