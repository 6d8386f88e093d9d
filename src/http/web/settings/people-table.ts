// The table of users, with a form for each action.

import type { User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { WebSession } from "../page.ts";
import { selectOptions } from "../ui/field.ts";
import { actionForm } from "../ui/form.ts";
import { paginate } from "../ui/list-pagination.ts";
import { cellLabel, columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

/** Each row has several forms. */
const pageSize = 100;

/** @param options.page the page number, as the URL has it */
export function peopleTable(
  session: WebSession,
  users: readonly User[],
  { now, page }: { now: number; page: string | null },
): Html {
  const { timeZone, name } = session.organization;
  const { locale } = session;
  const { strings, format } = locale;
  const { shown, links } = paginate(locale, users, { page, pageSize, what: strings.people.plural });
  const { email: emailTitle, role, lastVisit, password, actions } = strings.people;
  const canRemove = users.length > 1;
  const rows = shown.map((user) => {
    const { id, email, lastVisitAt } = user;
    const isSelf = id === session.user.id;
    const you = isSelf && html` <span class="soft small">${strings.people.you}</span>`;
    const account = html`<a href="/settings/account">${strings.people.yourAccount}</a>`;
    return html`<tr><th scope="row" class="text">${email}${you}</th>
<td${cellLabel(role)}>${roleForm(session, user)}</td>
<td class="moment"${cellLabel(lastVisit)}>${lastVisitAt === undefined ? strings.people.never : format.dateTime(lastVisitAt, timeZone)}</td>
<td${cellLabel(password)}>${passwordState(locale, user, { now, timeZone })}</td>
<td${cellLabel(actions)}>${isSelf ? account : resetForm(session, user)}${canRemove && removeForm(session, user)}</td></tr>
`;
  });
  const headers = [textColumnHeader(emailTitle), ...[role, lastVisit, password, actions].map(columnHeader)];
  return html`${renderTable(strings.people.caption(name, timeZone), headers, rows, { name: strings.people.title, isStacked: true })}
${links}`;
}

function passwordState(
  { strings, format }: Locale,
  { hasPassword, inviteExpiresAt }: User,
  { now, timeZone }: { now: number; timeZone: string },
): string {
  if (inviteExpiresAt !== undefined && inviteExpiresAt > now) {
    return strings.people.invitedUntil(format.dateTime(inviteExpiresAt, timeZone));
  }
  return hasPassword ? strings.people.passwordSet : strings.people.passwordNotSet;
}

function roleForm(session: WebSession, { id, email, role }: User): Html {
  const { strings } = session.locale;
  const { roleOf, changeRole, changeRoleOf } = strings.people;
  return actionForm(
    session,
    { action: "role", className: "fields" },
    html`<input type="hidden" name="user" value="${id}">
<div class="field tight"><select name="role" aria-label="${roleOf(email)}">${selectOptions(strings.roles, role)}</select></div>
<button class="second" aria-label="${changeRoleOf(email)}">${changeRole}</button>`,
  );
}

/** Resets a password, or creates a new invite link if there is no password. */
function resetForm(session: WebSession, { id, email, hasPassword, inviteExpiresAt }: User): Html {
  const { strings } = session.locale;
  const { resetPassword, newInviteLink, resetButton, newInviteButton } = strings.people;
  const { resetPasswordOf, newInviteLinkFor, resetWarning, sessionsWarning, oldLinkWarning } = strings.people;
  const inviteWarning = inviteExpiresAt === undefined ? sessionsWarning(email) : oldLinkWarning(email);
  const [summary, button, warning] = hasPassword
    ? [resetPassword, resetButton, resetWarning(email)]
    : [newInviteLink, newInviteButton, inviteWarning];
  return html`<details><summary>${summary}<span class="visually-hidden"> ${hasPassword ? resetPasswordOf(email) : newInviteLinkFor(email)}</span></summary>
<p>${warning} ${strings.people.resetNext}</p>
${actionForm(
  session,
  { action: "reset" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${button}</button>`,
)}</details>`;
}

function removeForm(session: WebSession, { id, email }: User): Html {
  const { strings } = session.locale;
  return html`<details><summary>${strings.people.remove}<span class="visually-hidden"> ${email}</span></summary>
<p>${strings.people.removeWarning(email)}</p>
${actionForm(
  session,
  { action: "remove" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${strings.people.removeUser}</button>`,
)}</details>`;
}
