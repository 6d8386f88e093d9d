// The table of active sessions, and the action that ends one.

import { AppError } from "../../../errors.ts";
import { deleteSession, listSessions, type Session } from "../../../storage/sessions.ts";
import { findUser, type User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import type { Action, ActionResult, WebSession } from "../page.ts";
import { actionForm, readField } from "../ui/form.ts";
import { cellLabel, columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";

/** The most recently used sessions are shown. Rendering more would block the event loop. */
const maxShown = 200;

/** @param owners the users of the sessions, if the table should show them */
export function sessionsTable(
  current: WebSession,
  sessions: readonly Session[],
  owners?: ReadonlyMap<number, User>,
): Html {
  const { timeZone } = current.organization;
  const { t, format } = current.locale;
  const hidden = sessions.length - maxShown;
  const rows = sessions.slice(0, maxShown).map(({ hash, userId, client: name, createdAt, lastSeenAt }) => {
    const client = name || t("ui.unknownBrowser");
    const email = owners?.get(userId)?.email ?? current.user.email;
    const endForm = actionForm(
      current,
      { action: "end-session" },
      html`<input type="hidden" name="session" value="${hash}">
<button class="plain" aria-label="${t("sessions.endOf", { email, browser: client })}, ${format.dateTime(createdAt, timeZone)}">${t("sessions.end")}</button>`,
    );
    return html`<tr>${owners && html`<th scope="row" class="text">${email}</th>`}<td${cellLabel(t("sessions.browser"))}>${client}</td>
<td class="moment"${cellLabel(t("sessions.since"))}>${format.dateTime(createdAt, timeZone)}</td><td class="moment"${cellLabel(t("sessions.lastUsed"))}>${format.dateTime(lastSeenAt, timeZone)}</td>
<td>${hash === current.hash ? t("sessions.current") : endForm}</td></tr>
`;
  });
  const headers = [
    owners && textColumnHeader(t("sessions.user")),
    ...[t("sessions.browser"), t("sessions.since"), t("sessions.lastUsed"), t("sessions.actions")].map(
      columnHeader,
    ),
  ];
  return html`${renderTable(t("sessions.caption"), headers, rows, { name: t("sessions.title"), isStacked: true })}
${hidden > 0 && html`<p class="soft">${t("sessions.more", { count: hidden })}</p>`}`;
}

/** Ends any session of the organization, or only the user's own. */
export function endSession({ now }: WebContext, whose: "all" | "own"): Action {
  return {
    role: whose === "all" ? "admin" : "viewer",
    async run(actor, form): Promise<ActionResult> {
      const { organization, user } = actor;
      const { t } = actor.locale;
      const hash = readField(actor.locale, form, "session");
      await actor.transaction(async (queries) => {
        const sessions = await listSessions(queries, organization.id, now());
        const found = sessions.find((each) => each.hash === hash);
        const isAllowed = found && (whose === "all" || found.userId === user.id);
        if (!isAllowed) throw new AppError("not_found", t("sessions.notFound"));
        await deleteSession(queries, organization.id, hash);
        const owner = await findUser(queries, organization.id, found.userId);
        await actor.record(queries, "session.end", owner?.email ?? "");
      });
      return hash === actor.hash
        ? { notice: t("signIn.signedOut"), redirectTo: "/sign-in" }
        : { notice: t("sessions.ended") };
    },
  };
}
