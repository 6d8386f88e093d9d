// The table of active sessions, and the action that ends one.

import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { deleteSession, listSessions, type Session } from "../../../../storage/users/sessions.ts";
import { findUser, type User } from "../../../../storage/users/users.ts";
import type { Action, ActionResult, WebSession } from "../../frame/page.ts";
import { hiddenField } from "../../ui/forms/field.ts";
import { actionForm, readField } from "../../ui/forms/form.ts";
import { recordTable } from "../../ui/lists/table.ts";
import { moment, momentByHour } from "../../ui/numbers/moment.ts";

/** The most recently used sessions are shown. Rendering more would block the event loop. */
const maxShown = 200;

/** @param owners the users of the sessions, if the table should show them */
export function sessionsTable(
  current: WebSession,
  sessions: readonly Session[],
  owners?: ReadonlyMap<number, User>,
): Html {
  const { user, t, timeText } = current;

  const hidden = sessions.length - maxShown;
  const rows = sessions.slice(0, maxShown).map(({ hash, userId, client: name, createdAt, lastSeenAt }) => {
    const browser = name || t("ui.unknownBrowser");
    const email = owners?.get(userId)?.email ?? user.email;
    const label = `${t("sessions.endOf", { email, browser })}, ${timeText(createdAt)}`;
    const end = actionForm(
      current,
      "end-session",
      hiddenField("session", hash),
      html`<button class="plain" aria-label="${label}">${t("sessions.end")}</button>`,
    );
    return [
      ...(owners ? [email] : []),
      browser,
      moment(current, createdAt),
      momentByHour(current, lastSeenAt),
      hash === current.hash ? html`<span class="soft">${t("sessions.current")}</span>` : end,
    ];
  });
  const headers = [
    ...(owners ? [t("sessions.user")] : []),
    t("sessions.browser"),
    t("sessions.since"),
    t("keys.lastUsed"),
    t("people.actions"),
  ];
  return html`${recordTable(t("sessions.caption"), headers, rows, { name: t("sessions.title"), hidesCaption: true })}
${hidden > 0 && html`<p class="soft">${t("sessions.more", { count: hidden })}</p>`}`;
}

/** Ends any session of the organization, or only the user's own. */
export function endSession(whose: "all" | "own"): Action {
  return async (actor, form): Promise<ActionResult> => {
    const { user, t } = actor;
    const hash = readField(actor, form, "session");
    await actor.transaction(
      async (scope) => {
        const sessions = await listSessions(scope, actor.now);
        const session = sessions.find((each) => each.hash === hash);
        const isAllowed = session && (whose === "all" || session.userId === user.id);
        if (!isAllowed) throw new AppError("not_found", t("sessions.notFound"));
        await deleteSession(scope, hash);
        return findUser(scope, session.userId);
      },
      ["session.end", (owner) => owner?.email ?? ""],
    );
    return hash === actor.hash
      ? { notice: t("signIn.signedOut"), redirectTo: "/sign-in" }
      : { notice: t("sessions.ended") };
  };
}
