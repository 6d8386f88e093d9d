// What admins do with a campaign on its tab of details: correct, close and delete it.

import { parseCorrection } from "../../../../counting/campaigns/correct-campaign.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { campaignPath, webPaths } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Action, PageRequest, WebSession } from "../../frame/page.ts";
import { finishImport } from "../../import/finish-import.ts";
import { actionForm } from "../../ui/forms/form.ts";
import { campaignFields, readCampaignForm, valuesOf } from "./campaign-form.ts";
import { correctAction, resetAction, tagsAction } from "./correct-and-reset.ts";
import { findShown, registrationField, targetOf } from "./shown-campaign.ts";

/** What admins do with a campaign, on its tab of details. @param rejected the submission that the page is shown again for */
export function manageCards(
  session: WebSession,
  stored: StoredCampaign,
  rejected: PageRequest["rejected"],
): Html {
  const isOpen = stored.counting !== null && stored.counting.closedAt === null;
  return html`${correctCard(session, stored, { rejected })}${isOpen && dangerCard(session, stored, "close", session.t("campaign.closeEffect"))}${dangerCard(session, stored, "delete", session.t(stored.counting ? "campaign.deleteCounted" : "campaign.deleteImported"))}`;
}

function correctCard(
  session: WebSession,
  stored: StoredCampaign,
  { rejected: last }: { rejected: PageRequest["rejected"] },
): Html {
  const { organization, t } = session;
  const { timeZone } = organization;
  const kind = stored.counting ? "counted" : "reported";
  const rejected = last?.action === "correct" ? last : undefined;
  const correction =
    rejected && parseCorrection(stored, readCampaignForm(session, rejected.form, kind), timeZone);
  const errors = correction && "errors" in correction ? correction.errors : [];
  const fields = campaignFields(session, { kind, values: valuesOf(stored, timeZone), rejected, errors });
  return html`<section class="card"><h2>${t("campaign.correct")}</h2>
<p class="soft">${t(stored.counting ? "campaign.correctCounted" : "campaign.correctImported")}</p>
${actionForm(session, "correct", registrationField(stored), fields, html`<p><button>${t("campaign.saveCorrection")}</button></p>`)}</section>`;
}

/** Closes or deletes the campaign, after a dialog that names it. */
function dangerCard(
  session: WebSession,
  stored: StoredCampaign,
  action: "close" | "delete",
  effect: string,
): Html {
  const { t } = session;
  const subject = subjectText(session, stored.campaign);
  const [title, named] =
    action === "close"
      ? [t("campaign.close"), t("campaign.closeNamed", { subject })]
      : [t("campaign.delete"), t("campaign.deleteNamed", { subject })];
  const id = `confirm-${action}`;
  const cancel = html`<button type="button" class="second" popovertarget="${id}" popovertargetaction="hide">${t("keys.cancel")}</button>`;
  // Deleting an imported campaign can be undone.
  const isFinal = stored.counting !== null;
  return html`<section class="card"><h2>${title}</h2>
<p>${effect}</p>
<p><button type="button" class="danger" popovertarget="${id}">${title}</button></p>
<div class="confirm" id="${id}" popover role="alertdialog" aria-labelledby="${id}-title"><h2 id="${id}-title">${named}</h2>
${isFinal && html`<p class="warning">${t("ui.cannotUndo")}</p>`}
${actionForm(session, action, registrationField(stored), html`<div class="row"><button class="danger">${title}</button>${cancel}</div>`)}</div></section>`;
}

const closeAction: Action = async (actor, form, request) => {
  const { campaign, counting } = await findShown(actor, form, request);
  const { id } = campaign;
  if (!counting || counting.closedAt !== null) {
    throw new AppError("conflict", actor.t("campaign.cannotClose"));
  }
  await actor.write({ name: "close_campaign", id }, ["campaign.close", targetOf(id)]);
  const notice = actor.t("campaign.closedNotice", { subject: subjectText(actor, campaign) });
  return { notice, redirectTo: campaignPath(id) };
};

const deleteAction: Action = async (actor, form, request) => {
  const { campaign, counting } = await findShown(actor, form, request);
  const { id } = campaign;
  const notice = actor.t("campaign.deletedNotice", { subject: subjectText(actor, campaign) });
  if (counting) {
    await actor.write({ name: "remove_campaign", id }, ["campaign.delete", targetOf(id)]);
    return { notice, redirectTo: webPaths.campaigns };
  }
  const editId = await actor.write({
    name: "edit_campaigns",
    ids: [id],
    edit: { deletes: true },
    actor: actor.user.email,
  });
  await finishImport(actor, editId);
  return { notice, redirectTo: `${webPaths.import}/${editId}` };
};

export const manageActions: Record<string, Action> = {
  correct: correctAction,
  reset: resetAction,
  tags: tagsAction,
  close: closeAction,
  delete: deleteAction,
};
