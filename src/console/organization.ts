// The section of the page of people that is about the organization itself: name, time zone, what counts, and closing.

import { isTimeZone } from "../campaign/timestamps.ts";
import { type CountedTraffic, countedTraffics } from "../campaign/traffic.ts";
import { Refusal } from "../errors.ts";
import { type Html, html } from "../html.ts";
import {
  changeOrganization,
  lockOrganization,
  type Organization,
  type OrganizationChange,
} from "../storage/organizations.ts";
import type { Action, Asked, Visitor } from "./console-page.ts";
import type { ConsoleDoor } from "./door.ts";
import { actionForm, fieldOf } from "./form.ts";

const trafficNames: Record<CountedTraffic, string> = {
  people: "People only",
  all: "Everything, machines as well",
};

export function organizationSection(visitor: Visitor, { refused }: Asked): Html {
  const { organization } = visitor;
  const { name, timeZone, countedTraffic, closeAfterDays, closeNamelessAfterDays } = organization;
  const typed = refused?.action === "organization" ? refused.form : undefined;
  const filled = (field: string, value: string | number) => typed?.get(field) ?? value;
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => html`<option value="${zone}">`);
  const days = (field: string, label: string, value: number) =>
    html`<div class="field"><label for="${field}">${label}</label>
<input id="${field}" name="${field}" inputmode="numeric" maxlength="6" value="${filled(field, value)}" required></div>`;
  const choices = countedTraffics.map(
    (traffic) =>
      html`<option value="${traffic}"${traffic === filled("count", countedTraffic) && html` selected`}>${trafficNames[traffic]}</option>`,
  );
  return html`<section class="card"><h2>Organization</h2>
${actionForm(
  visitor,
  { action: "organization" },
  html`<div class="field"><label for="name">Name</label>
<input id="name" name="name" maxlength="200" autocomplete="organization" value="${filled("name", name)}" required></div>
<div class="field"><label for="time_zone">Time zone</label>
<input id="time_zone" name="time_zone" list="time_zones" maxlength="60" value="${filled("time_zone", timeZone)}" required>
<datalist id="time_zones">${zones}</datalist></div>
<div class="field"><label for="count">What the numbers count</label>
<select id="count" name="count">${choices}</select></div>
<div class="fields">${days("close_after_days", "Campaigns close after days", closeAfterDays)}
${days("close_nameless_after_days", "Anonymous and Overall ones after days", closeNamelessAfterDays)}</div>
<p class="hint">The numbers of a campaign that is closed stand for ever, and what they were counted from is deleted.</p>
<p><button>Save</button></p>`,
)}</section>`;
}

export function organizationActions({ database, now }: ConsoleDoor): Record<string, Action> {
  return {
    organization: {
      role: "admin",
      async run({ organization: { id } }, form) {
        const wanted = readOrganization(form);
        await database.write(async (queries) => {
          const before = await lockOrganization(queries, id);
          if (!before) throw new Refusal("not_found", "The organization is there no more.");
          await changeOrganization(queries, id, differenceOf(before, wanted), now());
        });
        return { notice: "Saved. Every answer shows it from now on." };
      },
    },
  };
}

/** What is the same is not changed again: a time zone lets every record be rendered anew. */
function differenceOf(before: Organization, wanted: Required<OrganizationChange>): OrganizationChange {
  const names = Object.keys(wanted) as (keyof OrganizationChange)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== before[name]).map((name) => [name, wanted[name]]),
  );
}

function readOrganization(form: URLSearchParams): Required<OrganizationChange> {
  const name = fieldOf(form, "name");
  if (name.length < 1 || name.length > 200 || /\p{Cc}/u.test(name)) {
    refuse("Name", name, "a name of 1 to 200 characters, all in one line");
  }
  const timeZone = fieldOf(form, "time_zone");
  if (!isTimeZone(timeZone)) {
    refuse("Time zone", timeZone, "a time zone by its IANA name, such as Europe/Berlin or UTC");
  }
  const given = fieldOf(form, "count");
  const countedTraffic = countedTraffics.find((each) => each === given);
  if (countedTraffic === undefined)
    refuse("What the numbers count", given, `one of ${countedTraffics.join(", ")}`);
  return {
    name,
    timeZone,
    countedTraffic,
    closeAfterDays: daysIn(form, "close_after_days", "Campaigns close after days"),
    closeNamelessAfterDays: daysIn(
      form,
      "close_nameless_after_days",
      "Anonymous and Overall ones after days",
    ),
  };
}

function daysIn(form: URLSearchParams, field: string, label: string): number {
  const text = fieldOf(form, field);
  const days = Number(text);
  if (!/^\d{1,6}$/.test(text) || days < 1 || days > 100_000) {
    refuse(label, text, "a whole number from 1 to 100000");
  }
  return days;
}

function refuse(label: string, given: string, accepted: string): never {
  throw new Refusal("bad_request", `${label}: ${JSON.stringify(given.slice(0, 100))} is not ${accepted}.`);
}
