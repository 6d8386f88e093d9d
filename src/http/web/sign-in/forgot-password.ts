// The page of a forgotten password, where the service sends mail: mails a link to choose a new one.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { somebody } from "../../../access/audit-actions.ts";
import { normalizeEmail } from "../../../access/email.ts";
import { recordAction } from "../../../storage/audit-log.ts";
import { lockOrganization } from "../../../storage/organizations.ts";
import { inviteUser } from "../../../storage/passwords.ts";
import { findUserByEmail } from "../../../storage/users.ts";
import { html } from "../../html.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { paths } from "../../paths.ts";
import { bodyLimits } from "../../request/body-limits.ts";
import { checkCsrf, csrfTokenOf } from "../csrf.ts";
import { type Locale, localeOf } from "../locale.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readField, readForm } from "../ui/form.ts";
import { sendPage } from "../ui/layout.ts";
import type { SignInContext } from "./begin-session.ts";
import { inviteMail } from "./mail-invite.ts";

const path = paths.web.forgotPassword;

export function addForgotPassword(scope: FastifyInstance, context: SignInContext, mailer: Mailer): void {
  scope.get(path, async (request, reply) => showForm(request, reply, context));
  scope.post(path, { bodyLimit: bodyLimits.webForm }, async (request, reply) => {
    const locale = localeOf(request);
    const { t } = locale;
    const form = readForm(locale, request);
    const { cookies, publicUrl, attemptLimit, log } = context;
    checkCsrf(request, form, { cookie: cookies.read(request, "guest"), publicUrl, locale });
    const email = normalizeEmail(readField(locale, form, "email"));
    const attempt = attemptLimit.startSignIn(`forgot ${email}`, request.ip);
    if (typeof attempt === "number") {
      reply.header("retry-after", String(Math.ceil(attempt / 1000)));
      const problem = t("signIn.tooManyAttempts", { wait: locale.format.relativeTime(attempt) });
      return showForm(request, reply, context, { problem, status: 429 });
    }
    // Not awaited: the time of the response must not reveal whether the email belongs to a user.
    mailLink(context, mailer, locale, email).catch((error: unknown) =>
      log.error({ err: error }, "cannot mail a link for a forgotten password"),
    );
    const body = html`<div class="card"><p>${t("signIn.forgotSent")}</p>
<p><a class="button second" href="${paths.web.signIn}">${t("signIn.title")}</a></p></div>`;
    return sendPage(reply, { title: t("signIn.forgotTitle"), body }, { context, path });
  });
}

function showForm(
  request: FastifyRequest,
  reply: FastifyReply,
  context: SignInContext,
  rejected?: { problem: string; status: number },
): FastifyReply {
  const { t } = localeOf(request);
  const csrfToken = csrfTokenOf(context.cookies.guestSecret(request, reply));
  const form = actionForm(
    { csrfToken },
    { action: "forgot" },
    formField(
      { name: "email", label: t("signIn.email") },
      undefined,
      (attributes) =>
        html`<input ${attributes} type="email" maxlength="254" autocomplete="username" required>`,
    ),
    html`<button>${t("signIn.mailLink")}</button>`,
  );
  const body = html`<div class="card">${form}</div>`;
  return sendPage(reply, { title: t("signIn.forgotTitle"), body, ...rejected }, { context, path });
}

/** The current password stays valid until the link is used. */
async function mailLink(
  { database, now, publicUrl }: SignInContext,
  mailer: Mailer,
  locale: Locale,
  email: string,
): Promise<void> {
  const found = await database.query((queries) => findUserByEmail(queries, email));
  if (!found) return;
  const { user } = found;
  const invite = await database.transaction(async (queries) => {
    const organization = await lockOrganization(queries, user.organizationId);
    if (!organization) return undefined;
    // Anyone can ask, for any email.
    const entry = { at: now(), actor: somebody, action: "user.reset", target: email } as const;
    await recordAction(queries, organization.id, entry);
    return { organization: organization.name, secret: await inviteUser(queries, user, now()) };
  });
  if (!invite) return;
  await mailer.send(inviteMail(locale, user, { kind: "reset", ...invite, publicUrl: publicUrl() }));
}
