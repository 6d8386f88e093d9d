// Adds an email provider: the form on the sources page, and its action, which leads to the page of the new source.

import { describeSource } from "../../../access/audit-actions.ts";
import { hasPermission } from "../../../access/role.ts";
import { providerNames, providers } from "../../../providers/providers.ts";
import { addSource } from "../../../storage/sources.ts";
import { type HtmlValue, html } from "../../html.ts";
import type { Action, PageRequest, WebSession } from "../page.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { campaignFieldInput, readCampaignField } from "./campaign-field.ts";
import { sourceUrl } from "./source-url.ts";

const defaultCampaignField = "campaign_id";

/** Nothing for viewers. */
export function addSourceForm(session: WebSession, { rejected }: PageRequest): HtmlValue {
  const { t } = session.locale;
  if (!hasPermission(session.user.role, "admin")) return undefined;
  const submitted = rejected?.action === "add" ? rejected : undefined;
  const titles = Object.fromEntries(providerNames.map((name) => [name, providers[name].title]));
  return html`<h3>${t("sources.addTitle")}</h3>
<p class="soft">${t("sources.addHint")}</p>
${actionForm(
  session,
  { action: "add", className: "fields" },
  formField(
    { name: "provider", label: t("sources.provider") },
    submitted?.problem,
    (attributes) =>
      html`<select ${attributes}>${selectOptions(titles, submitted?.form.get("provider") ?? "")}</select>`,
  ),
  campaignFieldInput(
    session.locale,
    submitted?.form.get("campaign_field") ?? defaultCampaignField,
    submitted?.problem,
  ),
  html`<button>${t("sources.add")}</button>`,
)}`;
}

export function addSourceAction({ now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization, transaction, record, locale }, form) {
      const wanted = readField(locale, form, "provider");
      const values = providerNames.join(", ");
      const provider =
        providerNames.find((name) => name === wanted) ??
        rejectField(locale, locale.t("sources.provider"), wanted, locale.t("ui.oneOf", { values }));
      const campaignField = readCampaignField(locale, form);
      const source = await transaction(async (queries) => {
        const { id: organizationId } = organization;
        const fields = { organizationId, provider, secret: undefined, campaignField, now: now() };
        const added = await addSource(queries, fields);
        await record(queries, "source.add", describeSource(added));
        return added;
      });
      const notice = locale.t("sources.added", { provider: providers[provider].title });
      return { notice, redirectTo: sourceUrl(source) };
    },
  };
}
