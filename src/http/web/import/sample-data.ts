// Sample data: the action that adds them, and the line that says so on pages, with the button that removes them.

import { addSample } from "../../../counting/sample/add-sample.ts";
import { AppError } from "../../../errors.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { findSampleImport } from "../../../storage/imports/imports.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { Action, WebSession } from "../frame/page.ts";
import { actionForm } from "../ui/forms/form.ts";

const action = "sample";

/** The form is for an organization without campaigns. */
export function addSampleForm(session: WebSession): Html {
  const button = html`<button class="second small">${session.t("sample.add")}</button>`;
  return actionForm(session, { action, to: webPaths.import }, button);
}

/** Adds the sample in one transaction, so that it never mixes with campaigns that arrive meanwhile. */
export const addSampleActions: Record<string, Action> = {
  async [action]({ user, now, transaction, t }) {
    const isAdded = await transaction((scope, organization) =>
      addSample(scope, organization, { actor: user.email, now }),
    );
    if (!isAdded) throw new AppError("conflict", t("sample.refused"));
    return { notice: t("sample.added"), redirectTo: webPaths.overview };
  },
};

/** Nothing without sample data. Removing them undoes their import. */
export async function sampleLine(scope: Scope, session: WebSession): Promise<HtmlValue> {
  const { isAdmin, t } = session;
  const sample = await findSampleImport(scope);
  if (!sample) return false;
  const remove =
    isAdmin &&
    actionForm(
      session,
      { action: "undo", to: `${webPaths.import}/${sample.id}` },
      html`<button class="second small">${t("sample.remove")}</button>`,
    );
  return html`<div class="warning"><div class="row"><span>${t(sample.isMixed ? "sample.mixed" : "sample.line")}</span>${remove}</div></div>`;
}
