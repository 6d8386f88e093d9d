// The people page at `/settings/people`: admins add and remove users, change roles, reset passwords and end sessions.

import { type Html, html } from "../../../../locale/html.ts";
import { webPaths } from "../../../../paths.ts";
import { listSessions } from "../../../../storage/users/sessions.ts";
import { listUsers } from "../../../../storage/users/users.ts";
import type { AttemptLimit } from "../../frame/attempt-limit.ts";
import type { Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { inputField, selectField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm } from "../../ui/forms/form.ts";
import { endSession, sessionsTable } from "../account/sessions-table.ts";
import { peopleActions } from "./people-actions.ts";
import { peopleTable } from "./people-table.ts";

export function peoplePage(context: WebContext, attemptLimit: AttemptLimit): Page {
  return {
    path: webPaths.people,
    role: "admin",
    async show(session, request) {
      const { users, sessions } = await session.snapshot(async (scope) => ({
        users: await listUsers(scope),
        sessions: await listSessions(scope, session.now),
      }));
      const owners = new Map(users.map((user) => [user.id, user]));
      const table = peopleTable(session, users, request.query.get("page"));
      const body = html`<section class="card">${table}</section>
${addForm(session, request)}
<section class="card"><h2>${session.t("sessions.title")}</h2>${sessionsTable(session, sessions, owners)}</section>`;
      return { title: session.t("pages.people"), body };
    },
    actions: {
      ...peopleActions(context, attemptLimit),
      "end-session": endSession("all"),
    },
  };
}

function addForm(session: WebSession, request: PageRequest): Html {
  const { t, texts } = session;
  const submitted = submittedOf(request, "add");
  const emailField = inputField(
    submitted,
    { name: "email", label: t("signIn.email"), value: "" },
    html` type="email" maxlength="254" autocomplete="off" required`,
  );
  const roleField = selectField(
    submitted,
    { name: "role", label: t("people.role"), isTight: true, value: "viewer" },
    texts("roles"),
  );
  return html`<section class="card"><h2>${t("people.addUser")}</h2>
${actionForm(
  session,
  "add",
  html`<div class="fields">${emailField}${roleField}<div class="field tight"><button>${t("people.add")}</button></div></div>
<p class="hint">${t("people.addHint")}</p>`,
)}</section>`;
}
