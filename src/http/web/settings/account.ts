// Everybody's own page: another password, and where they are signed in.

import { hashPassword, verifyPassword } from "../../../access/password.ts";
import { roleNouns } from "../../../access/role.ts";
import { AppError } from "../../../errors.ts";
import { findPasswordHash, setPassword } from "../../../storage/passwords.ts";
import { addSession, deleteSessions, listSessions } from "../../../storage/sessions.ts";
import { type Html, html } from "../../html.ts";
import type { ActionResult, Actor, Page, PageRequest, Visitor } from "../page.ts";
import { newPasswordFields, newPasswordIn } from "../sign-in/choose-password.ts";
import type { SignInRateLimit } from "../sign-in/rate-limit.ts";
import { field } from "../ui/field.ts";
import { actionForm } from "../ui/form.ts";
import { waitText } from "../ui/wait-text.ts";
import type { WebContext } from "../web-context.ts";
import { endSession, sessionsTable } from "./sessions-table.ts";

const path = "/settings/account";

export function accountPage(door: WebContext, throttle: SignInRateLimit): Page {
  const { database, now } = door;
  return {
    path,
    role: "viewer",
    async show(visitor, { refused }) {
      const { organization, user } = visitor;
      const all = await database.query((queries) => listSessions(queries, organization.id, now()));
      const own = all.filter(({ userId }) => userId === user.id);
      const body = html`<p>You are <strong>${user.email}</strong>, ${roleNouns[user.role]} of ${organization.name}.</p>
<section class="card"><h2>Password</h2>${passwordForm(visitor, { refused, hasCompanyAccount: door.openId !== undefined })}</section>
<section class="card"><h2>Where you are signed in</h2>${sessionsTable(visitor, own)}</section>`;
      return { title: "Your account", body };
    },
    actions: {
      password: { role: "viewer", run: (visitor, form) => changePassword(door, throttle, visitor, form) },
      "end-session": endSession(door, "own"),
    },
  };
}

function passwordForm(
  visitor: Visitor,
  { refused, hasCompanyAccount }: { refused: PageRequest["refused"]; hasCompanyAccount: boolean },
): Html {
  if (!visitor.user.hasPassword) {
    return hasCompanyAccount
      ? html`<p>You have none: you sign in with your company account. An admin can give you an address to choose one at.</p>`
      : html`<p>You have none yet. An admin can give you an address to choose one at.</p>`;
  }
  const problem = refused?.problem;
  return actionForm(
    visitor,
    { action: "password" },
    html`<input type="text" value="${visitor.user.email}" autocomplete="username" readonly hidden>
${field(
  { name: "password", label: "Current password" },
  problem,
  (its) => html`<input ${its} type="password" autocomplete="current-password" required>`,
)}
${newPasswordFields(problem)}
<p class="hint">You stay signed in here, and are signed out everywhere else.</p>
<p><button>Change the password</button></p>`,
  );
}

async function changePassword(
  { database, now }: WebContext,
  throttle: SignInRateLimit,
  visitor: Actor,
  form: URLSearchParams,
): Promise<ActionResult> {
  const { organization, user } = visitor;
  const password = newPasswordIn(form, user.email);
  const kept = await database.query((queries) => findPasswordHash(queries, user));
  await checkCurrent(throttle, visitor.session, form.get("password") ?? "", kept);
  const hashed = await hashPassword(password);
  const session = await visitor.write(async (queries) => {
    // An admin may have ended it meanwhile.
    if ((await findPasswordHash(queries, user)) !== kept) {
      throw new AppError("conflict", "Your password was changed meanwhile. Sign in again.");
    }
    const sessions = await listSessions(queries, organization.id, now());
    const client = sessions.find(({ hash }) => hash === visitor.session)?.client ?? "An unknown browser";
    await setPassword(queries, user, hashed);
    await deleteSessions(queries, user);
    return addSession(queries, user, { client, now: now() });
  });
  return { notice: "Your password is changed. Everywhere else you are signed out.", session };
}

/** Whoever found a browser open guesses no faster here than where people sign in. */
async function checkCurrent(
  throttle: SignInRateLimit,
  session: string,
  given: string,
  kept: string | undefined,
): Promise<void> {
  const tried = throttle.beginWithin(session);
  if (typeof tried === "number") {
    throw new AppError("too_many_requests", `That went wrong too often. Try again ${waitText(tried)}.`);
  }
  let isRight: boolean;
  try {
    isRight = await verifyPassword(given, kept);
  } catch (error) {
    tried.undo();
    throw error;
  }
  if (!isRight) throw new AppError("bad_request", "Current password: it is not this one. Type it again.");
  tried.succeeded();
}
