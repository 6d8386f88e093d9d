// The page of a forgotten password, where the service sends mail: mails a link to choose a new one.

import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { somebody } from "../../../access/audit-actions.ts";
import { normalizeEmail } from "../../../access/email.ts";
import type { Mailer } from "../../../letters/mailer.ts";
import { html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import { lockOrganization } from "../../../storage/organizations/organizations.ts";
import { inviteUser } from "../../../storage/users/passwords.ts";
import { findUserByEmail } from "../../../storage/users/users.ts";
import type { GuestRequest, SignInContext } from "../frame/begin-session.ts";
import { inputField } from "../ui/forms/field.ts";
import { readField } from "../ui/forms/form.ts";
import {
  addGuestForm,
  emailInput,
  type Rejected,
  readGuestForm,
  sendGuestForm,
  sendGuestMessage,
  startAttempt,
} from "./guest-form.ts";
import { inviteMail } from "./mail-invite.ts";

const path = webPaths.forgotPassword;

/** The delay is longer than anyone waits for the next request. */
const defaultMailMs = 5_000;

export function addForgotPassword(scope: FastifyInstance, context: SignInContext, mailer: Mailer): void {
  const { resetMailMs = defaultMailMs, shutdownSignal: signal, log } = context;
  const mails = new Set<Promise<void>>();
  scope.addHook("onClose", () => Promise.all(mails));
  addGuestForm(scope, context, path, { show: showForm, submit });
  function submit(guest: GuestRequest): FastifyReply {
    const { t } = guest;
    const email = normalizeEmail(readField(guest, readGuestForm(guest), "email"));
    startAttempt(guest, `forgot ${email}`);
    // Neither the time of this response nor that of the next one must reveal whether the email belongs to a user.
    const mail = pause(resetMailMs * (1 + Math.random()), undefined, { signal })
      .catch(() => undefined)
      .then(() => mailLink(guest, mailer, email))
      .catch((error: unknown) => log.error({ err: error }, "cannot mail a link for a forgotten password"))
      .finally(() => mails.delete(mail));
    mails.add(mail);
    return sendGuestMessage(
      guest,
      { title: t("signIn.forgotTitle") },
      { text: t("signIn.forgotSent"), url: webPaths.signIn, label: t("signIn.title") },
    );
  }
}

function showForm(guest: GuestRequest, rejected?: Rejected): FastifyReply {
  const { t } = guest;
  return sendGuestForm(
    guest,
    { action: "forgot", title: t("signIn.forgotTitle"), ...rejected },
    inputField({}, { name: "email", label: t("signIn.email") }, emailInput),
    html`<button>${t("signIn.mailLink")}</button>`,
  );
}

/** The current password and an invite link stay valid until the link is used. */
async function mailLink(guest: GuestRequest, mailer: Mailer, email: string): Promise<void> {
  const { database, now, publicUrl } = guest;
  const found = await database.query((queries) => findUserByEmail(queries, email));
  if (!found) return;
  const { user } = found;
  const invite = await database.transactionOf(user.organizationId, async (scope) => {
    const organization = await lockOrganization(scope);
    if (!organization) return undefined;
    // Anyone can ask, for any email.
    const entry = { at: now(), actor: somebody, action: "user.reset", target: email } as const;
    await recordAction(scope, entry);
    return { organization: organization.name, secret: await inviteUser(scope, user, now(), "reset") };
  });
  if (!invite) return;
  await mailer.send(inviteMail(guest, user, { kind: "reset", ...invite, publicUrl: publicUrl() }));
}
