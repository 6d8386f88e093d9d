// Who is signed in, in which browser, as a table in which each session can be ended.

import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { AppError } from "../../../errors.ts";
import { deleteSession, listSessions, type Session } from "../../../storage/sessions.ts";
import type { User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import type { Action, ActionResult, Visitor } from "../page.ts";
import { actionForm, fieldOf } from "../ui/form.ts";
import { formatCount } from "../ui/number-format.ts";
import { head, tableOf, wordsHead } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";

/** The latest used are shown: nobody else is answered while the table is made. */
const shownMax = 200;

/** @param owners of the sessions, where it is to be said whose each is */
export function sessionsTable(
  visitor: Visitor,
  sessions: readonly Session[],
  owners?: ReadonlyMap<number, User>,
): Html {
  const { timeZone } = visitor.organization;
  const more = sessions.length - shownMax;
  const rows = sessions.slice(0, shownMax).map((session) => {
    const { hash, userId, client, createdAt, lastSeenAt } = session;
    const email = owners?.get(userId)?.email ?? visitor.user.email;
    const end = actionForm(
      visitor,
      { action: "end-session" },
      html`<input type="hidden" name="session" value="${hash}">
<button class="plain" aria-label="End the session of ${email} in ${client}">End</button>`,
    );
    return html`<tr>${owners && html`<td class="words">${email}</td>`}<td>${client}</td>
<td>${formatSentAt(createdAt, timeZone)}</td><td>${formatSentAt(lastSeenAt, timeZone)}</td>
<td>${hash === visitor.session ? "This one" : end}</td></tr>
`;
  });
  const caption = "Sessions that have not ended. When one was last used is known to the hour.";
  const heads = [owners && wordsHead("Who"), ...["Browser", "Since", "Last used", "End it"].map(head)];
  return html`${tableOf(caption, heads, rows, "Sessions")}
${more > 0 && html`<p class="soft">And ${formatCount(more)} more that were used earlier.</p>`}`;
}

/** Ends a session of the organization, or of the visitor alone. */
export function endSession({ now }: WebContext, whose: "all" | "own"): Action {
  return {
    role: whose === "all" ? "admin" : "viewer",
    async run({ organization, user, session, write }, form): Promise<ActionResult> {
      const hash = fieldOf(form, "session");
      await write(async (queries) => {
        const known = await listSessions(queries, organization.id, now());
        const found = known.find((each) => each.hash === hash);
        const isTheirs = found && (whose === "all" || found.userId === user.id);
        if (!isTheirs) throw new AppError("not_found", "There is no such session any more.");
        await deleteSession(queries, organization.id, hash);
      });
      return hash === session
        ? { notice: "You have signed out.", goTo: "/sign-in" }
        : { notice: "The session has ended." };
    },
  };
}
