// The page `/campaigns/:id/manage`: corrects, closes or deletes a campaign. Only for admins.

import type { AuditAction } from "../../../access/audit-actions.ts";
import { parseCorrection } from "../../../counting/campaigns/correct-campaign.ts";
import { toJob } from "../../../counting/writer/jobs.ts";
import { AppError } from "../../../errors.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Action, Actor, Page, PageRequest, WebSession } from "../page.ts";
import { actionForm } from "../ui/form.ts";
import { breadcrumb } from "../ui/layout.ts";
import { subjectText } from "../ui/subject.ts";
import type { WebContext } from "../web-context.ts";
import { campaignFields, readCampaignForm, rejectFields, valuesOf, withLabels } from "./campaign-form.ts";
import { campaignPath } from "./campaign-url.ts";
import { findCampaign } from "./find-campaign.ts";

export function manageCampaignPage(context: WebContext): Page {
  const { database } = context;
  return {
    path: `${paths.web.campaigns}/:id/manage`,
    role: "admin",
    async show(session, request) {
      const { locale } = session;
      const { t } = locale;
      const stored = await findCampaign(database, session, request);
      const subject = subjectText(locale, stored.campaign);
      const isOpen = stored.counting !== null && stored.counting.closedAt === null;
      return {
        title: t("campaign.manage"),
        breadcrumb: breadcrumb(locale, [
          { url: paths.web.campaigns, name: t("pages.campaigns") },
          { url: campaignPath(stored.campaign.id), name: subject },
        ]),
        body: html`${correctCard(session, stored, request)}${isOpen && closeCard(session)}${deleteCard(session, stored)}`,
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
${actionForm(session, { action: "correct" }, fields, html`<p><button>${t("campaign.saveCorrection")}</button></p>`)}</section>`;
}

function closeCard(session: WebSession): Html {
  const { t } = session.locale;
  const button = html`<button class="danger">${t("campaign.close")}</button>`;
  return html`<section class="card"><h2>${t("campaign.close")}</h2>
<p>${t("campaign.closeEffect")}</p>
<p class="warning">${t("ui.cannotUndo")}</p>
${actionForm(session, { action: "close" }, button)}</section>`;
}

function deleteCard(session: WebSession, { counting }: StoredCampaign): Html {
  const { t } = session.locale;
  const button = html`<button class="danger">${t("campaign.delete")}</button>`;
  return html`<section class="card"><h2>${t("campaign.delete")}</h2>
<p>${t(counting ? "campaign.deleteCounted" : "campaign.deleteImported")}</p>
<p class="warning">${t("ui.cannotUndo")}</p>
${actionForm(session, { action: "delete" }, button)}</section>`;
}

function correctAction({ database, writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form, request) {
      const { locale, organization } = actor;
      const stored = await findCampaign(database, actor, request);
      const { id } = stored.campaign;
      const edited = readCampaignForm(locale, form, stored.counting ? "counted" : "reported");
      const correction = parseCorrection(stored, edited, organization.timeZone);
      if ("errors" in correction) rejectFields(locale, correction.errors);
      const audit = auditOf(actor, "campaign.change", id);
      const target = `${audit.target}: ${Object.keys(edited).join(", ")}`;
      const job = toJob(organization.id, now(), { name: "correct_campaign", id }, { ...audit, target });
      await withLabels(actor, writer.write({ ...job, body: Buffer.from(JSON.stringify(edited)) }));
      return { notice: locale.t("campaign.corrected"), redirectTo: campaignPath(id) };
    },
  };
}

function closeAction({ database, writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run(actor, _form, request) {
      const { locale, organization } = actor;
      const { campaign, counting } = await findCampaign(database, actor, request);
      if (!counting || counting.closedAt !== null) {
        throw new AppError("conflict", locale.t("campaign.cannotClose"));
      }
      const { id } = campaign;
      const audit = auditOf(actor, "campaign.close", id);
      await writer.write(toJob(organization.id, now(), { name: "close_campaign", id }, audit));
      return {
        notice: locale.t("campaign.closedNotice", { subject: subjectText(locale, campaign) }),
        redirectTo: campaignPath(id),
      };
    },
  };
}

function deleteAction({ database, writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run(actor, _form, request) {
      const { locale, organization } = actor;
      const { campaign } = await findCampaign(database, actor, request);
      const { id } = campaign;
      const audit = auditOf(actor, "campaign.delete", id);
      await writer.write(toJob(organization.id, now(), { name: "remove_campaign", id }, audit));
      return {
        notice: locale.t("campaign.deletedNotice", { subject: subjectText(locale, campaign) }),
        redirectTo: paths.web.campaigns,
      };
    },
  };
}

const auditOf = ({ user }: Actor, action: AuditAction, id: number) => ({
  ...{ actor: user.email, action },
  target: `campaign ${id}`,
});
