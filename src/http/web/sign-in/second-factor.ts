// The second step of a sign-in with a password: the code of an authenticator app, or a recovery code.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openToken, signToken } from "../../../access/signed-token.ts";
import { minuteMs } from "../../../campaign/calendar/durations.ts";
import { type ErrorCode, errors } from "../../../errors.ts";
import { recordAction } from "../../../storage/audit-log.ts";
import type { Queries } from "../../../storage/database.ts";
import { findOrganization, lockOrganization } from "../../../storage/organizations.ts";
import { findPasswordHash } from "../../../storage/passwords.ts";
import { useSecondFactor } from "../../../storage/second-factors.ts";
import { findUser, type User } from "../../../storage/users.ts";
import { html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { bodyLimits } from "../../request/body-limits.ts";
import { queryOf } from "../../request/url.ts";
import { checkCsrf, csrfTokenOf } from "../csrf.ts";
import { localeOf } from "../locale.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readField, readForm } from "../ui/form.ts";
import { sendPage } from "../ui/layout.ts";
import { beginSession, type SignInContext, safeRedirectPath } from "./begin-session.ts";
import { findKnownDevice } from "./known-device.ts";

const path = paths.web.signInCode;

/** How long the page of the code waits after the password. */
const waitMs = 5 * minuteMs;

/**
 * Starts a session, or asks for the second factor if the user has one.
 *
 * @param options.prepare as of `beginSession`: checks that the user may still sign in
 * @returns where to go next; undefined if `prepare` did not agree
 */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
  user: User,
  { to, prepare }: { to: string; prepare: (queries: Queries) => Promise<boolean> },
): Promise<string | undefined> {
  const { organizationId, id, hasSecondFactor } = user;
  // The user may turn it on at the same moment.
  const prepareAsKnown = async (queries: Queries) =>
    (await findUser(queries, organizationId, id))?.hasSecondFactor === hasSecondFactor &&
    (await prepare(queries));
  if (!hasSecondFactor)
    return (await beginSession(request, reply, context, user, prepareAsKnown)) ? to : undefined;
  const { database, cookies, now } = context;
  const token = await database.transaction(async (queries) => {
    const organization = await lockOrganization(queries, organizationId);
    if (!organization || !(await prepareAsKnown(queries))) return undefined;
    const key = keyOf(organization.secret, await findPasswordHash(queries, user));
    return signToken(`${organizationId}.${id}.${now() + waitMs}`, key);
  });
  if (token === undefined) return undefined;
  cookies.write(reply, "secondFactor", token);
  return to === "/" ? path : `${path}?to=${encodeURIComponent(to)}`;
}

/** A password that was changed meanwhile makes another key. */
const keyOf = (secret: string, password: string | undefined) => ({
  secret,
  purpose: `second factor\n${password}`,
});

export function addSecondFactor(scope: FastifyInstance, context: SignInContext): void {
  scope.get(path, async (request, reply) => {
    const user = await findWaiting(request, context);
    return user ? showForm(request, reply, context) : startAgain(request, reply, context);
  });
  scope.post(path, { bodyLimit: bodyLimits.webForm }, (request, reply) => checkCode(request, reply, context));
}

/** The user who typed the password in this browser a moment ago. */
async function findWaiting(
  request: FastifyRequest,
  { database, cookies, now }: SignInContext,
): Promise<User | undefined> {
  const token = cookies.read(request, "secondFactor");
  const [, organizationId, id, until] = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\./.exec(token) ?? [];
  if (until === undefined || Number(until) <= now()) return undefined;
  return database.query(async (queries) => {
    const user = await findUser(queries, Number(organizationId), Number(id));
    const organization = user && (await findOrganization(queries, user.organizationId));
    if (!organization) return undefined;
    const key = keyOf(organization.secret, await findPasswordHash(queries, user));
    return openToken(token, key) === undefined ? undefined : user;
  });
}

function startAgain(request: FastifyRequest, reply: FastifyReply, { cookies }: SignInContext): FastifyReply {
  cookies.clear(reply, "secondFactor");
  cookies.write(reply, "notice", localeOf(request).t("signIn.codeExpired"));
  return reply.redirect(paths.web.signIn, 303);
}

async function checkCode(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
): Promise<FastifyReply> {
  const { attemptLimit, cookies, publicUrl, now } = context;
  const locale = localeOf(request);
  const { t, format } = locale;
  const form = readForm(locale, request);
  checkCsrf(request, form, { cookie: cookies.read(request, "guest"), publicUrl, locale });
  const user = await findWaiting(request, context);
  if (!user) return startAgain(request, reply, context);
  const device = await findKnownDevice(request, context, user.email);
  // Apart from the attempts with passwords: a right password must not clear the failures with codes.
  const attempt = attemptLimit.startSignIn(`code ${user.email}`, request.ip, device && `code ${device.id}`);
  if (typeof attempt === "number") {
    reply.header("retry-after", String(Math.ceil(attempt / 1000)));
    const problem = t("signIn.tooManyAttempts", { wait: format.relativeTime(attempt) });
    return showForm(request, reply, context, { code: "too_many_requests", problem });
  }
  const code = readField(locale, form, "code");
  let recoveryCodesLeft: number | undefined;
  const isSignedIn = await beginSession(request, reply, context, user, async (queries) => {
    const used = await useSecondFactor(queries, user, code, now());
    recoveryCodesLeft = used?.recoveryCodesLeft;
    if (recoveryCodesLeft !== undefined) {
      const { email: actor, organizationId } = user;
      const target = `${recoveryCodesLeft} left`;
      await recordAction(queries, organizationId, {
        at: now(),
        actor,
        action: "second-factor.recover",
        target,
      });
    }
    return used !== undefined;
  });
  if (!isSignedIn) {
    return showForm(request, reply, context, { code: "unauthorized", problem: t("signIn.wrongCode") });
  }
  attempt.succeeded();
  cookies.clear(reply, "secondFactor");
  if (recoveryCodesLeft !== undefined) {
    cookies.write(reply, "notice", t("signIn.recoveryCodesLeft", { count: recoveryCodesLeft }));
  }
  return reply.redirect(safeRedirectPath(queryOf(request.url).get("to") ?? "/"), 303);
}

function showForm(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
  rejected?: { code: ErrorCode; problem: string },
): FastifyReply {
  const { t } = localeOf(request);
  const csrfToken = csrfTokenOf(context.cookies.guestSecret(request, reply));
  const form = actionForm(
    { csrfToken },
    { action: "code" },
    formField(
      { name: "code", label: t("signIn.code"), hint: t("signIn.codeHint") },
      rejected?.problem,
      (attributes) =>
        html`<input ${attributes} type="text" maxlength="40" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"${!rejected && html` autofocus`} required>`,
    ),
    html`<button>${t("signIn.submit")}</button>`,
  );
  const body = html`<div class="card">${form}</div>
<p class="soft small">${t("signIn.codeLost")}</p>`;
  const options = { title: t("signIn.codeTitle"), body, problem: rejected?.problem };
  const status = rejected && errors[rejected.code].status;
  return sendPage(reply, { ...options, status }, { context, path });
}
