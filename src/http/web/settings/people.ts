// The page of the people who may sign in, for admins: who they are, what they may do, where they are signed in.

import { type Role, roleNouns, roles, roleTitles } from "../../../access/role.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import { listSessions } from "../../../storage/sessions.ts";
import { findUser, listUsers, type User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import type { Action, Actor, Page, PageContent, PageRequest, Visitor } from "../page.ts";
import { invitationUrl } from "../sign-in/choose-password.ts";
import { choices, field } from "../ui/field.ts";
import { actionForm, fieldOf, refuseField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { addPerson, changePersonsRole, type EmailWords, removePerson, resetPerson } from "./membership.ts";
import { peopleTable } from "./people-table.ts";
import { endSession, sessionsTable } from "./sessions-table.ts";

const path = "/settings/people";

export function peoplePage(door: WebContext): Page {
  const { database, now } = door;
  return {
    path,
    role: "admin",
    async show(visitor, asked) {
      const { id } = visitor.organization;
      const { users, sessions } = await database.snapshot(async (queries) => ({
        users: await listUsers(queries, id),
        sessions: await listSessions(queries, id, now()),
      }));
      const owners = new Map(users.map((user) => [user.id, user]));
      const table = peopleTable(visitor, users, { now: now(), from: asked.query.get("page") });
      const body = html`<section class="card"><h2>People</h2>${table}</section>
${addForm(visitor, asked)}
<section class="card"><h2>Sessions</h2>${sessionsTable(visitor, sessions, owners)}</section>`;
      return { title: "People", body };
    },
    actions: { ...personActions(door), "end-session": endSession(door, "all") },
  };
}

function addForm(visitor: Visitor, { refused }: PageRequest): Html {
  const sent = refused?.action === "add" ? refused : undefined;
  const email = field(
    { name: "email", label: "Email" },
    sent?.problem,
    (its) =>
      html`<input ${its} type="email" maxlength="254" autocomplete="off" value="${sent?.form.get("email") ?? ""}" required>`,
  );
  const role = field(
    { name: "role", label: "Role", isTight: true },
    sent?.problem,
    (its) => html`<select ${its}>${choices(roleTitles, sent?.form.get("role") ?? "viewer")}</select>`,
  );
  return html`<section class="card"><h2>Add a person</h2>
${actionForm(
  visitor,
  { action: "add" },
  html`<div class="fields">${email}${role}<div class="field tight"><button>Add</button></div></div>
<p class="hint">Viewers see numbers, tags, and comments without names. Admins also keep keys and people, and change things. The person chooses a password at an address that you are shown next.</p>`,
)}</section>`;
}

/** As pages say it. */
const words: EmailWords = {
  none: (email) => `Email: ${email} is not an email address, such as ada@example.com.`,
  here: (email) =>
    `Email: ${email} is here already; New address or Reset password in the table gives another address.`,
  elsewhere: (email) =>
    `Email: ${email} is taken by somebody who may sign in already; an email leads to one person only.`,
};

function personActions(door: WebContext): Record<string, Action> {
  const { now } = door;
  const changeOne = <Result>(
    visitor: Actor,
    form: URLSearchParams,
    work: (queries: Queries, user: User) => Promise<Result>,
  ) => visitor.write(async (queries) => work(queries, await needPerson(queries, visitor, form)));
  return {
    add: {
      role: "admin",
      async run(visitor, form) {
        const given = { email: fieldOf(form, "email"), role: roleIn(form), now: now(), words };
        const organizationId = visitor.organization.id;
        const added = await visitor.write((queries) => addPerson(queries, { organizationId, ...given }));
        return invitation(door, added.user, added.secret);
      },
    },
    role: {
      role: "admin",
      async run(visitor, form) {
        const role = roleIn(form);
        const user = await changeOne(visitor, form, async (queries, found) => {
          await changePersonsRole(queries, found, role);
          return found;
        });
        const isLeaving = user.id === visitor.user.id && role !== "admin";
        const notice = `${user.email} is now ${roleNouns[role]}.`;
        return { notice, goTo: isLeaving ? "/settings/account" : path };
      },
    },
    reset: {
      role: "admin",
      async run(visitor, form) {
        const { user, secret } = await changeOne(visitor, form, async (queries, found) => {
          // It would end the very session in which the new address is shown.
          if (found.id === visitor.user.id)
            throw new AppError("conflict", "Change your own password on your own page.");
          return { user: found, secret: await resetPerson(queries, found, now()) };
        });
        return invitation(door, user, secret);
      },
    },
    remove: {
      role: "admin",
      async run(visitor, form) {
        const user = await changeOne(visitor, form, async (queries, found) => {
          await removePerson(queries, found, { keepsLast: true });
          return found;
        });
        return { notice: `${user.email} may not sign in any more.`, goTo: path };
      },
    },
  };
}

/** Shown this once: the secret in it is kept nowhere. */
function invitation({ publicUrl }: WebContext, { organizationId, email }: User, secret: string): PageContent {
  const body = html`<section class="card">
<p>There a password is chosen. Send it to nobody else: it works once, for seven days, and is not shown again.</p>
<p><output id="invitation" class="code">${invitationUrl(publicUrl(), organizationId, secret)}</output></p>
<div class="row"><button type="button" class="second" data-copy="invitation" hidden>Copy</button>
<a href="${path}">Back to the people</a></div></section>`;
  return { title: `Send this address to ${email}`, body };
}

function roleIn(form: URLSearchParams): Role {
  const given = fieldOf(form, "role");
  return roles.find((each) => each === given) ?? refuseField("Role", given, `one of ${roles.join(", ")}`);
}

async function needPerson(queries: Queries, { organization }: Visitor, form: URLSearchParams): Promise<User> {
  const id = parseId(fieldOf(form, "user"));
  const user = id === undefined ? undefined : await findUser(queries, organization.id, id);
  if (user) return user;
  throw new AppError("not_found", "There is no such person here any more.");
}
