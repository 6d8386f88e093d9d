// The table of users, with a form for each action.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { webPaths } from "../../../../paths.ts";
import { inviteLifetimeMs } from "../../../../storage/users/passwords.ts";
import type { User } from "../../../../storage/users/users.ts";
import type { WebSession } from "../../frame/page.ts";
import { hiddenField, selectOptions } from "../../ui/forms/field.ts";
import { actionForm } from "../../ui/forms/form.ts";
import { paginate } from "../../ui/lists/list-pagination.ts";
import { rowMenu } from "../../ui/lists/menu.ts";
import { recordTable } from "../../ui/lists/table.ts";
import { moment, momentByHour } from "../../ui/numbers/moment.ts";

/** Each row has several forms. */
const pageSize = 100;

/** @param page the page number, as the URL has it */
export function peopleTable(session: WebSession, users: readonly User[], page: string | null): Html {
  const { name } = session.organization;
  const { t, texts } = session;
  const { shown, links } = paginate(session, users, { page, pageSize, what: t("people.plural") });
  const canRemove = users.length > 1;
  const rows = shown.map((user) => {
    const { id, email, role, lastVisitAt, hasSecondFactor } = user;
    const isSelf = id === session.user.id;
    return [
      html`${email}${isSelf && html` <span class="soft small">${t("people.you")}</span>`}`,
      texts("roles")[role],
      lastVisitAt === undefined ? t("people.never") : momentByHour(session, lastVisitAt),
      html`${passwordState(session, user)}${hasSecondFactor && html`<br><span class="soft small">${t("people.hasSecondFactor")}</span>`}`,
      rowMenu(
        `user-${id}`,
        t("people.actionsFor", { email }),
        isSelf && html`<ul><li><a href="${webPaths.account}">${t("pages.account")}</a></li></ul>`,
        roleForm(session, user),
        !isSelf && resetForm(session, user),
        !isSelf && hasSecondFactor && resetSecondFactorForm(session, user),
        canRemove && removeForm(session, user),
      ),
    ];
  });
  const columns = [t("people.role"), t("people.lastVisit"), t("signIn.password"), t("people.actions")];
  const caption = t("people.caption", { organization: name });
  return html`${recordTable(caption, [t("signIn.email"), ...columns], rows, { name: t("pages.people") })}
${links}`;
}

function passwordState(session: WebSession, { hasPassword, inviteExpiresAt }: User): HtmlValue {
  const { t } = session;
  if (inviteExpiresAt === undefined) return t(hasPassword ? "people.passwordSet" : "people.passwordNotSet");
  return inviteExpiresAt > session.now
    ? moment(session, inviteExpiresAt - inviteLifetimeMs, (time) => t("people.invited", { time }))
    : moment(session, inviteExpiresAt, (time) => t("people.inviteExpired", { time }));
}

/** A part of the menu of a row: what it does, for whom, and the form behind it. */
function rowForm(
  session: WebSession,
  { id }: User,
  { action, title, of }: { action: string; title: string; of: string },
  ...content: HtmlValue[]
): Html {
  const [text, ...controls] = content;
  return html`<details name="user-${id}"><summary>${title}<span class="visually-hidden"> ${of}</span></summary>
${text && html`<p>${text}</p>`}
${actionForm(session, action, hiddenField("user", id), controls)}</details>`;
}

const danger = (label: string) => html`<button class="danger">${label}</button>`;

function roleForm(session: WebSession, user: User): Html {
  const { t, texts } = session;
  const { email, role } = user;
  return rowForm(
    session,
    user,
    { action: "role", title: t("people.changeRole"), of: t("people.resetPasswordOf", { email }) },
    false,
    html`<select name="role" aria-label="${t("people.roleOf", { email })}">${selectOptions(texts("roles"), role)}</select>
<button>${t("people.saveRole")}</button>`,
  );
}

/** Resets a password, or creates a new invite link if there is no password. */
function resetForm(session: WebSession, user: User): Html {
  const { t } = session;
  const { email, hasPassword, inviteExpiresAt } = user;
  const [title, of, warning, button] = hasPassword
    ? [
        t("people.resetPassword"),
        t("people.resetPasswordOf", { email }),
        t("people.resetWarning", { email }),
        t("people.resetPassword"),
      ]
    : [
        t("people.newInviteLink"),
        t("people.newInviteLinkFor", { email }),
        t(inviteExpiresAt === undefined ? "people.sessionsWarning" : "people.oldLinkWarning", { email }),
        t("people.newInviteButton"),
      ];
  const text = `${warning} ${t("people.resetNext")}`;
  return rowForm(session, user, { action: "reset", title, of }, text, danger(button));
}

function resetSecondFactorForm(session: WebSession, user: User): Html {
  const { t } = session;
  const [title, of] = [t("people.resetSecondFactor"), t("people.resetPasswordOf", { email: user.email })];
  return rowForm(
    session,
    user,
    { action: "reset-second-factor", title, of },
    t("people.resetSecondFactorWarning", { email: user.email }),
    danger(title),
  );
}

function removeForm(session: WebSession, user: User): Html {
  const { t } = session;
  const warning = t("people.removeWarning", { email: user.email });
  const about = { action: "remove", title: t("people.remove"), of: user.email };
  return rowForm(session, user, about, warning, danger(t("people.removeUser")));
}
