// Comments that are done: the actions that mark one, and what its card shows of it.

import { hasPermission } from "../../../access/role.ts";
import { AppError } from "../../../errors.ts";
import { findReleased } from "../../../listing/find-released.ts";
import type { CampaignComment, LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { type HtmlValue, html } from "../../../locale/html.ts";
import { addDoneComment, deleteDoneComment } from "../../../storage/campaigns/done-comments.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { Action, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { hiddenField } from "../ui/forms/field.ts";
import { actionForm } from "../ui/forms/form.ts";
import { badge } from "../ui/texts/badge.ts";

/** Marks a comment as done, or as not done. Comments that are withheld or deleted cannot be marked. */
export function markAction({ database }: WebContext, reader: LatestCommentsReader, isDone: boolean): Action {
  return async ({ organization, transaction, record, locale }, form) => {
    const reference = { campaignId: Number(form.get("campaign")), key: form.get("comment") ?? "" };
    const { campaignId, key } = reference;
    const isId = Number.isSafeInteger(campaignId);
    const find = (scope: Scope) => findReleased(scope, organization, isId ? [campaignId] : []);
    const comments = await reader.read(organization, await database.queryOf(organization.id, find), {
      signal: undefined,
    });
    await transaction(async (scope) => {
      const isKnown = comments.some((comment) => comment.key === key) && (await find(scope)).length > 0;
      if (!isKnown) throw new AppError("not_found", locale.t("comments.gone"));
      const mark = isDone ? addDoneComment : deleteDoneComment;
      await mark(scope, reference);
      await record(scope, isDone ? "comment.done" : "comment.open", `campaign ${campaignId}`);
    });
    return { notice: locale.t(isDone ? "comments.markedDone" : "comments.markedOpen") };
  };
}

/** The button for admins; viewers see whether a comment is done. */
export function doneMark(
  session: WebSession,
  { campaignId, key }: CampaignComment,
  isDone: boolean,
): HtmlValue {
  const { t } = session.locale;
  const chip = isDone && badge(t("comments.done"), "good");
  if (!hasPermission(session.user.role, "admin")) return chip;
  const fields = [hiddenField("campaign", campaignId), hiddenField("comment", key)];
  const button = html`<button class="plain small">${isDone ? t("comments.reopen") : t("comments.markDone")}</button>`;
  return html`${chip}${actionForm(session, { action: isDone ? "open" : "done" }, fields, button)}`;
}
