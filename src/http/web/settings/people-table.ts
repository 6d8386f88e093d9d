// The table of users, with a form for each action.

import { inviteLifetimeMs } from "../../../storage/passwords.ts";
import type { User } from "../../../storage/users.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { WebSession } from "../page.ts";
import { selectOptions } from "../ui/field.ts";
import { actionForm } from "../ui/form.ts";
import { paginate } from "../ui/list-pagination.ts";
import { rowMenu } from "../ui/menu.ts";
import { moment, momentByHour } from "../ui/moment.ts";
import { recordTable } from "../ui/table.ts";

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
  const { t, texts } = locale;
  const { shown, links } = paginate(locale, users, { page, pageSize, what: t("people.plural") });
  const canRemove = users.length > 1;
  const rows = shown.map((user) => {
    const { id, email, role, lastVisitAt, hasSecondFactor } = user;
    const isSelf = id === session.user.id;
    return [
      html`${email}${isSelf && html` <span class="soft small">${t("people.you")}</span>`}`,
      texts("roles")[role],
      lastVisitAt === undefined ? t("people.never") : momentByHour(locale, lastVisitAt, { now, timeZone }),
      html`${passwordState(locale, user, { now, timeZone })}${hasSecondFactor && html`<br><span class="soft small">${t("people.hasSecondFactor")}</span>`}`,
      rowMenu(
        `user-${id}`,
        t("people.actionsFor", { email }),
        isSelf && html`<ul><li><a href="/settings/account">${t("people.yourAccount")}</a></li></ul>`,
        roleForm(session, user),
        !isSelf && resetForm(session, user),
        !isSelf && hasSecondFactor && resetSecondFactorForm(session, user),
        canRemove && removeForm(session, user),
      ),
    ];
  });
  const columns = [t("people.role"), t("people.lastVisit"), t("people.password"), t("people.actions")];
  const caption = t("people.caption", { organization: name });
  return html`${recordTable(caption, [t("people.email"), ...columns], rows, { name: t("people.title") })}
${links}`;
}

function passwordState(
  locale: Locale,
  { hasPassword, inviteExpiresAt }: User,
  times: { now: number; timeZone: string },
): HtmlValue {
  const { t } = locale;
  if (inviteExpiresAt === undefined) return t(hasPassword ? "people.passwordSet" : "people.passwordNotSet");
  return inviteExpiresAt > times.now
    ? moment(locale, inviteExpiresAt - inviteLifetimeMs, times, (time) => t("people.invited", { time }))
    : moment(locale, inviteExpiresAt, times, (time) => t("people.inviteExpired", { time }));
}

function roleForm(session: WebSession, { id, email, role }: User): Html {
  const { t, texts } = session.locale;
  return html`<details name="user-${id}"><summary>${t("people.changeRole")}<span class="visually-hidden"> ${t("people.resetPasswordOf", { email })}</span></summary>
${actionForm(
  session,
  { action: "role" },
  html`<input type="hidden" name="user" value="${id}">
<select name="role" aria-label="${t("people.roleOf", { email })}">${selectOptions(texts("roles"), role)}</select>
<button>${t("people.saveRole")}</button>`,
)}</details>`;
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
  return html`<details name="user-${id}"><summary>${summary}<span class="visually-hidden"> ${hasPassword ? t("people.resetPasswordOf", { email }) : t("people.newInviteLinkFor", { email })}</span></summary>
<p>${warning} ${t("people.resetNext")}</p>
${actionForm(
  session,
  { action: "reset" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${button}</button>`,
)}</details>`;
}

function resetSecondFactorForm(session: WebSession, { id, email }: User): Html {
  const { t } = session.locale;
  return html`<details name="user-${id}"><summary>${t("people.resetSecondFactor")}<span class="visually-hidden"> ${t("people.resetPasswordOf", { email })}</span></summary>
<p>${t("people.resetSecondFactorWarning", { email })}</p>
${actionForm(
  session,
  { action: "reset-second-factor" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${t("people.resetSecondFactor")}</button>`,
)}</details>`;
}

function removeForm(session: WebSession, { id, email }: User): Html {
  const { t } = session.locale;
  return html`<details name="user-${id}"><summary>${t("people.remove")}<span class="visually-hidden"> ${email}</span></summary>
<p>${t("people.removeWarning", { email })}</p>
${actionForm(
  session,
  { action: "remove" },
  html`<input type="hidden" name="user" value="${id}"><button class="danger">${t("people.removeUser")}</button>`,
)}</details>`;
}
