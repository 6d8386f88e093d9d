// The account page at `/settings/account`, which every user has: change the password, and see and end own sessions.

import { hashPassword, verifyPassword } from "../../../access/password.ts";
import { roleNouns } from "../../../access/role.ts";
import { AppError } from "../../../errors.ts";
import { findPasswordHash, setPassword } from "../../../storage/passwords.ts";
import { addSession, deleteSessions, listSessions } from "../../../storage/sessions.ts";
import { type Html, html } from "../../html.ts";
import type { AttemptLimit } from "../attempt-limit.ts";
import type { ActionResult, Actor, Page, PageRequest, WebSession } from "../page.ts";
import { newPasswordFields, readNewPassword } from "../sign-in/choose-password.ts";
import { userAsCaller } from "../sign-in/known-device.ts";
import { accountStrings } from "../strings/account.ts";
import { signInStrings } from "../strings/sign-in.ts";
import { uiStrings } from "../strings/ui.ts";
import { formField } from "../ui/field.ts";
import { actionForm } from "../ui/form.ts";
import { waitText } from "../ui/wait-text.ts";
import type { WebContext } from "../web-context.ts";
import { endSession, sessionsTable } from "./sessions-table.ts";

export function accountPage(context: WebContext, attemptLimit: AttemptLimit): Page {
  const { database, now, openId } = context;
  return {
    path: "/settings/account",
    role: "viewer",
    async show(session, { rejected }) {
      const { organization, user } = session;
      const all = await database.query((queries) => listSessions(queries, organization.id, now()));
      const own = all.filter(({ userId }) => userId === user.id);
      const form = passwordForm(session, { rejected, hasCompanyAccount: openId !== undefined });
      const body = html`<p>${accountStrings.signedInAs(user.email, roleNouns[user.role], organization.name)}</p>
<section class="card"><h2>${accountStrings.password}</h2>${form}</section>
<section class="card"><h2>${accountStrings.sessions}</h2>${sessionsTable(session, own)}</section>`;
      return { title: accountStrings.title, body };
    },
    actions: {
      password: { role: "viewer", run: (actor, form) => changePassword(context, attemptLimit, actor, form) },
      "end-session": endSession(context, "own"),
    },
  };
}

function passwordForm(
  session: WebSession,
  { rejected, hasCompanyAccount }: { rejected: PageRequest["rejected"]; hasCompanyAccount: boolean },
): Html {
  const { email, hasPassword } = session.user;
  const { noPasswordCompany, noPassword, currentPassword, signsOutElsewhere } = accountStrings;
  if (!hasPassword) return html`<p>${hasCompanyAccount ? noPasswordCompany : noPassword}</p>`;
  const problem = rejected?.problem;
  return actionForm(
    session,
    { action: "password" },
    html`<input type="text" value="${email}" autocomplete="username" readonly hidden>
${formField(
  { name: "password", label: currentPassword },
  problem,
  (attributes) => html`<input ${attributes} type="password" autocomplete="current-password" required>`,
)}
${newPasswordFields(problem)}
<p class="hint">${signsOutElsewhere}</p>
<p><button>${accountStrings.changePassword}</button></p>`,
  );
}

async function changePassword(
  { database, now }: WebContext,
  attemptLimit: AttemptLimit,
  actor: Actor,
  form: URLSearchParams,
): Promise<ActionResult> {
  const { organization, user } = actor;
  const password = readNewPassword(form, user.email);
  const current = await database.query((queries) => findPasswordHash(queries, user));
  await checkCurrentPassword(attemptLimit, actor, form.get("password") ?? "", current);
  const hashed = await hashPassword(password, userAsCaller(user));
  const sessionSecret = await actor.transaction(async (queries) => {
    // An admin may have reset the password since it was compared.
    if ((await findPasswordHash(queries, user)) !== current) {
      throw new AppError("conflict", accountStrings.passwordChangedMeanwhile);
    }
    const sessions = await listSessions(queries, organization.id, now());
    const client = sessions.find(({ hash }) => hash === actor.hash)?.client ?? uiStrings.unknownBrowser;
    await setPassword(queries, user, hashed);
    await deleteSessions(queries, user);
    return addSession(queries, user, { client, now: now() });
  });
  return { notice: accountStrings.passwordChanged, sessionSecret };
}

/** Rate-limited like sign-in, to stop password guesses at an unattended browser. */
async function checkCurrentPassword(
  attemptLimit: AttemptLimit,
  { hash: session, user }: Actor,
  enteredPassword: string,
  current: string | undefined,
): Promise<void> {
  const attempt = attemptLimit.startPasswordCheck(session);
  if (typeof attempt === "number") {
    throw new AppError("too_many_requests", signInStrings.tooManyAttempts(waitText(attempt)));
  }
  let isRight: boolean;
  try {
    isRight = await verifyPassword(enteredPassword, current, userAsCaller(user));
  } catch (error) {
    attempt.undo();
    throw error;
  }
  if (!isRight) throw new AppError("bad_request", accountStrings.wrongPassword);
  attempt.succeeded();
}
