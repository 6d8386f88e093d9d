// Invite links: one-time URLs at which a user chooses a password, after being added and after a password reset.

import type { FastifyInstance, FastifyReply } from "fastify";
import { findPasswordWeakness, hashPassword, passwordLength } from "../../../access/password.ts";
import { parseId } from "../../../campaign/fields/parse-id.ts";
import { AppError } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findInvitedUser, setPassword } from "../../../storage/users/passwords.ts";
import { deleteSessions } from "../../../storage/users/sessions.ts";
import type { User } from "../../../storage/users/users.ts";
import type { GuestRequest, SignInContext } from "../frame/begin-session.ts";
import { inputField } from "../ui/forms/field.ts";
import { addGuestForm, type Rejected, readGuestForm, sendGuestForm, sendGuestMessage } from "./guest-form.ts";
import { userAsCaller } from "./known-device.ts";
import { admit } from "./second-factor.ts";

const path = "/sign-in/password";

/** Returns an invite link. */
export function inviteLink(publicUrl: string, organizationId: number, secret: string): string {
  return `${publicUrl}${path}/${organizationId}.${secret}`;
}

export function addChoosePassword(scope: FastifyInstance, context: SignInContext): void {
  addGuestForm(scope, context, `${path}/:invitation`, {
    async show(guest, rejected) {
      const invited = await findInvitation(guest);
      return invited ? showForm(guest, invited.user, rejected) : sendInvalidLink(guest);
    },
    submit: choosePassword,
  });
}

async function choosePassword(guest: GuestRequest): Promise<FastifyReply> {
  const { reply } = guest;
  const form = readGuestForm(guest);
  const invited = await findInvitation(guest);
  if (!invited) return sendInvalidLink(guest);
  const { user, by } = invited;
  const hashed = await hashPassword(readNewPassword(guest, form, user.email), userAsCaller(user));
  const prepare = async (scope: Scope) => {
    // Two browsers may use the link at the same moment. Only one of them succeeds.
    if (!(await findInvitedUser(scope, by))) return false;
    await setPassword(scope, user, hashed);
    await deleteSessions(scope, user);
    const { email } = user;
    await recordAction(scope, { at: guest.now(), actor: email, action: "password.change", target: email });
    return true;
  };
  const next = await admit(guest, user, { to: "/", prepare });
  if (next === undefined) return sendInvalidLink(guest);
  if (next === "/") guest.cookies.write(reply, "notice", guest.t("signIn.welcome"));
  return reply.redirect(next, 303);
}

/** Reads a new password that was typed twice. Messages never quote it. @throws AppError `bad_request` if it is weak or the two differ */
export function readNewPassword({ t }: Locale, form: URLSearchParams, email: string): string {
  const password = form.get("new_password") ?? "";
  const weak = findPasswordWeakness(password, email);
  if (weak) {
    const problem = t(`signIn.weakPassword.${weak.weakness}`, { length: weak.length, ...passwordLength });
    throw new AppError("bad_request", t("ui.fieldProblem", { label: t("signIn.newPassword"), problem }));
  }
  if (password === (form.get("again") ?? "")) return password;
  throw new AppError("bad_request", t("signIn.passwordsDiffer"));
}

/** The two fields for a new password. @param problem why the submission was rejected */
export function newPasswordFields({ t }: Locale, problem: string | undefined): Html[] {
  const { min } = passwordLength;
  const own =
    problem === t("signIn.passwordsDiffer")
      ? t("ui.fieldProblem", { label: t("signIn.repeatPassword"), problem })
      : problem;
  // No maxlength: browsers would silently truncate a pasted password.
  const constraints = html` minlength="${min}" autocomplete="new-password" required`;
  const attributes = html` type="password"${constraints}`;
  return [
    inputField(
      { problem: own },
      { name: "new_password", label: t("signIn.newPassword"), hint: t("signIn.passwordHint", { min }) },
      attributes,
    ),
    inputField({ problem: own }, { name: "again", label: t("signIn.repeatPassword") }, attributes),
  ];
}

async function findInvitation({ request: { params }, database, now }: GuestRequest) {
  const { invitation } = params as { invitation: string };
  const [, digits = "", secret = ""] = /^(\d+)\.([0-9a-f]{64})$/.exec(invitation) ?? [];
  const organizationId = parseId(digits);
  if (organizationId === undefined) return undefined;
  const by = { organizationId, secret, now: now() };
  const user = await database.queryOf(by.organizationId, (scope) => findInvitedUser(scope, by));
  return user && { user, by };
}

function showForm(guest: GuestRequest, { email }: User, rejected?: Rejected): FastifyReply {
  const { t } = guest;
  return sendGuestForm(
    guest,
    { action: "choose-password", title: t("signIn.choosePasswordTitle"), ...rejected },
    html`<div class="field"><label for="email">${t("signIn.email")}</label>
<input id="email" type="email" value="${email}" autocomplete="username" readonly></div>
${newPasswordFields(guest, rejected?.problem)}
<button>${t("signIn.setPassword")}</button>`,
  );
}

function sendInvalidLink(guest: GuestRequest): FastifyReply {
  const { t } = guest;
  return sendGuestMessage(
    guest,
    { title: t("signIn.inviteLinkInvalidTitle"), code: "not_found" },
    { text: t("signIn.inviteLinkInvalid"), url: "/sign-in", label: t("signIn.title") },
  );
}
