// The organization page at `/settings/organization`: name, time zone, counted traffic, and auto-close.

import { isTimeZone } from "../../../campaign/calendar/time-zone.ts";
import { type TrafficFilter, trafficFilters } from "../../../campaign/events/traffic.ts";
import { acceptedName, normalizeName } from "../../../campaign/names.ts";
import {
  changeOrganization,
  type Organization,
  type OrganizationChange,
} from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { organizationStrings } from "../strings/organization.ts";
import { uiStrings } from "../strings/ui.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, isFieldUnedited, originalValue, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { autoCloseAction, autoCloseForm } from "./auto-close.ts";

export function organizationPage(context: WebContext): Page {
  return {
    path: "/settings/organization",
    role: "admin",
    async show(session, request) {
      const body = html`${generalForm(session, request)}${autoCloseForm(session, request)}`;
      return { title: organizationStrings.title, body };
    },
    actions: { organization: saveAction(context), closing: autoCloseAction(context) },
  };
}

function generalForm(session: WebSession, { rejected }: PageRequest): Html {
  const { name, timeZone, countedTraffic } = session.organization;
  const { timeZoneHint } = organizationStrings;
  const submitted = rejected?.action === "organization" ? rejected : undefined;
  const fieldValue = (field: string, saved: string) => submitted?.form.get(field) ?? saved;
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => html`<option value="${zone}">`);
  return html`<section class="card"><h2>${organizationStrings.general}</h2>
${actionForm(
  session,
  { action: "organization" },
  formField(
    { name: "name", label: organizationStrings.name },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" maxlength="200" autocomplete="organization" value="${fieldValue("name", name)}" required>`,
  ),
  formField(
    { name: "time_zone", label: organizationStrings.timeZone, hint: timeZoneHint },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} list="time_zones" maxlength="60" value="${fieldValue("time_zone", timeZone)}" required>
<datalist id="time_zones">${zones}</datalist>`,
  ),
  formField(
    { name: "count", label: organizationStrings.count },
    submitted?.problem,
    (attributes) =>
      html`<select ${attributes}>${selectOptions(organizationStrings.countedTraffic, fieldValue("count", countedTraffic))}</select>`,
  ),
  originalValue("name", name, submitted?.form),
  originalValue("time_zone", timeZone, submitted?.form),
  originalValue("count", countedTraffic, submitted?.form),
  html`<p><button>${organizationStrings.save}</button></p>`,
)}</section>`;
}

function saveAction({ now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization: { id }, transaction }, form) {
      const wanted = readOrganization(form);
      await transaction(async (queries, before) => {
        await changeOrganization(queries, id, changedFields(before, wanted), now());
      });
      return { notice: organizationStrings.saved };
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
  form: URLSearchParams,
): Pick<OrganizationChange, "name" | "timeZone" | "countedTraffic"> {
  return {
    ...(!isFieldUnedited(form, "name") && { name: readOrganizationName(form) }),
    ...(!isFieldUnedited(form, "time_zone") && { timeZone: readTimeZone(form) }),
    ...(!isFieldUnedited(form, "count") && { countedTraffic: readCountedTraffic(form) }),
  };
}

function readOrganizationName(form: URLSearchParams): string {
  const text = readField(form, "name");
  const rule = uiStrings.nameRule(acceptedName);
  return normalizeName(text) ?? rejectField(organizationStrings.name, text, rule);
}

function readTimeZone(form: URLSearchParams): string {
  const text = readField(form, "time_zone");
  if (isTimeZone(text)) return text;
  return rejectField(organizationStrings.timeZone, text, organizationStrings.timeZoneRule);
}

function readCountedTraffic(form: URLSearchParams): TrafficFilter {
  const text = readField(form, "count");
  return (
    trafficFilters.find((each) => each === text) ??
    rejectField(organizationStrings.count, text, uiStrings.oneOf(trafficFilters))
  );
}
