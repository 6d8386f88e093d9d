// The last step of every kind of sign-in: starting a session.

import Bowser from "bowser";
import type { FastifyReply, FastifyRequest } from "fastify";
import { makeDeviceToken } from "../../../access/device-token.ts";
import type { Locale } from "../../../locale/locale.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import { lockOrganization } from "../../../storage/organizations/organizations.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findCredentials } from "../../../storage/users/second-factors.ts";
import {
  addSession,
  deleteExpiredSessions,
  deleteSession,
  hashSessionSecret,
} from "../../../storage/users/sessions.ts";
import type { User } from "../../../storage/users/users.ts";
import { addToLog } from "../../request/log.ts";
import type { AttemptLimit } from "./attempt-limit.ts";
import type { Cookies } from "./cookies.ts";
import type { WebContext } from "./web-context.ts";

export interface SignInContext extends WebContext {
  cookies: Cookies;
  attemptLimit: AttemptLimit;
}

/** A request of someone who is not signed in, with all that answers it. */
export interface GuestRequest extends SignInContext, Locale {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Starts a session under a new secret, which prevents session fixation.
 *
 * @param prepare runs in the same transaction; checks that the user may still sign in
 * @returns whether `prepare` agreed
 */
export async function beginSession(
  { request, reply, database, now, cookies }: GuestRequest,
  user: User,
  prepare: (scope: Scope) => Promise<boolean>,
): Promise<boolean> {
  const { organizationId, id } = user;
  const client = browserName(request.headers["user-agent"]);
  const started = await database.transactionOf(organizationId, async (scope) => {
    const organization = await lockOrganization(scope);
    if (!organization || !(await prepare(scope))) return undefined;
    await deleteExpiredSessions(scope, now());
    const replaced = cookies.read(request, "session");
    if (replaced !== "") await deleteSession(scope, hashSessionSecret(replaced));
    await recordAction(scope, { at: now(), actor: user.email, action: "session.start", target: client });
    const device = makeDeviceToken(
      organizationId,
      id,
      organization.secret + (await findCredentials(scope, user)),
    );
    return { device, secret: await addSession(scope, user, { client, now: now() }) };
  });
  if (!started) return false;
  cookies.write(reply, "session", started.secret);
  cookies.write(reply, "device", started.device);
  cookies.clear(reply, "guest");
  addToLog(request, { organization: organizationId, user: id });
  return true;
}

/** Longer ones would make a `Location` that many clients refuse: encoded, it is up to three times as long. */
const maxRedirectLength = 4_000;

/** The sign-in page, which redirects to the URL afterwards unless that is too long. */
export function signInUrl(to: string): string {
  return to.length > maxRedirectLength ? "/sign-in" : `/sign-in?to=${encodeURIComponent(to)}`;
}

/** The path to redirect to after sign-in: one of our own, or `/` to prevent open redirects. */
export function safeRedirectPath(to: string): string {
  // Browsers read "\" as "/", and drop tabs and line breaks.
  if (to.length > maxRedirectLength || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(to)) return "/";
  const base = "http://here.invalid";
  const url = URL.canParse(to, base) ? new URL(to, base) : undefined;
  if (url?.origin !== base || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}

/** Browsers send less. A longer user agent is not worth parsing. */
const maxUserAgentLength = 500;

/** `Firefox, Windows`, so that users recognize their sessions; empty if unknown. @param userAgent the User-Agent header */
function browserName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > maxUserAgentLength) return "";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].flatMap((name) => name?.slice(0, 50) || []).join(", ");
}
