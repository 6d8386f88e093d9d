// The page of the organization, for admins: its name, its time zone, what its numbers count, and when campaigns close.

import { nameShape, readName } from "../campaign/names.ts";
import { isTimeZone } from "../campaign/timestamps.ts";
import { type CountedTraffic, countedTraffics } from "../campaign/traffic.ts";
import { type Html, html } from "../html.ts";
import { changeOrganization, type OrganizationChange } from "../storage/organizations.ts";
import { closingAction, closingForm } from "./closing.ts";
import type { Action, Asked, ConsolePage, Visitor } from "./console-page.ts";
import type { ConsoleDoor } from "./door.ts";
import { choices, field } from "./field.ts";
import { actionForm, fieldOf, refuseField } from "./form.ts";
import { differenceOf } from "./organization-change.ts";

export function organizationPage(door: ConsoleDoor): ConsolePage {
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

function mainForm(visitor: Visitor, { refused }: Asked): Html {
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
  html`<p><button>Save</button></p>`,
)}</section>`;
}

function saveAction({ now }: ConsoleDoor): Action {
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

function readOrganization(
  form: URLSearchParams,
): Required<Pick<OrganizationChange, "name" | "timeZone" | "countedTraffic">> {
  const typed = fieldOf(form, "name");
  const name = readName(typed) ?? refuseField(labels.name, typed, `accepted: a name has ${nameShape}`);
  const timeZone = fieldOf(form, "time_zone");
  if (!isTimeZone(timeZone)) {
    refuseField(labels.timeZone, timeZone, "a time zone by its IANA name, such as Europe/Berlin or UTC");
  }
  const given = fieldOf(form, "count");
  const countedTraffic =
    countedTraffics.find((each) => each === given) ??
    refuseField(labels.count, given, `one of ${countedTraffics.join(", ")}`);
  return { name, timeZone, countedTraffic };
}
