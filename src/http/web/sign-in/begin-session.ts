// What every way of signing in ends with: a session of its own, and the way to where somebody wanted to go.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Queries } from "../../../storage/database.ts";
import { lockOrganization } from "../../../storage/organizations.ts";
import {
  addSession,
  deleteEndedSessions,
  deleteSession,
  hashSessionSecret,
} from "../../../storage/sessions.ts";
import type { User } from "../../../storage/users.ts";
import { addToLog } from "../../request-log.ts";
import { browserName } from "../ui/browser-name.ts";
import type { WebContext } from "../web-context.ts";
import type { Cookies } from "./cookies.ts";
import type { SignInRateLimit } from "./rate-limit.ts";

/** What the ways of signing in work with. */
export interface Entrance {
  door: WebContext;
  cookies: Cookies;
  throttle: SignInRateLimit;
}

/**
 * Signs somebody in, under a secret that nobody can have planted in the browser before.
 *
 * @param prepare in the same transaction: looks whether they still may, and does what goes with it
 * @returns whether they still may
 */
export async function beginSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { door: { database, now }, cookies }: Entrance,
  user: User,
  prepare: (queries: Queries) => Promise<boolean>,
): Promise<boolean> {
  const { organizationId, id } = user;
  const client = browserName(request.headers["user-agent"]);
  const secret = await database.transaction(async (queries) => {
    if (!(await lockOrganization(queries, organizationId)) || !(await prepare(queries))) return undefined;
    await deleteEndedSessions(queries, organizationId, now());
    const replaced = cookies.read(request, "session");
    if (replaced !== "") await deleteSession(queries, organizationId, hashSessionSecret(replaced));
    return addSession(queries, user, { client, now: now() });
  });
  if (secret === undefined) return false;
  cookies.write(reply, "session", secret);
  cookies.clear(reply, "guest");
  addToLog(request, { organization: organizationId, user: id });
  return true;
}

/** Where to go after signing in: an address of our own, and the overview in place of any other. */
export function ownAddress(to: string): string {
  // Browsers read "\" as "/", and leave out tabs and ends of lines.
  if (to.length > 4_000 || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(to)) return "/";
  const here = "http://here.invalid";
  const url = URL.canParse(to, here) ? new URL(to, here) : undefined;
  if (url?.origin !== here || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
