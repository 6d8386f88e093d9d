// The organization page at `/settings/organization`: name, time zone, counted traffic, and auto-close.

import { isTimeZone } from "../../../campaign/calendar/time-zone.ts";
import { type TrafficFilter, trafficFilters } from "../../../campaign/events/traffic.ts";
import { normalizeName } from "../../../campaign/names.ts";
import {
  changeOrganization,
  type Organization,
  type OrganizationChange,
} from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, isFieldUnedited, originalValue, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { autoCloseAction, autoCloseForm } from "./auto-close.ts";

export function organizationPage(context: WebContext): Page {
  return {
    path: "/settings/organization",
    role: "admin",
    async show(session, request) {
      const { strings } = session.locale;
      const body = html`${generalForm(session, request)}${autoCloseForm(session, request)}`;
      return { title: strings.organization.title, body };
    },
    actions: { organization: saveAction(context), closing: autoCloseAction(context) },
  };
}

function generalForm(session: WebSession, { rejected }: PageRequest): Html {
  const { name, timeZone, countedTraffic } = session.organization;
  const { strings } = session.locale;
  const { timeZoneHint } = strings.organization;
  const submitted = rejected?.action === "organization" ? rejected : undefined;
  const fieldValue = (field: string, saved: string) => submitted?.form.get(field) ?? saved;
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => html`<option value="${zone}">`);
  return html`<section class="card"><h2>${strings.organization.general}</h2>
${actionForm(
  session,
  { action: "organization" },
  formField(
    { name: "name", label: strings.organization.name },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" maxlength="200" autocomplete="organization" value="${fieldValue("name", name)}" required>`,
  ),
  formField(
    { name: "time_zone", label: strings.organization.timeZone, hint: timeZoneHint },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} list="time_zones" maxlength="60" value="${fieldValue("time_zone", timeZone)}" required>
<datalist id="time_zones">${zones}</datalist>`,
  ),
  formField(
    { name: "count", label: strings.organization.count },
    submitted?.problem,
    (attributes) =>
      html`<select ${attributes}>${selectOptions(strings.organization.countedTraffic, fieldValue("count", countedTraffic))}</select>`,
  ),
  originalValue("name", name, submitted?.form),
  originalValue("time_zone", timeZone, submitted?.form),
  originalValue("count", countedTraffic, submitted?.form),
  html`<p><button>${strings.organization.save}</button></p>`,
)}</section>`;
}

function saveAction({ now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization: { id }, transaction, locale }, form) {
      const wanted = readOrganization(locale, form);
      await transaction(async (queries, before) => {
        await changeOrganization(queries, id, changedFields(before, wanted), now());
      });
      return { notice: locale.strings.organization.saved };
    },
  };
}

/** Leaves out equal fields, because a changed time zone renders every record again. */
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
): Pick<OrganizationChange, "name" | "timeZone" | "countedTraffic"> {
  return {
    ...(!isFieldUnedited(form, "name") && { name: readOrganizationName(locale, form) }),
    ...(!isFieldUnedited(form, "time_zone") && { timeZone: readTimeZone(locale, form) }),
    ...(!isFieldUnedited(form, "count") && { countedTraffic: readCountedTraffic(locale, form) }),
  };
}

function readOrganizationName(locale: Locale, form: URLSearchParams): string {
  const { strings } = locale;
  const text = readField(locale, form, "name");
  const rule = strings.ui.nameRule;
  return normalizeName(text) ?? rejectField(locale, strings.organization.name, text, rule);
}

function readTimeZone(locale: Locale, form: URLSearchParams): string {
  const { strings } = locale;
  const text = readField(locale, form, "time_zone");
  if (isTimeZone(text)) return text;
  return rejectField(locale, strings.organization.timeZone, text, strings.organization.timeZoneRule);
}

function readCountedTraffic(locale: Locale, form: URLSearchParams): TrafficFilter {
  const { strings } = locale;
  const text = readField(locale, form, "count");
  return (
    trafficFilters.find((each) => each === text) ??
    rejectField(locale, strings.organization.count, text, strings.ui.oneOf(trafficFilters))
  );
}
