// Sign-in with email and password.

import type { FastifyInstance, FastifyReply } from "fastify";
import { normalizeEmail } from "../../../access/email.ts";
import { verifyPassword } from "../../../access/password.ts";
import { AppError } from "../../../errors.ts";
import type { Caller } from "../../../limits/limit-fairly.ts";
import { html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { listOrganizations } from "../../../storage/organizations/organizations.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findPasswordHash } from "../../../storage/users/passwords.ts";
import { findSession } from "../../../storage/users/sessions.ts";
import { findUserByEmail } from "../../../storage/users/users.ts";
import { queryOf } from "../../request/url.ts";
import { type GuestRequest, type SignInContext, safeRedirectPath } from "../frame/begin-session.ts";
import { checkCsrf } from "../frame/csrf.ts";
import { readForm } from "../frame/read-form.ts";
import { hiddenField, inputField } from "../ui/forms/field.ts";
import { readField } from "../ui/forms/form.ts";
import { addChoosePassword } from "./choose-password.ts";
import { addForgotPassword } from "./forgot-password.ts";
import {
  addGuestForm,
  emailInput,
  guestForm,
  type Rejected,
  sendGuestPage,
  startAttempt,
} from "./guest-form.ts";
import { callerOf, findKnownDevice } from "./known-device.ts";
import { addSecondFactor, admit } from "./second-factor.ts";
import { addSignOut } from "./sign-out.ts";

const path = "/sign-in";

export function addSignIn(scope: FastifyInstance, context: SignInContext): void {
  const hasOrganization = organizationCheck(context);
  addGuestForm(scope, context, path, {
    async show(guest, rejected) {
      const { form = queryOf(guest.request.url) } = rejected ?? {};
      const to = safeRedirectPath(form.get("to") ?? "/");
      if (await isSignedIn(guest)) return guest.reply.redirect(to, 303);
      return (await hasOrganization())
        ? showSignIn(guest, { to, email: rejected ? normalizeEmail(form.get("email") ?? "") : "", rejected })
        : showFirstSteps(guest);
    },
    submit: signIn,
  });
  addSignOut(scope, context);
  addSecondFactor(scope, context);
  addChoosePassword(scope, context);
  const { openId, mailer } = context;
  if (mailer) addForgotPassword(scope, context, mailer);
  if (openId)
    scope.register(async (inner) => (await import("./open-id.ts")).addOpenId(inner, context, openId));
}

/** Whether there is an organization. Once there is one, no further request asks. */
function organizationCheck({ database }: SignInContext): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    isKnown ||= (await database.query(listOrganizations)).length > 0;
    return isKnown;
  };
}

/** How the operator of a new service sets it up. */
function showFirstSteps(guest: GuestRequest): FastifyReply {
  const { t } = guest;
  return sendGuestPage(
    guest,
    { title: t("signIn.title") },
    html`<p>${t("signIn.noOrganization")}</p>
<p>${t("signIn.orInTerminal")}</p><pre>${firstCommand}</pre>`,
  );
}

const firstCommand = 'email-analytics init --name "NAME" --email EMAIL';

interface SignInForm {
  to: string;
  email: string;
  rejected: Rejected | undefined;
}

function showSignIn(guest: GuestRequest, { to, email, rejected }: SignInForm): FastifyReply {
  const { request, reply, openId, cookies, mailer, t } = guest;
  const query = to === "/" ? "" : `?to=${encodeURIComponent(to)}`;
  const form = guestForm(
    guest,
    "sign-in",
    hiddenField("to", to),
    inputField(
      { problem: rejected?.problem },
      { name: "email", label: t("signIn.email"), value: email },
      emailInput,
    ),
    inputField(
      { problem: rejected?.problem },
      { name: "password", label: t("signIn.password") },
      html` type="password" autocomplete="current-password" required`,
    ),
    html`<button>${t("signIn.submit")}</button>`,
  );
  const companyLink = html`<p class="or">${t("signIn.or")}</p>
<a class="button second" href="/sign-in/open-id${query}">${t("signIn.withCompanyAccount")}</a>`;
  return sendGuestPage(
    guest,
    { title: t("signIn.title"), notice: cookies.takeNotice(request, reply), ...rejected },
    [form, openId && companyLink],
    html`<p class="soft small">${mailer ? html`<a href="${webPaths.forgotPassword}">${t("signIn.forgotTitle")}</a>` : t("signIn.noPassword")}</p>`,
  );
}

async function signIn(guest: GuestRequest): Promise<FastifyReply> {
  const { request, reply, cookies, publicUrl } = guest;
  const form = readForm(guest, request);
  const email = normalizeEmail(readField(guest, form, "email"));
  const to = safeRedirectPath(form.get("to") ?? "/");
  // Signing in from another tab removed the guest cookie, so the CSRF check of this form would fail.
  if (await isSignedIn(guest)) return reply.redirect(to, 303);
  checkCsrf(request, form, { cookie: cookies.read(request, "guest"), publicUrl, locale: guest });
  const device = await findKnownDevice(guest, email);
  const attempt = startAttempt(guest, email, device !== undefined);
  const entered = { email, password: form.get("password") ?? "", caller: callerOf(request, device), to };
  const next = await checkPassword(guest, entered).catch((error: unknown) => {
    attempt.undo();
    throw error;
  });
  if (next === undefined) throw new AppError("unauthorized", guest.t("signIn.wrongCredentials"));
  // A right password without the code clears no failures: who has it could try codes forever.
  if (next === to) attempt.succeeded();
  else attempt.undo();
  return reply.redirect(next, 303);
}

/** Starts a session or asks for the second factor if the password is right. @returns where to go next; undefined if it is wrong */
async function checkPassword(
  guest: GuestRequest,
  entered: { email: string; password: string; caller: Caller; to: string },
): Promise<string | undefined> {
  const found = await guest.database.query((queries) => findUserByEmail(queries, entered.email));
  // An unknown email takes as long as a wrong password, so that timing does not reveal which emails exist.
  const isRight = await verifyPassword(entered.password, found?.password, entered.caller);
  if (!isRight || !found) return undefined;
  const { user, password } = found;
  // The password may have changed while it was compared.
  const prepare = async (scope: Scope) => (await findPasswordHash(scope, user)) === password;
  return admit(guest, user, { to: entered.to, prepare });
}

async function isSignedIn({ request, database, now, cookies }: GuestRequest): Promise<boolean> {
  const secret = cookies.read(request, "session");
  if (secret === "") return false;
  return (await database.query((queries) => findSession(queries, secret, now()))) !== undefined;
}
