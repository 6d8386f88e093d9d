// The people page at `/settings/people`: admins add and remove users, change roles, reset passwords and end sessions.

import { type Role, roleNouns, roles, roleTitles } from "../../../access/role.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import { listSessions } from "../../../storage/sessions.ts";
import { findUser, listUsers, type User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import type { Action, Actor, Page, PageContent, PageRequest, WebSession } from "../page.ts";
import { inviteLink } from "../sign-in/choose-password.ts";
import { peopleStrings, sessionsStrings } from "../strings/settings.ts";
import { uiStrings } from "../strings/ui.ts";
import { copyButton } from "../ui/copyable.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import {
  changeUserRole,
  type EmailMessages,
  inviteNewUser,
  removeUser,
  resetUserPassword,
} from "./membership.ts";
import { peopleTable } from "./people-table.ts";
import { endSession, sessionsTable } from "./sessions-table.ts";

const path = "/settings/people";

export function peoplePage(context: WebContext): Page {
  const { database, now } = context;
  return {
    path,
    role: "admin",
    async show(session, request) {
      const { id } = session.organization;
      const { users, sessions } = await database.snapshot(async (queries) => ({
        users: await listUsers(queries, id),
        sessions: await listSessions(queries, id, now()),
      }));
      const owners = new Map(users.map((user) => [user.id, user]));
      const table = peopleTable(session, users, { now: now(), page: request.query.get("page") });
      const body = html`<section class="card"><h2>${peopleStrings.title}</h2>${table}</section>
${addForm(session, request)}
<section class="card"><h2>${sessionsStrings.title}</h2>${sessionsTable(session, sessions, owners)}</section>`;
      return { title: peopleStrings.title, body };
    },
    actions: {
      add: addAction(context),
      role: roleAction,
      reset: resetAction(context),
      remove: removeAction,
      "end-session": endSession(context, "all"),
    },
  };
}

function addForm(session: WebSession, { rejected }: PageRequest): Html {
  const submitted = rejected?.action === "add" ? rejected : undefined;
  const [email, role] = [submitted?.form.get("email") ?? "", submitted?.form.get("role") ?? "viewer"];
  const emailField = formField(
    { name: "email", label: peopleStrings.email },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} type="email" maxlength="254" autocomplete="off" value="${email}" required>`,
  );
  const roleField = formField(
    { name: "role", label: peopleStrings.role, isTight: true },
    submitted?.problem,
    (attributes) => html`<select ${attributes}>${selectOptions(roleTitles, role)}</select>`,
  );
  return html`<section class="card"><h2>${peopleStrings.addUser}</h2>
${actionForm(
  session,
  { action: "add" },
  html`<div class="fields">${emailField}${roleField}<div class="field tight"><button>${peopleStrings.add}</button></div></div>
<p class="hint">${peopleStrings.addHint}</p>`,
)}</section>`;
}

const messages: EmailMessages = {
  invalid: peopleStrings.invalidEmail,
  taken: peopleStrings.emailTakenHere,
  takenElsewhere: peopleStrings.emailTakenElsewhere,
};

function addAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const options = {
        organizationId: actor.organization.id,
        email: readField(form, "email"),
        role: readRole(form),
        now: context.now(),
        messages,
      };
      const { user, secret } = await actor.transaction((queries) => inviteNewUser(queries, options));
      return invitePage(context, user, secret);
    },
  };
}

const roleAction: Action = {
  role: "admin",
  async run(actor, form) {
    const role = readRole(form);
    const { id, email } = await withUser(actor, form, async (queries, user) => {
      await changeUserRole(queries, user, role);
      return user;
    });
    // Admins who give up their own role lose access to this page.
    const losesAccess = id === actor.user.id && role !== "admin";
    const notice = peopleStrings.roleChanged(email, roleNouns[role]);
    return { notice, redirectTo: losesAccess ? "/settings/account" : path };
  },
};

function resetAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const { user, secret } = await withUser(actor, form, async (queries, found) => {
        // It would end the session in which the invite link is shown.
        if (found.id === actor.user.id) throw new AppError("conflict", peopleStrings.resetOwn);
        return { user: found, secret: await resetUserPassword(queries, found, context.now()) };
      });
      return invitePage(context, user, secret);
    },
  };
}

const removeAction: Action = {
  role: "admin",
  async run(actor, form) {
    const { email } = await withUser(actor, form, async (queries, user) => {
      await removeUser(queries, user, { keepsLast: true });
      return user;
    });
    return { notice: peopleStrings.removed(email), redirectTo: path };
  },
};

/** Runs a transaction with the user that the form names. @throws AppError `not_found` */
function withUser<Result>(
  actor: Actor,
  form: URLSearchParams,
  work: (queries: Queries, user: User) => Promise<Result>,
): Promise<Result> {
  return actor.transaction(async (queries) => {
    const id = parseId(readField(form, "user"));
    const user = id === undefined ? undefined : await findUser(queries, actor.organization.id, id);
    if (!user) throw new AppError("not_found", peopleStrings.notFound);
    return work(queries, user);
  });
}

/** Shows an invite link, once: only a hash of its secret is stored. */
function invitePage({ publicUrl }: WebContext, { organizationId, email }: User, secret: string): PageContent {
  const body = html`<section class="card">
<p>${peopleStrings.inviteIntro}</p>
<p><output id="invitation" class="code">${inviteLink(publicUrl(), organizationId, secret)}</output></p>
<div class="row">${copyButton("invitation", peopleStrings.inviteLabel)}
<a href="${path}">${peopleStrings.backToPeople}</a></div></section>`;
  return { title: peopleStrings.inviteTitle(email), body };
}

function readRole(form: URLSearchParams): Role {
  const given = readField(form, "role");
  return (
    roles.find((each) => each === given) ?? rejectField(peopleStrings.role, given, uiStrings.oneOf(roles))
  );
}
