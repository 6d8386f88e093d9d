// The page of the people who may sign in, for admins: who they are, what they may do, where they are signed in.

import { Refusal } from "../errors.ts";
import { type Html, html } from "../html.ts";
import { type Role, roles } from "../role.ts";
import type { Queries } from "../storage/database.ts";
import { lockOrganization } from "../storage/organizations.ts";
import { listSessions } from "../storage/sessions.ts";
import { findUser, listUsers, type User } from "../storage/users.ts";
import { invitationUrl } from "./choose-password.ts";
import type { Action, Asked, ConsolePage, Shown, Visitor } from "./console-page.ts";
import type { ConsoleDoor } from "./door.ts";
import { actionForm, fieldOf } from "./form.ts";
import { addPerson, changePersonsRole, removePerson, resetPerson } from "./membership.ts";
import { organizationActions, organizationSection } from "./organization.ts";
import { peopleTable, roleOptions } from "./people-table.ts";
import { endSession, sessionsTable } from "./sessions-table.ts";

const path = "/settings/people";

export function peoplePage(door: ConsoleDoor): ConsolePage {
  const { database, now } = door;
  return {
    path,
    role: "admin",
    async show(visitor, asked) {
      const { id } = visitor.organization;
      const { users, sessions } = await database.read(async (queries) => ({
        users: await listUsers(queries, id),
        sessions: await listSessions(queries, id, now()),
      }));
      const owners = new Map(users.map((user) => [user.id, user]));
      const body = html`${peopleTable(visitor, users, { now: now(), from: asked.query.get("page") })}
${addForm(visitor, asked)}
<section class="card"><h2>Sessions</h2>${sessionsTable(visitor, sessions, owners)}</section>
${organizationSection(visitor, asked)}`;
      return { title: "People", body };
    },
    actions: { ...personActions(door), "end-session": endSession(door, "all"), ...organizationActions(door) },
  };
}

function addForm(visitor: Visitor, { refused }: Asked): Html {
  const form = refused?.action === "add" ? refused.form : new URLSearchParams();
  return html`<section class="card"><h2>Add a person</h2>
${actionForm(
  visitor,
  { action: "add" },
  html`<div class="fields"><div class="field"><label for="email">Email</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="off" value="${form.get("email") ?? ""}" required></div>
<div class="field tight"><label for="role">Role</label>
<select id="role" name="role">${roleOptions(form.get("role") ?? "viewer")}</select></div>
<div class="field tight"><button>Add</button></div></div>
<p class="hint">Viewers see numbers and tags. Admins also keep keys and people, and change things. The person chooses a password at an address that you are shown next.</p>`,
)}</section>`;
}

function personActions(door: ConsoleDoor): Record<string, Action> {
  const { database, now } = door;
  /** Nobody else changes people of the organization meanwhile. */
  const change = <Result>(visitor: Visitor, work: (queries: Queries) => Promise<Result>) =>
    database.write(async (queries) => {
      await lockOrganization(queries, visitor.organization.id);
      return work(queries);
    });
  const changeOne = <Result>(
    visitor: Visitor,
    form: URLSearchParams,
    work: (queries: Queries, user: User) => Promise<Result>,
  ) => change(visitor, async (queries) => work(queries, await needPerson(queries, visitor, form)));
  return {
    add: {
      role: "admin",
      async run(visitor, form) {
        const given = { email: fieldOf(form, "email"), role: roleIn(form), now: now() };
        const organizationId = visitor.organization.id;
        const added = await change(visitor, (queries) => addPerson(queries, { organizationId, ...given }));
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
        const notice = `${user.email} is now ${role === "admin" ? "an admin" : "a viewer"}.`;
        return { notice, goTo: isLeaving ? "/settings/account" : path };
      },
    },
    reset: {
      role: "admin",
      async run(visitor, form) {
        const { user, secret } = await changeOne(visitor, form, async (queries, found) => {
          // It would end the very session in which the new address is shown.
          if (found.id === visitor.user.id)
            throw new Refusal("conflict", "Change your own password on your own page.");
          return { user: found, secret: await resetPerson(queries, found, now()) };
        });
        return invitation(door, user, secret);
      },
    },
    remove: {
      role: "admin",
      async run(visitor, form) {
        const user = await changeOne(visitor, form, async (queries, found) => {
          await removePerson(queries, found);
          return found;
        });
        return { notice: `${user.email} may not sign in any more.`, goTo: path };
      },
    },
  };
}

/** Shown this once: the secret in it is kept nowhere. */
function invitation({ publicUrl }: ConsoleDoor, { organizationId, email }: User, secret: string): Shown {
  const body = html`<section class="card"><h2>${email} can choose a password</h2>
<p>Send this address to them, and to nobody else. It works once, for seven days, and is not shown again.</p>
<p><output id="invitation" class="code">${invitationUrl(publicUrl(), organizationId, secret)}</output></p>
<div class="row"><button type="button" class="second" data-copy="invitation" hidden>Copy</button>
<a href="${path}">Back to the people</a></div></section>`;
  return { title: "Choose a password", body };
}

function roleIn(form: URLSearchParams): Role {
  const given = fieldOf(form, "role");
  const role = roles.find((each) => each === given);
  if (role !== undefined) return role;
  throw new Refusal(
    "bad_request",
    `Role: ${JSON.stringify(given.slice(0, 100))} is not one of ${roles.join(", ")}.`,
  );
}

async function needPerson(queries: Queries, { organization }: Visitor, form: URLSearchParams): Promise<User> {
  const given = fieldOf(form, "user");
  const id = /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined;
  const user = id === undefined ? undefined : await findUser(queries, organization.id, id);
  if (user) return user;
  throw new Refusal("not_found", "There is no such person here any more.");
}
