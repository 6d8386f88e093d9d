// The second step of a sign-in with a password: the code of an authenticator app, or a recovery code.

import type { FastifyInstance, FastifyReply } from "fastify";
import { openToken, signToken } from "../../../access/signed-token.ts";
import { minuteMs } from "../../../campaign/calendar/durations.ts";
import { AppError } from "../../../errors.ts";
import { html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import { findOrganization, lockOrganization } from "../../../storage/organizations/organizations.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findCredentials, useSecondFactor } from "../../../storage/users/second-factors.ts";
import { findUser, type User } from "../../../storage/users/users.ts";
import { queryOf } from "../../request/url.ts";
import {
  beginSession,
  type GuestRequest,
  type SignInContext,
  safeRedirectPath,
} from "../frame/begin-session.ts";
import { inputField } from "../ui/forms/field.ts";
import { readField } from "../ui/forms/form.ts";
import { addGuestForm, type Rejected, readGuestForm, sendGuestForm, startAttempt } from "./guest-form.ts";
import { findKnownDevice } from "./known-device.ts";

const path = webPaths.signInCode;

/** How long the page of the code waits after the password. */
const waitMs = 5 * minuteMs;

/**
 * Starts a session, or asks for the second factor if the user has one.
 *
 * @param options.prepare as of `beginSession`: checks that the user may still sign in
 * @returns where to go next; undefined if `prepare` did not agree
 */
export async function admit(
  guest: GuestRequest,
  user: User,
  { to, prepare }: { to: string; prepare: (scope: Scope) => Promise<boolean> },
): Promise<string | undefined> {
  const { organizationId, id, hasSecondFactor } = user;
  // The user may turn it on at the same moment.
  const prepareAsKnown = async (scope: Scope) =>
    (await findUser(scope, id))?.hasSecondFactor === hasSecondFactor && (await prepare(scope));
  if (!hasSecondFactor) return (await beginSession(guest, user, prepareAsKnown)) ? to : undefined;
  const { database, cookies, now } = guest;
  const token = await database.transactionOf(organizationId, async (scope) => {
    const organization = await lockOrganization(scope);
    if (!organization || !(await prepareAsKnown(scope))) return undefined;
    const key = keyOf(organization.secret, await findCredentials(scope, user));
    return signToken(`${organizationId}.${id}.${now() + waitMs}`, key);
  });
  if (token === undefined) return undefined;
  cookies.write(guest.reply, "secondFactor", token);
  return to === "/" ? path : `${path}?to=${encodeURIComponent(to)}`;
}

/** A password that was changed meanwhile makes another key. */
const keyOf = (secret: string, credentials: string) => ({ secret, purpose: `second factor\n${credentials}` });

export function addSecondFactor(scope: FastifyInstance, context: SignInContext): void {
  addGuestForm(scope, context, path, {
    show: async (guest, rejected) =>
      (await findWaiting(guest)) ? showForm(guest, rejected) : startAgain(guest),
    submit: checkCode,
  });
}

/** The user who typed the password in this browser a moment ago. */
async function findWaiting({ request, database, cookies, now }: GuestRequest): Promise<User | undefined> {
  const token = cookies.read(request, "secondFactor");
  const [, organizationId, id, until] = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\./.exec(token) ?? [];
  if (until === undefined || Number(until) <= now()) return undefined;
  return database.queryOf(Number(organizationId), async (scope) => {
    const user = await findUser(scope, Number(id));
    const organization = user && (await findOrganization(scope));
    if (!organization) return undefined;
    const key = keyOf(organization.secret, await findCredentials(scope, user));
    return openToken(token, key) === undefined ? undefined : user;
  });
}

function startAgain({ reply, cookies, t }: GuestRequest): FastifyReply {
  cookies.clear(reply, "secondFactor");
  cookies.write(reply, "notice", t("signIn.codeExpired"));
  return reply.redirect(webPaths.signIn, 303);
}

async function checkCode(guest: GuestRequest): Promise<FastifyReply> {
  const { request, reply, cookies, now, t } = guest;
  const form = readGuestForm(guest);
  const user = await findWaiting(guest);
  if (!user) return startAgain(guest);
  const device = await findKnownDevice(guest, user.email);
  // Apart from the attempts with passwords: a right password must not clear the failures with codes.
  const attempt = startAttempt(guest, `code ${user.email}`, device !== undefined);
  const code = readField(guest, form, "code");
  let recoveryCodesLeft: number | undefined;
  const isSignedIn = await beginSession(guest, user, async (scope) => {
    const used = await useSecondFactor(scope, user, code, now());
    recoveryCodesLeft = used?.recoveryCodesLeft;
    if (recoveryCodesLeft !== undefined) {
      const { email: actor } = user;
      await recordAction(scope, {
        at: now(),
        actor,
        action: "second-factor.recover",
        target: `${recoveryCodesLeft} left`,
      });
    }
    return used !== undefined;
  });
  if (!isSignedIn) throw new AppError("unauthorized", t("signIn.wrongCode"));
  attempt.succeeded();
  cookies.clear(reply, "secondFactor");
  if (recoveryCodesLeft !== undefined) {
    cookies.write(reply, "notice", t("signIn.recoveryCodesLeft", { count: recoveryCodesLeft }));
  }
  return reply.redirect(safeRedirectPath(queryOf(request.url).get("to") ?? "/"), 303);
}

function showForm(guest: GuestRequest, rejected?: Rejected): FastifyReply {
  const { t } = guest;
  const attributes = html` type="text" maxlength="40" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"${!rejected && html` autofocus`} required`;
  return sendGuestForm(
    guest,
    {
      action: "code",
      title: t("signIn.codeTitle"),
      below: html`<p class="soft small">${t("signIn.codeLost")}</p>`,
      ...rejected,
    },
    inputField(
      { problem: rejected?.problem },
      { name: "code", label: t("signIn.code"), hint: t("signIn.codeHint") },
      attributes,
    ),
    html`<button>${t("signIn.submit")}</button>`,
  );
}
