// The page `/campaigns/:id/manage`: corrects, closes or deletes a campaign. Only for admins.

import { detailsOf, parseCorrection } from "../../../../counting/campaigns/correct-campaign.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { campaignPath, paths } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { breadcrumb } from "../../frame/layout.ts";
import type { Action, Actor, Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { hiddenField } from "../../ui/forms/field.ts";
import { actionForm } from "../../ui/forms/form.ts";
import { readCampaign } from "../find-campaign.ts";
import {
  campaignFields,
  readCampaignForm,
  rejectChanged,
  rejectFields,
  valuesOf,
  withLabels,
} from "./campaign-form.ts";

export function manageCampaignPage(context: WebContext): Page {
  const { database } = context;
  return {
    path: `${paths.web.campaigns}/:id/manage`,
    role: "admin",
    async show(session, request) {
      const { locale } = session;
      const { t } = locale;
      const stored = await readCampaign(database, session, request);
      const subject = subjectText(locale, stored.campaign);
      const isOpen = stored.counting !== null && stored.counting.closedAt === null;
      return {
        title: t("campaign.manage"),
        breadcrumb: breadcrumb(locale, [
          { url: paths.web.campaigns, name: t("pages.campaigns") },
          { url: campaignPath(stored.campaign.id), name: subject },
        ]),
        body: html`${correctCard(session, stored, request)}${isOpen && dangerCard(session, stored, "close", t("campaign.closeEffect"))}${dangerCard(session, stored, "delete", t(stored.counting ? "campaign.deleteCounted" : "campaign.deleteImported"))}`,
      };
    },
    actions: {
      correct: correctAction(context),
      close: closeAction(context),
      delete: deleteAction(context),
    },
  };
}

function correctCard(session: WebSession, stored: StoredCampaign, { rejected: last }: PageRequest): Html {
  const { locale, organization } = session;
  const { t } = locale;
  const { timeZone } = organization;
  const kind = stored.counting ? "counted" : "reported";
  const rejected = last?.action === "correct" ? last : undefined;
  const correction =
    rejected && parseCorrection(stored, readCampaignForm(locale, rejected.form, kind), timeZone);
  const errors = correction && "errors" in correction ? correction.errors : [];
  const fields = campaignFields(session, { kind, values: valuesOf(stored, timeZone), rejected, errors });
  return html`<section class="card"><h2>${t("campaign.correct")}</h2>
<p class="soft">${t(stored.counting ? "campaign.correctCounted" : "campaign.correctImported")}</p>
${actionForm(session, { action: "correct" }, registrationField(stored), fields, html`<p><button>${t("campaign.saveCorrection")}</button></p>`)}</section>`;
}

/** Closes or deletes the campaign, after a dialog that names it. */
function dangerCard(
  session: WebSession,
  stored: StoredCampaign,
  action: "close" | "delete",
  effect: string,
): Html {
  const { locale } = session;
  const { t } = locale;
  const subject = subjectText(locale, stored.campaign);
  const [title, named] =
    action === "close"
      ? [t("campaign.close"), t("campaign.closeNamed", { subject })]
      : [t("campaign.delete"), t("campaign.deleteNamed", { subject })];
  const id = `confirm-${action}`;
  const cancel = html`<button type="button" class="second" popovertarget="${id}" popovertargetaction="hide">${t("keys.cancel")}</button>`;
  // What another import brings back is not lost.
  const isFinal = stored.counting !== null;
  return html`<section class="card"><h2>${title}</h2>
<p>${effect}</p>
<p><button type="button" class="danger" popovertarget="${id}">${title}</button></p>
<div class="confirm" id="${id}" popover role="alertdialog" aria-labelledby="${id}-title"><h2 id="${id}-title">${named}</h2>
${isFinal && html`<p class="warning">${t("ui.cannotUndo")}</p>`}
${actionForm(session, { action }, registrationField(stored), html`<div class="row"><button class="danger">${title}</button>${cancel}</div>`)}</div></section>`;
}

const registrationField = ({ registration }: StoredCampaign) => hiddenField("registration", registration);

const targetOf = (id: number) => `campaign ${id}`;

/** @throws AppError `conflict` if the form is of a campaign that was deleted, whose id another one has now */
async function findShown(
  { database }: WebContext,
  actor: Actor,
  form: URLSearchParams,
  request: PageRequest,
): Promise<StoredCampaign> {
  const stored = await readCampaign(database, actor, request);
  const registration = form.get("registration");
  if (registration === null || registration === String(stored.registration)) return stored;
  // The page shows nothing again that was entered for the other campaign.
  for (const name of [...form.keys()]) form.delete(name);
  throw new AppError("conflict", actor.locale.t("campaign.replaced"));
}

const correctAction =
  (context: WebContext): Action =>
  async (actor, form, request) => {
    const { locale, organization } = actor;
    const stored = await findShown(context, actor, form, request);
    const { id } = stored.campaign;
    rejectChanged(locale, form, valuesOf(stored, organization.timeZone));
    const edited = readCampaignForm(locale, form, stored.counting ? "counted" : "reported");
    const correction = parseCorrection(stored, edited, organization.timeZone);
    if ("errors" in correction) rejectFields(locale, correction.errors);
    const target = `${targetOf(id)}: ${Object.keys(edited).join(", ")}`;
    const task = {
      name: "correct_campaign",
      id,
      details: detailsOf(stored),
      actor: actor.user.email,
    } as const;
    const status = await withLabels(actor, actor.write(task, ["campaign.change", target], edited));
    // Someone changed it in this moment, so that the next attempt sees it.
    if (status === false) return correctAction(context)(actor, form, request);
    return { notice: locale.t("campaign.corrected"), redirectTo: campaignPath(id) };
  };

const closeAction =
  (context: WebContext): Action =>
  async (actor, form, request) => {
    const { locale } = actor;
    const { campaign, counting } = await findShown(context, actor, form, request);
    const { id } = campaign;
    if (!counting || counting.closedAt !== null) {
      throw new AppError("conflict", locale.t("campaign.cannotClose"));
    }
    await actor.write({ name: "close_campaign", id }, ["campaign.close", targetOf(id)]);
    const notice = locale.t("campaign.closedNotice", { subject: subjectText(locale, campaign) });
    return { notice, redirectTo: campaignPath(id) };
  };

const deleteAction =
  (context: WebContext): Action =>
  async (actor, form, request) => {
    const { locale } = actor;
    const { campaign } = await findShown(context, actor, form, request);
    const { id } = campaign;
    await actor.write({ name: "remove_campaign", id }, ["campaign.delete", targetOf(id)]);
    const notice = locale.t("campaign.deletedNotice", { subject: subjectText(locale, campaign) });
    return { notice, redirectTo: paths.web.campaigns };
  };
