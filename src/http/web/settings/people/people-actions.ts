// The actions of the people page: add and remove users, change roles, and reset passwords.

import type { AuditAction } from "../../../../access/audit-actions.ts";
import { type Role, roles } from "../../../../access/role.ts";
import { parseId } from "../../../../campaign/fields/parse-id.ts";
import { AppError, orNotFound } from "../../../../errors.ts";
import { html } from "../../../../locale/html.ts";
import { type Locale, locales } from "../../../../locale/locale.ts";
import { languages } from "../../../../locale/preferred-language.ts";
import { webPaths } from "../../../../paths.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import {
  changeUserRole,
  inviteNewUser,
  removeUser,
  resetSecondFactor,
  resetUserPassword,
  type UserMessages,
} from "../../../../storage/users/manage-users.ts";
import { findUser, type User } from "../../../../storage/users/users.ts";
import type { AttemptLimit } from "../../frame/attempt-limit.ts";
import type { Action, ActionResult, Actor, PageContent, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { inviteLink } from "../../sign-in/choose-password.ts";
import { inviteMail } from "../../sign-in/mail-invite.ts";
import { copyButton, localNote } from "../../ui/forms/copyable.ts";
import { readField, readOneOf } from "../../ui/forms/form.ts";

const path = webPaths.people;

/** @returns the actions by the value of the form field `action` */
export function peopleActions(context: WebContext, attemptLimit: AttemptLimit): Record<string, Action> {
  return {
    add: addAction(context, attemptLimit),
    role: roleAction,
    reset: resetAction(context),
    "reset-second-factor": resetSecondFactorAction,
    remove: removeAction,
  };
}

const messagesIn = ({ t }: Locale): UserMessages => ({
  invalid: (email) => t("people.invalidEmail", { email }),
  taken: (email) => t("people.emailTakenHere", { email }),
  takenElsewhere: (email) => t("people.emailTakenElsewhere", { email }),
  lastAdmin: (email) => t("people.lastAdmin", { email }),
});

function addAction(context: WebContext, attemptLimit: AttemptLimit): Action {
  return async (actor, form) => {
    const options = {
      email: readField(actor, form, "email"),
      role: readRole(actor, form),
      now: actor.now,
      messages: messagesIn(actor),
    };
    const { user, secret } = await limitConflicts(attemptLimit, actor, () =>
      actor.transaction(
        (scope) => inviteNewUser(scope, options),
        ["user.invite", (invited) => `${invited.user.email}, ${options.role}`],
      ),
    );
    return sendInvite(context, actor, { user, secret, kind: "invited" });
  };
}

/** Limits the conflicts of an organization: each tells whether an email belongs to a user of the deployment. */
async function limitConflicts<Result>(
  attemptLimit: AttemptLimit,
  actor: Actor,
  add: () => Promise<Result>,
): Promise<Result> {
  const attempt = attemptLimit.startAddingUser(actor.organization.id);
  if (typeof attempt === "number") {
    const { t, format } = actor;
    throw new AppError("too_many_requests", t("people.tooManyTaken", { wait: format.relativeTime(attempt) }));
  }
  try {
    const result = await add();
    attempt.undo();
    return result;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") attempt.undo();
    throw error;
  }
}

const roleAction: Action = async (actor, form) => {
  const role = readRole(actor, form);
  const { user } = await withUser(actor, form, { action: "user.change", note: `, ${role}` }, (scope, found) =>
    changeUserRole(scope, found, role, messagesIn(actor)),
  );
  // Admins who give up their own role lose access to this page.
  const losesAccess = user.id === actor.user.id && role !== "admin";
  const notice = actor.t("people.roleChanged", { email: user.email, role: actor.t(`roleNouns.${role}`) });
  return { notice, redirectTo: losesAccess ? webPaths.account : path };
};

function resetAction(context: WebContext): Action {
  return async (actor, form) => {
    const { user, result: secret } = await withUser(
      actor,
      form,
      { action: "user.reset" },
      async (scope, found) => {
        // It would end the session in which the invite link is shown.
        if (found.id === actor.user.id) throw new AppError("conflict", actor.t("people.resetOwn"));
        return resetUserPassword(scope, found, actor.now);
      },
    );
    return sendInvite(context, actor, { user, secret, kind: "reset" });
  };
}

const resetSecondFactorAction: Action = async (actor, form) => {
  const { user } = await withUser(actor, form, { action: "second-factor.reset" }, async (scope, found) => {
    // In an unattended browser, a stranger would need no password to turn it off.
    if (found.id === actor.user.id) throw new AppError("conflict", actor.t("people.resetOwnSecondFactor"));
    await resetSecondFactor(scope, found);
  });
  return { notice: actor.t("people.secondFactorReset", { email: user.email }), redirectTo: path };
};

const removeAction: Action = async (actor, form) => {
  const messages = {
    ...messagesIn(actor),
    lastUser: (email: string) => actor.t("people.lastUser", { email }),
  };
  const { user } = await withUser(actor, form, { action: "user.delete" }, (scope, found) =>
    removeUser(scope, found, messages),
  );
  return { notice: actor.t("people.removed", { email: user.email }), redirectTo: path };
};

/** Runs a transaction with the user that the form names, and an audit entry. @throws AppError `not_found` */
function withUser<Result>(
  actor: Actor,
  form: URLSearchParams,
  { action, note = "" }: { action: AuditAction; note?: string },
  work: (scope: Scope, user: User) => Promise<Result>,
): Promise<{ user: User; result: Result }> {
  return actor.transaction(
    async (scope) => {
      const id = parseId(readField(actor, form, "user"));
      const found = id === undefined ? undefined : await findUser(scope, id);
      const user = orNotFound(found, actor.t("people.notFound"));
      return { user, result: await work(scope, user) };
    },
    [action, ({ user }) => user.email + note],
  );
}

interface Invite {
  user: User;
  secret: string;
  kind: "invited" | "reset";
}

/** Mails the link if the service sends mail. Otherwise, or if the mail server refuses it, the admin passes it on. */
async function sendInvite(context: WebContext, actor: Actor, invite: Invite): Promise<ActionResult> {
  const { mailer, publicUrl, log } = context;
  const { organization, t } = actor;
  const { user, secret, kind } = invite;
  if (!mailer) return invitePage(context, actor, invite);
  const fields = { kind, organization: organization.name, secret, publicUrl: publicUrl() };
  try {
    await mailer.send(inviteMail(localeOfUser(actor, user), user, fields));
    return { notice: t("people.inviteMailed", { email: user.email }), redirectTo: path };
  } catch (error) {
    log.warn({ err: error }, "cannot mail an invite link");
    return invitePage(context, actor, invite, t("people.inviteNotMailed"));
  }
}

/** The language that the user chose, otherwise that of the admin. */
function localeOfUser(locale: Locale, { language }: User): Locale {
  const own = languages.find((each) => each === language);
  return own ? locales[own] : locale;
}

/** Shows an invite link, once: only a hash of its secret is stored. */
function invitePage(
  { publicUrl }: WebContext,
  session: WebSession,
  { user: { organizationId, email }, secret }: Invite,
  warning?: string,
): PageContent {
  const { t } = session;
  const link = inviteLink(publicUrl(), organizationId, secret);
  const body = html`<section class="card">${warning !== undefined && html`<p class="warning">${warning}</p>`}
<p>${t("people.inviteIntro")}</p>
<p><output id="invitation" class="code">${link}</output>${localNote(session, link)}</p>
<div class="row">${copyButton(session, "invitation", t("people.inviteLabel"))}
<a href="${path}">${t("people.backToPeople")}</a></div></section>`;
  return { title: t("people.inviteTitle", { email }), body };
}

const readRole = (locale: Locale, form: URLSearchParams): Role =>
  readOneOf(locale, form, "role", { label: locale.t("people.role"), values: roles });
