// The organization page at `/settings/organization`: name, time zone, counted traffic, minimum of answers, days of the audit
// log, and auto-close.

import { describeChange } from "../../../access/audit-actions.ts";
import { type TrafficFilter, trafficFilters } from "../../../campaign/events/traffic.ts";
import { normalizeName } from "../../../campaign/names.ts";
import { minAnswersLimits } from "../../../campaign/release-answers.ts";
import { toJob } from "../../../counting/writer/jobs.ts";
import { minAuditDays, type Organization, type OrganizationChange } from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, isFieldUnedited, originalValue, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { autoCloseAction, autoCloseForm } from "./auto-close.ts";
import { readTimeZone, timeZoneField, timeZoneText } from "./time-zone-field.ts";

export function organizationPage(context: WebContext): Page {
  return {
    path: "/settings/organization",
    role: "admin",
    async show(session, request) {
      const { t } = session.locale;
      const body = html`${generalForm(session, request, context.now())}${autoCloseForm(session, request)}`;
      return { title: t("organization.title"), body };
    },
    actions: { organization: saveAction(context), closing: autoCloseAction(context) },
  };
}

/** @param now for the offsets of time zones */
function generalForm(session: WebSession, { rejected }: PageRequest, now: number): Html {
  const { name, timeZone, countedTraffic, minAnswers, auditDays } = session.organization;
  const { t, texts } = session.locale;
  const zone = timeZoneText(timeZone, now);
  const submitted = rejected?.action === "organization" ? rejected : undefined;
  const fieldValue = (field: string, saved: string) => submitted?.form.get(field) ?? saved;
  return html`<section class="card"><h2>${t("organization.general")}</h2>
${actionForm(
  session,
  { action: "organization" },
  formField(
    { name: "name", label: t("organization.name") },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" maxlength="200" autocomplete="organization" value="${fieldValue("name", name)}" required>`,
  ),
  timeZoneField(session.locale, {
    value: fieldValue("time_zone", zone),
    problem: submitted?.problem,
    now,
  }),
  formField(
    { name: "count", label: t("organization.count") },
    submitted?.problem,
    (attributes) =>
      html`<select ${attributes}>${selectOptions(texts("organization.countedTraffic"), fieldValue("count", countedTraffic))}</select>`,
  ),
  formField(
    { name: "min_answers", label: t("organization.minAnswers"), hint: t("organization.minAnswersHint") },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} inputmode="numeric" maxlength="2" autocomplete="off" value="${fieldValue("min_answers", String(minAnswers))}" required>`,
  ),
  formField(
    { name: "audit_days", label: t("organization.auditDays"), hint: t("organization.auditDaysHint") },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} inputmode="numeric" maxlength="6" autocomplete="off" value="${fieldValue("audit_days", String(auditDays))}" required>`,
  ),
  originalValue("name", name, submitted?.form),
  originalValue("time_zone", zone, submitted?.form),
  originalValue("count", countedTraffic, submitted?.form),
  originalValue("min_answers", String(minAnswers), submitted?.form),
  originalValue("audit_days", String(auditDays), submitted?.form),
  html`<p><button>${t("organization.save")}</button></p>`,
)}</section>`;
}

function saveAction({ writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization, user, locale }, form) {
      const change = changedFields(organization, readOrganization(locale, form));
      const target = describeChange(change);
      const audit = { actor: user.email, action: "organization.change", target } as const;
      if (target !== "") {
        await writer.write(toJob(organization.id, now(), { name: "change_organization", change }, audit));
      }
      return { notice: locale.t("organization.saved") };
    },
  };
}

/** Leaves out equal fields, because some changes publish every campaign again. */
function changedFields(before: Organization, wanted: OrganizationChange): OrganizationChange {
  const names = Object.keys(wanted) as (keyof OrganizationChange)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== before[name]).map((name) => [name, wanted[name]]),
  );
}

/** The fields that the user edited. */
function readOrganization(
  locale: Locale,
  form: URLSearchParams,
): Pick<OrganizationChange, "name" | "timeZone" | "countedTraffic" | "minAnswers" | "auditDays"> {
  return {
    ...(!isFieldUnedited(form, "name") && { name: readOrganizationName(locale, form) }),
    ...(!isFieldUnedited(form, "time_zone") && { timeZone: readTimeZone(locale, form) }),
    ...(!isFieldUnedited(form, "count") && { countedTraffic: readCountedTraffic(locale, form) }),
    ...(form.has("min_answers") &&
      !isFieldUnedited(form, "min_answers") && { minAnswers: readMinAnswers(locale, form) }),
    ...(form.has("audit_days") &&
      !isFieldUnedited(form, "audit_days") && { auditDays: readAuditDays(locale, form) }),
  };
}

/** @throws AppError `bad_request` */
export function readOrganizationName(
  locale: Locale,
  form: URLSearchParams,
  label = locale.t("organization.name"),
): string {
  const { t } = locale;
  const text = readField(locale, form, "name");
  const rule = t("ui.nameRule");
  return normalizeName(text) ?? rejectField(locale, label, text, rule);
}

function readMinAnswers(locale: Locale, form: URLSearchParams): number {
  const { t } = locale;
  const text = readField(locale, form, "min_answers");
  const answers = Number(text);
  const { min, max } = minAnswersLimits;
  if (/^\d{1,2}$/.test(text) && answers >= min && answers <= max) return answers;
  return rejectField(
    locale,
    t("organization.minAnswers"),
    text,
    t("organization.minAnswersRule", { min, max }),
  );
}

function readAuditDays(locale: Locale, form: URLSearchParams): number {
  const { t } = locale;
  const text = readField(locale, form, "audit_days");
  const days = Number(text);
  if (/^\d{1,6}$/.test(text) && days >= minAuditDays && days <= 100_000) return days;
  const rule = t("organization.auditDaysRule", { min: minAuditDays });
  return rejectField(locale, t("organization.auditDays"), text, rule);
}

function readCountedTraffic(locale: Locale, form: URLSearchParams): TrafficFilter {
  const { t } = locale;
  const text = readField(locale, form, "count");
  return (
    trafficFilters.find((each) => each === text) ??
    rejectField(locale, t("organization.count"), text, t("ui.oneOf", { values: trafficFilters.join(", ") }))
  );
}
