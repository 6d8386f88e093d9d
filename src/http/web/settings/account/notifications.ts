// The choice of mail on the account page.

import { notificationKinds, parseKinds } from "../../../../access/notification-kinds.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { changeNotifications } from "../../../../storage/users/users.ts";
import type { Action, WebSession } from "../../frame/page.ts";
import { actionForm } from "../../ui/forms/form.ts";

export function notificationsForm(session: WebSession, sendsMail: boolean): Html {
  const { user, t } = session;
  const note = sendsMail ? t("notifications.to", { email: user.email }) : t("notifications.off");
  return actionForm(
    session,
    "notifications",
    kindBoxes(
      session,
      user.notifications,
      html`<legend class="visually-hidden">${t("notifications.title")}</legend>`,
    ),
    html`<p class="hint">${note}</p><p><button class="second">${t("notifications.save")}</button></p>`,
  );
}

/** @param legend of the boxes */
export function kindBoxes({ t }: Locale, chosen: readonly string[], legend: Html): Html {
  const boxes = notificationKinds.map(
    (kind) =>
      html`<label class="inline"><input type="checkbox" name="kinds" value="${kind}"${chosen.includes(kind) && html` checked`}> ${t(`notifications.kinds.${kind}`)}</label>`,
  );
  return html`<fieldset>${legend}<div class="boxes">${boxes}</div></fieldset>`;
}

/** The kinds of the checked boxes; others are ignored. */
export const readKinds = (form: URLSearchParams) => parseKinds(form.getAll("kinds").join(" "));

export const notificationsAction: Action = async (actor, form) => {
  const { user, t } = actor;
  const kinds = readKinds(form);
  await actor.transaction(
    (scope) => changeNotifications(scope, user, kinds),
    ["notifications.change", kinds.join(", ") || "none"],
  );
  return { notice: t("notifications.saved") };
};
