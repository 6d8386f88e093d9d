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
  const { t, format } = locale;
  const { shown, links } = paginate(locale, users, { page, pageSize, what: t("people.plural") });
  const canRemove = users.length > 1;
  const rows = shown.map((user) => {
    const { id, email, lastVisitAt } = user;
    const isSelf = id === session.user.id;
    const you = isSelf && html` <span class="soft small">${t("people.you")}</span>`;
    const account = html`<a href="/settings/account">${t("people.yourAccount")}</a>`;
    return html`<tr><th scope="row" class="text">${email}${you}</th>
<td${cellLabel(t("people.role"))}>${roleForm(session, user)}</td>
<td class="moment"${cellLabel(t("people.lastVisit"))}>${lastVisitAt === undefined ? t("people.never") : format.dateTime(lastVisitAt, timeZone)}</td>
<td${cellLabel(t("people.password"))}>${passwordState(locale, user, { now, timeZone })}${user.hasSecondFactor && html`<br><span class="soft small">${t("people.hasSecondFactor")}</span>`}</td>
<td${cellLabel(t("people.actions"))}>${isSelf ? account : html`${resetForm(session, user)}${user.hasSecondFactor && resetSecondFactorForm(session, user)}`}${canRemove && removeForm(session, user)}</td></tr>
`;
  });
  const headers = [
    textColumnHeader(t("people.email")),
    ...[t("people.role"), t("people.lastVisit"), t("people.password"), t("people.actions")].map(columnHeader),
  ];
  return html`${renderTable(t("people.caption", { organization: name, timeZone }), headers, rows, { name: t("people.title"), isStacked: true })}
${links}`;
}

function passwordState(
  { t, format }: Locale,
  { hasPassword, inviteExpiresAt }: User,
  { now, timeZone }: { now: number; timeZone: string },
): string {
  if (inviteExpiresAt !== undefined && inviteExpiresAt > now) {
    return t("people.invitedUntil", { time: format.dateTime(inviteExpiresAt, timeZone) });
  }
  return hasPassword ? t("people.passwordSet") : t("people.passwordNotSet");
}

function roleForm(session: WebSession, { id, email, role }: User): Html {
  const { t, texts } = session.locale;
  return actionForm(
    session,
    { action: "role", className: "fields" },
    html`<input type="hidden" name="user" value="${id}">
<div class="field tight"><select name="role" aria-label="${t("people.roleOf", { email })}">${selectOptions(texts("roles"), role)}</select></div>
<button class="second" aria-label="${t("people.changeRoleOf", { email })}">${t("people.changeRole")}</button>`,
  );
}

/** Resets a password, or creates a new invite link if there is no password. */
function resetForm(session: WebSession, { id, email, hasPassword, inviteExpiresAt }: User): Html {
  const { t } = session.locale;
  const inviteWarning =
    inviteExpiresAt === undefined
      ? t("people.sessionsWarning", { email })
      : t("people.oldLinkWarning", { email });
  const [summary, button, warning] = hasPassword
    ? [t("people.resetPassword"), t("people.resetButton"), t("people.resetWarning", { email })]
    : [t("people.newInviteLink"), t("people.newInviteButton"), inviteWarning];
  return html`<details><summary>${summary}<span class="visually-hidden"> ${hasPassword ? t("people.resetPasswordOf", { email }) : t("people.newInviteLinkFor", { email })}</span></summary>
<p>${warning} ${t("people.resetNext")}</p>
${actionForm(
  session,
  { action: "reset" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${button}</button>`,
)}</details>`;
}

function resetSecondFactorForm(session: WebSession, { id, email }: User): Html {
  const { t } = session.locale;
  return html`<details><summary>${t("people.resetSecondFactor")}<span class="visually-hidden"> ${t("people.resetPasswordOf", { email })}</span></summary>
<p>${t("people.resetSecondFactorWarning", { email })}</p>
${actionForm(
  session,
  { action: "reset-second-factor" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${t("people.resetSecondFactor")}</button>`,
)}</details>`;
}

function removeForm(session: WebSession, { id, email }: User): Html {
  const { t } = session.locale;
  return html`<details><summary>${t("people.remove")}<span class="visually-hidden"> ${email}</span></summary>
<p>${t("people.removeWarning", { email })}</p>
${actionForm(
  session,
  { action: "remove" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${t("people.removeUser")}</button>`,
)}</details>`;
}
