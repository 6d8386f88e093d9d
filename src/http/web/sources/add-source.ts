// Adds an email provider: the form on the sources page, and its action, which leads to the page of the new source.

import { describeSource } from "../../../access/audit-actions.ts";
import { type HtmlValue, html } from "../../../locale/html.ts";
import { providerNames, providers } from "../../../providers/providers.ts";
import { addSource } from "../../../storage/keys/sources.ts";
import type { Action, PageRequest, WebSession } from "../frame/page.ts";
import { refuseSenders } from "../settings/keys/create-key.ts";
import { selectField, submittedOf } from "../ui/forms/field.ts";
import { fieldsForm, readName, readOneOf } from "../ui/forms/form.ts";
import { campaignFieldInput } from "./campaign-field.ts";
import { sourceUrl } from "./source-url.ts";

/** Returns nothing for viewers. */
export function addSourceForm(session: WebSession, request: PageRequest): HtmlValue {
  const { t } = session;
  if (!session.isAdmin) return undefined;
  const submitted = submittedOf(request, "add");
  const titles = Object.fromEntries(providerNames.map((name) => [name, providers[name].title]));
  return html`<h3>${t("sources.addTitle")}</h3>
<p class="soft">${t("sources.addHint")}${session.organization.persons === "refuse" && html` ${t("sources.operatorOnly")}`}</p>
${fieldsForm(
  session,
  "add",
  selectField(submitted, { name: "provider", label: t("sources.provider"), value: "" }, titles),
  campaignFieldInput(session, submitted, "campaign_id"),
  html`<button>${t("sources.add")}</button>`,
)}`;
}

export const addSourceAction: Action = async (actor, form) => {
  const { user, now, transaction, t } = actor;
  const provider = readOneOf(actor, form, "provider", {
    label: t("sources.provider"),
    values: providerNames,
  });
  const campaignField = readName(actor, form, t("sources.campaignField"), "campaign_field");
  const source = await transaction(
    async (scope, locked) => {
      refuseSenders(actor, locked, "sources.operatorOnly");
      return addSource(scope, {
        provider,
        secret: undefined,
        campaignField,
        now,
        createdBy: user.email,
      });
    },
    ["source.add", describeSource],
  );
  return {
    notice: t("sources.added", { provider: providers[provider].title }),
    redirectTo: sourceUrl(source),
  };
};
