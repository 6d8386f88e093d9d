// The form field with the name of the campaign field: the field of a provider's events that names the campaign.

import { normalizeName } from "../../../campaign/names.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { formField } from "../ui/field.ts";
import { readField, rejectField } from "../ui/form.ts";

export function campaignFieldInput({ t }: Locale, value: string, problem: string | undefined): Html {
  return formField(
    { name: "campaign_field", label: t("sources.campaignField") },
    problem,
    (attributes) =>
      html`<input ${attributes} maxlength="200" autocomplete="off" spellcheck="false" value="${value}" required>`,
  );
}

/** @throws AppError `bad_request` */
export function readCampaignField(locale: Locale, form: URLSearchParams): string {
  const text = readField(locale, form, "campaign_field");
  return (
    normalizeName(text) ??
    rejectField(locale, locale.t("sources.campaignField"), text, locale.t("ui.nameRule"))
  );
}
