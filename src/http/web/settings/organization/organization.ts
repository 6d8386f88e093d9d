// The organization page at `/settings/organization`: name, time zone, counted traffic, minimum of answers, and days of the
// audit log.

import { trafficFilters } from "../../../../campaign/events/traffic.ts";
import { minAnswersLimits } from "../../../../campaign/release-answers.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { webPaths } from "../../../../paths.ts";
import { minAuditDays } from "../../../../storage/organizations/organizations.ts";
import type { Action, Page, PageRequest, WebSession } from "../../frame/page.ts";
import { inputField, numberInput, selectField, submittedOf } from "../../ui/forms/field.ts";
import {
  actionForm,
  isFieldEdited,
  originalValue,
  readName,
  readNumber,
  readOneOf,
} from "../../ui/forms/form.ts";
import { changeOrganization } from "./change-organization.ts";
import { readTimeZone, timeZoneField } from "./time-zone-field.ts";

/** Each field: its name in the form, its label, and the current value. */
function fieldsOf({ organization, t }: WebSession) {
  const { name, timeZone, countedTraffic, minAnswers, auditDays } = organization;
  return {
    name: { name: "name", label: t("ui.name"), value: name },
    timeZone: { name: "time_zone", label: t("organization.timeZone"), value: timeZone },
    countedTraffic: { name: "count", label: t("organization.count"), value: countedTraffic },
    minAnswers: {
      name: "min_answers",
      label: t("organization.minAnswers"),
      hint: t("organization.minAnswersHint"),
      value: minAnswers,
    },
    auditDays: {
      name: "audit_days",
      label: t("organization.auditDays"),
      hint: t("organization.auditDaysHint"),
      value: auditDays,
    },
  };
}

function generalForm(session: WebSession, request: PageRequest): Html {
  const { t, texts } = session;
  const submitted = submittedOf(request, "organization");
  const fields = fieldsOf(session);
  return html`<section class="card"><h2>${t("pages.organization")}</h2>
${actionForm(
  session,
  "organization",
  inputField(submitted, fields.name, html` dir="auto" maxlength="200" autocomplete="organization" required`),
  timeZoneField(session, submitted, { value: fields.timeZone.value, now: session.now }),
  selectField(submitted, fields.countedTraffic, texts("organization.countedTraffic")),
  inputField(submitted, fields.minAnswers, numberInput),
  inputField(submitted, fields.auditDays, numberInput),
  Object.values(fields).map(({ name, value }) => originalValue(name, String(value), submitted.form)),
  html`<p><button>${t("ui.save")}</button></p>`,
)}</section>`;
}

/** Saves only the fields that the user edited. */
const saveAction: Action = async (actor, form) => {
  const { t } = actor;
  const { name, timeZone, countedTraffic, minAnswers, auditDays } = fieldsOf(actor);
  const isEdited = ({ value, ...field }: { name: string; label: string; value: string | number }) =>
    isFieldEdited(actor, form, { ...field, current: String(value) });
  const answers = { min: minAnswers.value, max: minAnswersLimits.max };
  const answersRule = t("organization.minAnswersRule", { ...answers });
  const daysRule = t("organization.auditDaysRule", { min: minAuditDays });
  await changeOrganization(actor, {
    ...(isEdited(name) && { name: readName(actor, form, name.label) }),
    ...(isEdited(timeZone) && { timeZone: readTimeZone(actor, form) }),
    ...(isEdited(countedTraffic) && {
      countedTraffic: readOneOf(actor, form, "count", { ...countedTraffic, values: trafficFilters }),
    }),
    ...(form.has("min_answers") &&
      isEdited(minAnswers) && {
        minAnswers: readNumber(actor, form, "min_answers", { ...minAnswers, ...answers, rule: answersRule }),
      }),
    ...(form.has("audit_days") &&
      isEdited(auditDays) && {
        auditDays: readNumber(actor, form, "audit_days", {
          ...auditDays,
          min: minAuditDays,
          max: 100_000,
          rule: daysRule,
        }),
      }),
  });
  return { notice: t("organization.saved") };
};

export const organizationPage: Page = {
  path: webPaths.organization,
  role: "admin",
  async show(session, request) {
    return { title: session.t("settingsGroups.organization"), body: generalForm(session, request) };
  },
  actions: { organization: saveAction },
};
