// The form of a campaign that admins register or correct: its fields, and what was entered. The names of fields are those of
// the API.

import { zoneOffset } from "../../../../campaign/calendar/time-zone.ts";
import { compareTags } from "../../../../campaign/campaign.ts";
import type { FieldError } from "../../../../campaign/fields/validate-fields.ts";
import { recordFields } from "../../../../campaign/record-fields.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Actor, WebSession } from "../../frame/page.ts";
import { afterLabel, formField, selectOptions } from "../../ui/forms/field.ts";
import { isFieldEdited, isFieldUnedited, originalValue, readField } from "../../ui/forms/form.ts";

const mainFields = ["subject", "sent_at", "recipient_count"] as const;
const sharedFields = ["sent_from", "team", "recipient_groups", "surveys_count"] as const;
const countedFields = [...sharedFields, "sending_type", "tracking_type", "external_id"] as const;

/** Fields besides the main ones. Imported campaigns may have any type of sending, and have no external id. */
const moreFields = {
  new: ["id", "senders", "tags", ...countedFields],
  counted: countedFields,
  reported: sharedFields,
} as const;

type FormKind = keyof typeof moreFields;
type FieldName = (typeof mainFields | (typeof moreFields)[FormKind])[number];

const numbers: readonly FieldName[] = ["id", "recipient_count", "surveys_count"];
/** One in each line. */
const lists: readonly FieldName[] = ["tags", "recipient_groups"];
/** The names that records have for fields of the form. */
const recordNames: Partial<Record<string, FieldName>> = {
  organization_team: "team",
  recipients: "recipient_groups",
};

export function labelsOf({ t, translate }: Locale): Record<FieldName, string> {
  const title = (name: keyof typeof recordFields) => translate(`fields.${name}`, recordFields[name].title);
  return {
    id: t("campaign.id"),
    senders: t("campaign.senders"),
    subject: title("subject"),
    sent_at: title("sent_at"),
    recipient_count: title("recipient_count"),
    sent_from: t("campaign.sentFrom"),
    team: t("campaigns.columns.team"),
    tags: t("pages.tags"),
    recipient_groups: t("campaign.recipientGroups"),
    surveys_count: t("pages.surveys"),
    sending_type: t("campaign.sendingType"),
    tracking_type: t("campaign.trackingType"),
    external_id: t("campaign.externalId"),
  };
}

type FieldValues = Partial<Record<FieldName, string>>;

/** Writes a time as `<input type="datetime-local">` does: `2026-01-31T09:00`. */
export function localTime(at: number, timeZone: string): string {
  return new Date(at + zoneOffset(at, timeZone)).toISOString().slice(0, 16);
}

export function valuesOf({ campaign, tags, counting }: StoredCampaign, timeZone: string): FieldValues {
  return {
    subject: campaign.subject,
    sent_at: localTime(campaign.sentAt, timeZone),
    recipient_count: String(campaign.recipientCount ?? ""),
    sent_from: campaign.sentFrom ?? "",
    team: campaign.team ?? "",
    tags: tags
      .toSorted(compareTags)
      .map(({ name }) => name)
      .join("\n"),
    recipient_groups: (campaign.recipients ?? "").replaceAll(", ", "\n"),
    surveys_count: String(campaign.surveysCount ?? ""),
    sending_type: campaign.sendingType ?? "",
    tracking_type: campaign.trackingType ?? "",
    external_id: counting?.externalId ?? "",
  };
}

interface CampaignForm {
  kind: FormKind;
  values: FieldValues;
  /** Why the form was rejected, if it was. */
  rejected?: { form: URLSearchParams; problem: string } | undefined;
  /** All fields of the rejected form that are wrong by themselves. */
  errors: readonly FieldError[];
  /** The names of keys and sources, by number. */
  senders?: Readonly<Record<string, string>>;
}

/** The fields, with each problem beside its field. */
export function campaignFields(
  session: WebSession,
  { kind, values, rejected, errors, senders = {} }: CampaignForm,
): Html {
  const { organization, t } = session;
  const labels = labelsOf(session);
  const problemOf = (name: FieldName) => {
    const own = errors.find(({ field }) => (recordNames[field] ?? field) === name);
    return own ? `${labels[name]}: ${own.problem}` : errors.length === 0 ? rejected?.problem : undefined;
  };
  const hints: Partial<Record<FieldName, HtmlValue>> = {
    id: t("campaign.idHint"),
    senders: t("campaign.sendersHint"),
    sent_at: organization.timeZone,
    tags: t("campaign.onePerLine"),
    recipient_groups: t("campaign.onePerLine"),
    ...(kind === "new" && { tracking_type: t("campaign.trackingTypeHint") }),
  };
  const field = (name: FieldName) => {
    const shown = values[name] ?? "";
    const value = rejected?.form.get(name) ?? shown;
    const isRequired =
      name === "subject" || name === "sent_at" || (name === "recipient_count" && kind !== "reported");
    const hint = hints[name];
    return html`${formField(
      { name, label: labels[name], ...(hint !== undefined && { hint }) },
      problemOf(name),
      (attributes) =>
        name === "senders"
          ? html`<select ${attributes}>${selectOptions({ "": "", ...senders }, value)}</select>`
          : controlOf(session, name, html`${attributes}${isRequired && html` required`}`, value),
    )}${kind !== "new" && originalValue(name, shown, rejected?.form)}
`;
  };
  const more = moreFields[kind];
  const isNamed = kind === "new" && Boolean(values.id || values.external_id);
  const isOpen =
    isNamed || more.some((name) => afterLabel(problemOf(name) ?? "", labels[name]) !== undefined);
  return html`${mainFields.map(field)}<details class="more-fields"${isOpen && html` open`}><summary>${t("campaign.moreFields")}</summary>
${more.map(field)}</details>
`;
}

function controlOf({ texts }: Locale, name: FieldName, attributes: Html, value: string): Html {
  if (name === "sending_type") {
    return html`<select ${attributes}>${selectOptions(texts("sendingTypes"), value)}</select>`;
  }
  if (name === "tracking_type") {
    return html`<select ${attributes}>${selectOptions(texts("trackingTypes"), value)}</select>`;
  }
  if (name === "sent_at") return html`<input ${attributes} type="datetime-local" value="${value}">`;
  if (lists.includes(name)) return html`<textarea ${attributes} dir="auto" rows="3">${value}</textarea>`;
  const kind = numbers.includes(name) ? html` inputmode="numeric"` : html` dir="auto"`;
  return html`<input ${attributes}${kind} autocomplete="off" value="${value}">`;
}

/** What was entered, as the API has it: null for an empty field. Without fields that a correction leaves as they were. */
export function readCampaignForm(
  locale: Locale,
  form: URLSearchParams,
  kind: FormKind,
): Partial<Record<FieldName, unknown>> {
  const names: readonly FieldName[] = [...mainFields, ...moreFields[kind]];
  const edited = names.filter((name) => form.has(name) && !isFieldUnedited(form, name));
  return Object.fromEntries(edited.map((name) => [name, readValue(name, readField(locale, form, name))]));
}

function readValue(name: FieldName, text: string): unknown {
  if (lists.includes(name)) {
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  }
  if (text === "") return null;
  if (name === "senders") return [Number(text)];
  return numbers.includes(name) && /^\d+$/.test(text) ? Number(text) : text;
}

/** @throws AppError `conflict` as {@link isFieldEdited} */
export function rejectChanged(locale: Locale, form: URLSearchParams, current: FieldValues): void {
  for (const [name, label] of Object.entries(labelsOf(locale)))
    isFieldEdited(locale, form, { name, label, current: current[name as FieldName] ?? "" });
}

/** @throws AppError `bad_request` with the labels of all fields that are wrong */
export function rejectFields(locale: Locale, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const texts = errors.map(({ field, problem }) => `${labelOf(locale, field)}: ${problem}`);
  throw new AppError("bad_request", texts.join("; "));
}

const labelOf = (locale: Locale, field: string): string =>
  (labelsOf(locale) as Partial<Record<string, string>>)[recordNames[field] ?? field] ?? field;

/** Runs a write whose refusals start with the name of a field, as those of the API do, and replaces it by its label. */
export async function withLabels<Result>(actor: Actor, write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const [, field = "", rest] =
      error instanceof AppError ? (/^(\w+): (.*)$/s.exec(error.message) ?? []) : [];
    if (!(error instanceof AppError) || rest === undefined) throw error;
    throw new AppError(error.code, `${labelOf(actor, field)}: ${rest}`);
  }
}
