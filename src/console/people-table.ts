// The table of the people who may sign in, with what can be done with each.

import { formatSentAt } from "../campaign/timestamps.ts";
import { type Html, html } from "../html.ts";
import { roles } from "../role.ts";
import type { User } from "../storage/users.ts";
import type { Visitor } from "./console-page.ts";
import { actionForm } from "./form.ts";

export function peopleTable(visitor: Visitor, users: readonly User[], now: number): Html {
  const { timeZone } = visitor.organization;
  const rows = users.map((user) => {
    const { id, email, lastVisitAt } = user;
    const isSelf = id === visitor.user.id;
    return html`<tr><th scope="row" class="words">${email}${isSelf && html` <span class="soft small">(you)</span>`}</th>
<td>${roleForm(visitor, user)}</td>
<td>${lastVisitAt === undefined ? "Never" : formatSentAt(lastVisitAt, timeZone)}</td>
<td>${stateOf(user, now, timeZone)}</td>
<td>${isSelf ? html`<a href="/settings/account">Your own page</a>` : resetForm(visitor, user)}${removeForm(visitor, user)}</td></tr>`;
  });
  return html`<div class="table" tabindex="0" role="region" aria-label="People"><table>
<caption>Who may sign in to ${visitor.organization.name}. Times are those of ${timeZone}.</caption>
<thead><tr><th scope="col" class="words">Email</th><th scope="col">Role</th><th scope="col">Last visit</th>
<th scope="col">Password</th><th scope="col">More</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** The choices of a role, one of them chosen. */
export function roleOptions(chosen: string): Html[] {
  return roles.map((role) => {
    const name = role === "admin" ? "Admin" : "Viewer";
    return html`<option value="${role}"${role === chosen && html` selected`}>${name}</option>`;
  });
}

function stateOf({ hasPassword, invitedUntil }: User, now: number, timeZone: string): string {
  if (invitedUntil !== undefined && invitedUntil > now) {
    return `Invited until ${formatSentAt(invitedUntil, timeZone)}`;
  }
  return hasPassword ? "Chosen" : "None";
}

function roleForm(visitor: Visitor, { id, email, role }: User): Html {
  return actionForm(
    visitor,
    { action: "role", className: "row" },
    html`<input type="hidden" name="user" value="${id}">
<div><select name="role" aria-label="Role of ${email}">${roleOptions(role)}</select></div>
<button class="second" aria-label="Change the role of ${email}">Change</button>`,
  );
}

function resetForm(visitor: Visitor, { id, email }: User): Html {
  return html`<details><summary>Reset password<span class="visually-hidden"> of ${email}</span></summary>
<p>The password and all sessions of ${email} end. You are shown an address at which a new password can be chosen once.</p>
${actionForm(
  visitor,
  { action: "reset" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">Reset the password</button>`,
)}</details>`;
}

function removeForm(visitor: Visitor, { id, email }: User): Html {
  return html`<details><summary>Remove<span class="visually-hidden"> ${email}</span></summary>
<p>${email} may not sign in any more, and is signed out everywhere. API keys that they have made stay.</p>
${actionForm(
  visitor,
  { action: "remove" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">Remove this person</button>`,
)}</details>`;
}
