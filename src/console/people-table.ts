// The table of the people who may sign in, with what can be done with each.

import { formatSentAt } from "../campaign/timestamps.ts";
import { type Html, html } from "../html.ts";
import { roles } from "../role.ts";
import type { User } from "../storage/users.ts";
import type { Visitor } from "./console-page.ts";
import { actionForm } from "./form.ts";

/** So many at once: each has forms of its own, and nobody else is answered while they are made. */
const shownMax = 100;

/** @param from which part of them is shown, as the page's address has it: `2` for the second one */
export function peopleTable(
  visitor: Visitor,
  users: readonly User[],
  { now, from }: { now: number; from: string | null },
): Html {
  const { timeZone } = visitor.organization;
  const parts = Math.max(1, Math.ceil(users.length / shownMax));
  const part = /^\d{1,6}$/.test(from ?? "") ? Math.min(Math.max(Number(from), 1), parts) : 1;
  const rows = users.slice((part - 1) * shownMax, part * shownMax).map((user) => {
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
<tbody>${rows}</tbody></table></div>
${parts > 1 && partLinks(part, parts, users.length)}`;
}

function partLinks(part: number, parts: number, people: number): Html {
  const first = (part - 1) * shownMax + 1;
  const last = Math.min(part * shownMax, people);
  const shown = [first, last, people].map((number) => number.toLocaleString("en"));
  return html`<nav class="pages" aria-label="More people"><span>${shown[0]} to ${shown[1]} of ${shown[2]}</span>
${part > 1 && html`<a href="?page=${part - 1}">Earlier ones</a>`}
${part < parts && html`<a href="?page=${part + 1}">Later ones</a>`}</nav>`;
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
