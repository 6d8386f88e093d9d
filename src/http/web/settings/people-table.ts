// The table of users, with a form for each action.

import { roleTitles } from "../../../access/role.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import type { User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import type { WebSession } from "../page.ts";
import { peopleStrings } from "../strings/people.ts";
import { selectOptions } from "../ui/field.ts";
import { actionForm } from "../ui/form.ts";
import { paginate } from "../ui/list-pagination.ts";
import { columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

/** Each row has several forms. */
const pageSize = 100;

/** @param options.page the page number, as the URL has it */
export function peopleTable(
  session: WebSession,
  users: readonly User[],
  { now, page }: { now: number; page: string | null },
): Html {
  const { timeZone, name } = session.organization;
  const { shown, links } = paginate(users, { page, pageSize, what: peopleStrings.plural });
  const canRemove = users.length > 1;
  const rows = shown.map((user) => {
    const { id, email, lastVisitAt } = user;
    const isSelf = id === session.user.id;
    const you = isSelf && html` <span class="soft small">${peopleStrings.you}</span>`;
    const account = html`<a href="/settings/account">${peopleStrings.yourAccount}</a>`;
    return html`<tr><th scope="row" class="text">${email}${you}</th>
<td>${roleForm(session, user)}</td>
<td>${lastVisitAt === undefined ? peopleStrings.never : formatSentAt(lastVisitAt, timeZone)}</td>
<td>${passwordState(user, now, timeZone)}</td>
<td>${isSelf ? account : resetForm(session, user)}${canRemove && removeForm(session, user)}</td></tr>
`;
  });
  const { email, role, lastVisit, password, actions } = peopleStrings;
  const headers = [textColumnHeader(email), ...[role, lastVisit, password, actions].map(columnHeader)];
  return html`${renderTable(peopleStrings.caption(name, timeZone), headers, rows, peopleStrings.title)}
${links}`;
}

function passwordState({ hasPassword, inviteExpiresAt }: User, now: number, timeZone: string): string {
  if (inviteExpiresAt !== undefined && inviteExpiresAt > now) {
    return peopleStrings.invitedUntil(formatSentAt(inviteExpiresAt, timeZone));
  }
  return hasPassword ? peopleStrings.passwordSet : peopleStrings.passwordNotSet;
}

function roleForm(session: WebSession, { id, email, role }: User): Html {
  const { roleOf, changeRole, changeRoleOf } = peopleStrings;
  return actionForm(
    session,
    { action: "role", className: "fields" },
    html`<input type="hidden" name="user" value="${id}">
<div class="field tight"><select name="role" aria-label="${roleOf(email)}">${selectOptions(roleTitles, role)}</select></div>
<button class="second" aria-label="${changeRoleOf(email)}">${changeRole}</button>`,
  );
}

/** Resets a password, or creates a new invite link if there is no password. */
function resetForm(session: WebSession, { id, email, hasPassword, inviteExpiresAt }: User): Html {
  const { resetPassword, newInviteLink, resetButton, newInviteButton } = peopleStrings;
  const { resetWarning, sessionsWarning, oldLinkWarning } = peopleStrings;
  const inviteWarning = inviteExpiresAt === undefined ? sessionsWarning(email) : oldLinkWarning(email);
  const [summary, button, warning] = hasPassword
    ? [resetPassword, resetButton, resetWarning(email)]
    : [newInviteLink, newInviteButton, inviteWarning];
  return html`<details><summary>${summary}<span class="visually-hidden"> ${peopleStrings.resetSummary(hasPassword, email)}</span></summary>
<p>${warning} ${peopleStrings.resetNext}</p>
${actionForm(
  session,
  { action: "reset" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${button}</button>`,
)}</details>`;
}

function removeForm(session: WebSession, { id, email }: User): Html {
  return html`<details><summary>${peopleStrings.remove}<span class="visually-hidden"> ${email}</span></summary>
<p>${peopleStrings.removeWarning(email)}</p>
${actionForm(
  session,
  { action: "remove" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${peopleStrings.removeUser}</button>`,
)}</details>`;
}
