// The table of the people who may sign in, with what can be done with each.

import { roleTitles } from "../../../access/role.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import type { User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import type { Visitor } from "../page.ts";
import { choices } from "../ui/field.ts";
import { actionForm } from "../ui/form.ts";
import { paginate } from "../ui/list-pagination.ts";
import { head, tableOf, wordsHead } from "../ui/table.ts";

/** So many at once: each has forms of its own. */
const shownMax = 100;

/** @param from which part of them is shown, as the page's address has it */
export function peopleTable(
  visitor: Visitor,
  users: readonly User[],
  { now, from }: { now: number; from: string | null },
): Html {
  const { organization } = visitor;
  const { timeZone } = organization;
  const { shown, links } = paginate(users, { from, size: shownMax, what: "people" });
  const rows = shown.map((user) => {
    const { id, email, lastVisitAt } = user;
    const isSelf = id === visitor.user.id;
    return html`<tr><th scope="row" class="words">${email}${isSelf && html` <span class="soft small">(you)</span>`}</th>
<td>${roleForm(visitor, user)}</td>
<td>${lastVisitAt === undefined ? "Never" : formatSentAt(lastVisitAt, timeZone)}</td>
<td>${stateOf(user, now, timeZone)}</td>
<td>${isSelf ? html`<a href="/settings/account">Your own page</a>` : resetForm(visitor, user)}${users.length > 1 && removeForm(visitor, user)}</td></tr>
`;
  });
  const caption = `Who may sign in to ${organization.name}. Times are those of ${timeZone}.`;
  const others = ["Role", "Last visit", "Password", "What can be done"].map(head);
  return html`${tableOf(caption, [wordsHead("Email"), ...others], rows, "People")}
${links}`;
}

function stateOf({ hasPassword, inviteExpiresAt }: User, now: number, timeZone: string): string {
  if (inviteExpiresAt !== undefined && inviteExpiresAt > now) {
    return `Invited until ${formatSentAt(inviteExpiresAt, timeZone)}`;
  }
  return hasPassword ? "Set" : "Not set";
}

function roleForm(visitor: Visitor, { id, email, role }: User): Html {
  return actionForm(
    visitor,
    { action: "role", className: "fields" },
    html`<input type="hidden" name="user" value="${id}">
<div class="field tight"><select name="role" aria-label="Role of ${email}">${choices(roleTitles, role)}</select></div>
<button class="second" aria-label="Change the role of ${email}">Change</button>`,
  );
}

function resetForm(visitor: Visitor, { id, email, hasPassword, inviteExpiresAt }: User): Html {
  const before =
    inviteExpiresAt === undefined
      ? `All sessions of ${email} end.`
      : `The address that ${email} was given before works no more.`;
  const [name, button, words] = hasPassword
    ? ["Reset password", "Reset the password", `The password and all sessions of ${email} end.`]
    : ["New address", "Make a new address", before];
  return html`<details><summary>${name}<span class="visually-hidden"> ${hasPassword ? "of" : "for"} ${email}</span></summary>
<p>${words} You are shown an address at which a new password can be chosen once.</p>
${actionForm(
  visitor,
  { action: "reset" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${button}</button>`,
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
