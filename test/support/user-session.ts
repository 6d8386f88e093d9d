// Signs in a user without a browser, to submit forms of the web application.

import type { Role } from "../../src/access/role.ts";
import { csrfTokenOf } from "../../src/http/web/frame/csrf.ts";
import type { Database } from "../../src/storage/queries/database.ts";
import { addSession } from "../../src/storage/users/sessions.ts";
import { addUser, type User } from "../../src/storage/users/users.ts";

export interface UserSession {
  user: User;
  /** The secret in the session cookie. */
  secret: string;
  /** The whole Cookie header. */
  cookie: string;
  csrfToken: string;
}

/** Adds a user, by default an admin, and a session. */
export async function startSession(
  database: Database,
  organizationId: number,
  { email = "ann@example.com", role = "admin" as Role, now = Date.now() } = {},
): Promise<UserSession> {
  const { user, secret } = await database.transactionOf(organizationId, async (scope) => {
    const user = await addUser(scope, { email, role, now });
    return { user, secret: await addSession(scope, user, { client: "a test", now }) };
  });
  return { user, secret, cookie: `ea_session=${secret}`, csrfToken: csrfTokenOf(secret) };
}
