// The page of the organization, for admins: its name, its time zone, what its numbers count, and when campaigns close.

import { isTimeZone } from "../../../campaign/calendar/time-zone.ts";
import { type CountedTraffic, countedTraffics } from "../../../campaign/events/traffic.ts";
import { acceptedName, normalizeName } from "../../../campaign/names.ts";
import { changeOrganization, type OrganizationChange } from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import type { Action, Page, PageRequest, Visitor } from "../page.ts";
import { choices, field } from "../ui/field.ts";
import { actionForm, asShown, fieldOf, isLeft, refuseField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { closingAction, closingForm } from "./closing.ts";
import { differenceOf } from "./organization-change.ts";

export function organizationPage(door: WebContext): Page {
  return {
    path: "/settings/organization",
    role: "admin",
    async show(visitor, asked) {
      return { title: "Organization", body: html`${mainForm(visitor, asked)}${closingForm(visitor, asked)}` };
    },
    actions: { organization: saveAction(door), closing: closingAction(door) },
  };
}

const trafficNames: Record<CountedTraffic, string> = {
  people: "People only",
  all: "Everything, machines as well",
};

const labels = { name: "Name", timeZone: "Time zone", count: "What the numbers count" } as const;

function mainForm(visitor: Visitor, { refused }: PageRequest): Html {
  const { name, timeZone, countedTraffic } = visitor.organization;
  const sent = refused?.action === "organization" ? refused : undefined;
  const filled = (of: string, value: string) => sent?.form.get(of) ?? value;
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => html`<option value="${zone}">`);
  return html`<section class="card"><h2>Name, time zone and what counts</h2>
${actionForm(
  visitor,
  { action: "organization" },
  field(
    { name: "name", label: labels.name },
    sent?.problem,
    (its) =>
      html`<input ${its} dir="auto" maxlength="200" autocomplete="organization" value="${filled("name", name)}" required>`,
  ),
  field(
    { name: "time_zone", label: labels.timeZone, hint: "Times are shown in it, here and in the API." },
    sent?.problem,
    (its) =>
      html`<input ${its} list="time_zones" maxlength="60" value="${filled("time_zone", timeZone)}" required>
<datalist id="time_zones">${zones}</datalist>`,
  ),
  field(
    { name: "count", label: labels.count },
    sent?.problem,
    (its) => html`<select ${its}>${choices(trafficNames, filled("count", countedTraffic))}</select>`,
  ),
  asShown("name", name, sent?.form),
  asShown("time_zone", timeZone, sent?.form),
  asShown("count", countedTraffic, sent?.form),
  html`<p><button>Save</button></p>`,
)}</section>`;
}

function saveAction({ now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization: { id }, write }, form) {
      const wanted = readOrganization(form);
      await write(async (queries, before) => {
        await changeOrganization(queries, id, differenceOf(before, wanted), now());
      });
      return { notice: "Saved. Every answer shows it from now on." };
    },
  };
}

/** What was changed in the form. */
function readOrganization(
  form: URLSearchParams,
): Pick<OrganizationChange, "name" | "timeZone" | "countedTraffic"> {
  return {
    ...(!isLeft(form, "name") && { name: nameIn(form) }),
    ...(!isLeft(form, "time_zone") && { timeZone: timeZoneIn(form) }),
    ...(!isLeft(form, "count") && { countedTraffic: countedTrafficIn(form) }),
  };
}

function nameIn(form: URLSearchParams): string {
  const typed = fieldOf(form, "name");
  return normalizeName(typed) ?? refuseField(labels.name, typed, `accepted: a name has ${acceptedName}`);
}

function timeZoneIn(form: URLSearchParams): string {
  const given = fieldOf(form, "time_zone");
  if (isTimeZone(given)) return given;
  return refuseField(labels.timeZone, given, "a time zone by its IANA name, such as Europe/Berlin or UTC");
}

function countedTrafficIn(form: URLSearchParams): CountedTraffic {
  const given = fieldOf(form, "count");
  return (
    countedTraffics.find((each) => each === given) ??
    refuseField(labels.count, given, `one of ${countedTraffics.join(", ")}`)
  );
}
