// The page `/campaigns/register`: registers a campaign whose numbers come from events. Only for admins.

import { parseCountedCampaign } from "../../../../campaign/counted-campaign.ts";
import { parseId } from "../../../../campaign/fields/parse-id.ts";
import { html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { campaignPath, webPaths } from "../../../../paths.ts";
import { nextCampaignId } from "../../../../storage/campaigns/campaign-ids.ts";
import { findSenders } from "../../../../storage/keys/senders.ts";
import type { Action, Page } from "../../frame/page.ts";
import { actionForm } from "../../ui/forms/form.ts";
import { campaignFields, localTime, readCampaignForm, rejectFields, withLabels } from "./campaign-form.ts";

const path = webPaths.registerCampaign;

/** The id is undefined if the field is empty. */
function readForm(locale: Locale, form: URLSearchParams, timeZone: string) {
  const { id: given = null, ...fields } = readCampaignForm(locale, form, "new");
  const id = given === null ? undefined : parseId(String(given));
  const read = parseCountedCampaign(1, fields, timeZone);
  const isWrongId = given !== null && id === undefined;
  return {
    id,
    fields,
    errors: [
      ...("errors" in read ? read.errors : []),
      ...(isWrongId
        ? [{ field: "id", problem: locale.t("campaign.idRule", { max: Number.MAX_SAFE_INTEGER }) }]
        : []),
    ],
  };
}

const registerAction: Action = async (actor, form) => {
  const { organization, t } = actor;
  const { id: chosen, fields, errors } = readForm(actor, form, organization.timeZone);
  rejectFields(actor, errors);
  const id = chosen ?? (await actor.transaction(nextCampaignId));
  await withLabels(
    actor,
    actor.write({ name: "save_campaign", id, isNew: true }, ["campaign.add", `campaign ${id}`], fields),
  );
  return {
    notice: t("campaign.registered", {
      subject: subjectText(actor, { subject: String(fields.subject) }),
      id: String(id),
    }),
    redirectTo: campaignPath(id),
  };
};

export const registerCampaignPage: Page = {
  path,
  role: "admin",
  async show(session, { query, rejected }) {
    const { organization, t } = session;
    const { timeZone } = organization;
    const found = await session.query(findSenders);
    const senders = Object.fromEntries([...found].map(([id, { name }]) => [id, `${id}: ${name}`]));
    const [only = "", ...others] = Object.keys(senders);
    const values = {
      id: String(parseId(query.get("id") ?? "") ?? ""),
      external_id: query.get("external_id") ?? "",
      sent_at: localTime(session.now, timeZone),
      sending_type: "Immediate",
      tracking_type: "Anonymous",
      senders: others.length === 0 ? only : "",
    };
    const errors = rejected ? readForm(session, rejected.form, timeZone).errors : [];
    const fields = campaignFields(session, { kind: "new", values, rejected, errors, senders });
    const button = html`<p><button>${t("campaign.registerButton")}</button></p>`;
    return {
      title: t("campaign.register"),
      breadcrumb: [{ url: webPaths.campaigns, name: t("pages.campaigns") }],
      lead: t("campaign.registerLead"),
      body: html`<section class="card">${actionForm(session, "register", fields, button)}</section>`,
    };
  },
  actions: { register: registerAction },
};
