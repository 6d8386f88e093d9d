// The form field with the name of the campaign field: the field of a provider's events that names the campaign.

import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { inputField, type Submitted } from "../ui/forms/field.ts";

export const campaignFieldInput = ({ t }: Locale, submitted: Submitted, value: string): Html =>
  inputField(
    submitted,
    { name: "campaign_field", label: t("sources.campaignField"), value },
    html` maxlength="200" autocomplete="off" spellcheck="false" required`,
  );
