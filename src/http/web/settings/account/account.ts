// The account page at `/settings/account`, which every user has: change the password and the language, and see and end own
// sessions.

import { hashPassword } from "../../../../access/password.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { webPaths } from "../../../../paths.ts";
import { setPassword } from "../../../../storage/users/passwords.ts";
import { addSession, deleteSessions, listSessions } from "../../../../storage/users/sessions.ts";
import type { AttemptLimit } from "../../frame/attempt-limit.ts";
import type { ActionResult, Actor, Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { newPasswordFields, readNewPassword } from "../../sign-in/choose-password.ts";
import { userAsCaller } from "../../sign-in/known-device.ts";
import { actionForm } from "../../ui/forms/form.ts";
import { currentPasswordField, withPassword } from "./current-password.ts";
import { languageAction, languageForm } from "./language.ts";
import { notificationsAction, notificationsForm } from "./notifications.ts";
import { endSession, sessionsTable } from "./sessions-table.ts";

export function accountPage(context: WebContext, attemptLimit: AttemptLimit): Page {
  const { openId, mailer } = context;
  return {
    path: webPaths.account,
    role: "viewer",
    async show(session, request) {
      const { organization, user, t, rich } = session;
      const all = await session.query((scope) => listSessions(scope, session.now));
      const own = all.filter(({ userId }) => userId === user.id);
      const form = passwordForm(session, {
        rejected: request.rejected,
        hasCompanyAccount: openId !== undefined,
      });
      const lead = rich("account.signedInAs", {
        email: user.email,
        role: t(`roleNouns.${user.role}`),
        organization: organization.name,
      });
      const body = html`<section class="card"><h2>${t("signIn.password")}</h2>${form}</section>
${secondFactorCard(session)}
<section class="card"><h2>${t("account.language")}</h2>${languageForm(session, request)}</section>
<section class="card"><h2>${t("notifications.title")}</h2>${notificationsForm(session, mailer !== undefined)}</section>
<section class="card"><h2>${t("account.sessions")}</h2>${sessionsTable(session, own)}</section>`;
      return { title: t("pages.account"), lead, body };
    },
    actions: {
      password: (actor, form) => changePassword(attemptLimit, actor, form),
      language: languageAction,
      notifications: notificationsAction,
      "end-session": endSession("own"),
    },
  };
}

function secondFactorCard({ user, t }: WebSession): Html | false {
  const [state, label] = user.hasSecondFactor
    ? [t("secondFactor.isOn"), t("secondFactor.change")]
    : [t("secondFactor.isOff"), t("secondFactor.setUp")];
  if (!user.hasPassword) return false;
  return html`<section class="card"><h2>${t("secondFactor.title")}</h2><p>${state}</p>
<p><a class="button second" href="${webPaths.secondFactor}">${label}</a></p></section>`;
}

function passwordForm(
  session: WebSession,
  { rejected, hasCompanyAccount }: { rejected: PageRequest["rejected"]; hasCompanyAccount: boolean },
): Html {
  const { email, hasPassword } = session.user;
  const { t } = session;
  if (!hasPassword) {
    return html`<p>${hasCompanyAccount ? t("account.noPasswordCompany") : t("account.noPassword")}</p>${howToGetPassword(session)}`;
  }
  const problem = rejected?.problem;
  return actionForm(
    session,
    "password",
    html`<input type="text" value="${email}" autocomplete="username" readonly hidden>
${currentPasswordField(session, problem)}
${newPasswordFields(session, problem)}
<p class="hint">${t("account.signsOutElsewhere")}</p>
<p><button>${t("account.changePassword")}</button></p>
${howToGetPassword(session)}`,
  );
}

/** Who makes an invite link: another admin, or the operator if there is none. */
function howToGetPassword({ isAdmin, t, rich }: WebSession): Html {
  return html`<p class="hint">${isAdmin ? rich("account.askOtherAdmin", { href: webPaths.people }) : t("account.askAdmin")}</p>`;
}

async function changePassword(
  attemptLimit: AttemptLimit,
  actor: Actor,
  form: URLSearchParams,
): Promise<ActionResult> {
  const { user, t } = actor;
  const password = readNewPassword(actor, form, user.email);
  const transaction = await withPassword(attemptLimit, actor, form.get("password"));
  const hashed = await hashPassword(password, userAsCaller(user));
  const sessionSecret = await transaction(
    async (scope) => {
      const sessions = await listSessions(scope, actor.now);
      const client = sessions.find(({ hash }) => hash === actor.hash)?.client ?? "";
      await setPassword(scope, user, hashed);
      await deleteSessions(scope, user);
      return addSession(scope, user, { client, now: actor.now });
    },
    ["password.change", user.email],
  );
  return { notice: t("account.passwordChanged"), sessionSecret };
}
