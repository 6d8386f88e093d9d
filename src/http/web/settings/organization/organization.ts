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

function generalForm(session: WebSession, request: PageRequest): Html {
  const { name, timeZone, countedTraffic, minAnswers, auditDays } = session.organization;
  const { t, texts } = session;
  const submitted = submittedOf(request, "organization");
  const original = {
    name,
    time_zone: timeZone,
    count: countedTraffic,
    min_answers: minAnswers,
    audit_days: auditDays,
  };
  const [answers, answersHint] = [t("organization.minAnswers"), t("organization.minAnswersHint")];
  const [days, daysHint] = [t("organization.auditDays"), t("organization.auditDaysHint")];
  return html`<section class="card"><h2>${t("pages.organization")}</h2>
${actionForm(
  session,
  "organization",
  inputField(
    submitted,
    { name: "name", label: t("ui.name"), value: name },
    html` dir="auto" maxlength="200" autocomplete="organization" required`,
  ),
  timeZoneField(session, submitted, { value: timeZone, now: session.now }),
  selectField(
    submitted,
    { name: "count", label: t("organization.count"), value: countedTraffic },
    texts("organization.countedTraffic"),
  ),
  inputField(
    submitted,
    { name: "min_answers", label: answers, hint: answersHint, value: minAnswers },
    numberInput,
  ),
  inputField(submitted, { name: "audit_days", label: days, hint: daysHint, value: auditDays }, numberInput),
  Object.entries(original).map(([field, value]) => originalValue(field, String(value), submitted.form)),
  html`<p><button>${t("ui.save")}</button></p>`,
)}</section>`;
}

/** Saves only the fields that the user edited. */
const saveAction: Action = async (actor, form) => {
  const { t } = actor;
  const { name, timeZone, countedTraffic, minAnswers, auditDays } = actor.organization;
  const isEdited = (field: string, label: string, current: string | number) =>
    isFieldEdited(actor, form, { name: field, label, current: String(current) });
  const raised = { min: minAnswers, max: minAnswersLimits.max };
  const answersRule = t("organization.minAnswersRule", { ...raised });
  const daysRule = t("organization.auditDaysRule", { min: minAuditDays });
  const [count, answers, days] = [
    t("organization.count"),
    t("organization.minAnswers"),
    t("organization.auditDays"),
  ];
  const limits = {
    answers: { ...raised, rule: answersRule },
    days: { min: minAuditDays, max: 100_000, rule: daysRule },
  };
  await changeOrganization(actor, {
    ...(isEdited("name", t("ui.name"), name) && {
      name: readName(actor, form, t("ui.name")),
    }),
    ...(isEdited("time_zone", t("organization.timeZone"), timeZone) && {
      timeZone: readTimeZone(actor, form),
    }),
    ...(isEdited("count", count, countedTraffic) && {
      countedTraffic: readOneOf(actor, form, "count", { label: count, values: trafficFilters }),
    }),
    ...(form.has("min_answers") &&
      isEdited("min_answers", answers, minAnswers) && {
        minAnswers: readNumber(actor, form, "min_answers", { label: answers, ...limits.answers }),
      }),
    ...(form.has("audit_days") &&
      isEdited("audit_days", days, auditDays) && {
        auditDays: readNumber(actor, form, "audit_days", { label: days, ...limits.days }),
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
