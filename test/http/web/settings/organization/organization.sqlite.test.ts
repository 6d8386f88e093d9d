// The organization page, and how many campaigns a change of its days closes.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../../../src/campaign/calendar/durations.ts";
import { changeOrganization } from "../../../../../src/counting/campaigns/change-organization.ts";
import {
  type ClosingDays,
  countCampaignsToClose,
  findCampaignsToClose,
} from "../../../../../src/storage/campaigns/campaigns-to-close.ts";
import { findOrganization } from "../../../../../src/storage/organizations/organizations.ts";
import { assertPage, textOf } from "../../../../support/pages.ts";
import { makeWebWorld, type WebWorld } from "../../../../support/web-world.ts";

const path = "/settings/organization";

const organizationOf = ({ world, organization }: WebWorld) =>
  world.database.queryOf(organization.id, findOrganization);

/** Registers campaigns 1 Individual, 2 Anonymous and 3 Overall, sent the given number of days ago. */
async function registered({ world, organization }: WebWorld, days: number): Promise<void> {
  const { now } = world.clock;
  world.clock.now = now - days * dayMs - 1;
  for (const [index, tracking_type] of ["Individual", "Anonymous", "Overall"].entries()) {
    const sent_at = new Date(world.clock.now).toISOString();
    await world.register(organization, index + 1, { tracking_type, sent_at });
  }
  world.clock.now = now;
}

test("changes name, time zone and counted traffic, and skips equal values", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  const same = { name: "Acme", time_zone: "UTC", count: "people" };
  const before = await organizationOf(given);
  assert.equal((await admin.post(path, "organization", same)).status, 303);
  assert.deepEqual(await organizationOf(given), before, "no record is rendered again");

  const changed = { name: "Größe & <b>", time_zone: "Europe/Berlin", count: "all" };
  const saved = await admin.post(path, "organization", changed);
  assert.equal(saved.notice, "Saved. The API returns the change immediately.");
  const after = await organizationOf(given);
  const fields = [after?.name, after?.timeZone, after?.countedTraffic, after?.closeAfterDays];
  assert.deepEqual(fields, ["Größe & <b>", "Europe/Berlin", "all", 400]);
  assert.ok((after?.revision ?? 0) > (before?.revision ?? 0));
  assert.match(await admin.read(path), /Größe &amp; &lt;b&gt;/);
});

test("lists every time zone with its offset of the day, and the one that the organization has", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  const choose = async (time_zone: string) => {
    const { status } = await admin.post(path, "organization", { name: "Acme", count: "people", time_zone });
    return [status, (await organizationOf(given))?.timeZone];
  };
  const optionsOf = async () => {
    const [list = ""] = /<select id="time_zone".*?<\/select>/s.exec(await admin.read(path)) ?? [];
    const all = [...list.matchAll(/<option value="([^"]*)"( selected)?>([^<]*)</g)];
    return all.map(([, value, selected, text]) => `${value}: ${text}${selected ?? ""}`);
  };
  const options = await optionsOf();
  assert.ok(options.includes("Europe/Stockholm: Europe/Stockholm, UTC+2"), "it is June");
  assert.ok(options.includes("America/St_Johns: America/St_Johns, UTC-2:30"));
  for (const name of Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")) {
    assert.equal(options.filter((option) => option.startsWith(`${name}: ${name}, UTC`)).length, 1, name);
  }
  assert.deepEqual(await choose("Asia/Kolkata"), [303, "Asia/Kolkata"]);
  // Lists leave out the former names of zones.
  assert.deepEqual(await choose("US/Eastern"), [303, "US/Eastern"]);
  assert.equal((await optionsOf())[0], "US/Eastern: US/Eastern, UTC-4 selected");
  assert.deepEqual(await choose("UTC"), [303, "UTC"]);
  assert.deepEqual(await choose("UTC+1"), [400, "UTC"]);
  assert.deepEqual(await choose(", UTC+1"), [400, "UTC"]);
});

test("keeps changes of others in fields that the form did not edit", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  const page = await admin.read(path);
  const shown = Object.fromEntries(
    [...page.matchAll(/name="(shown_\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  assert.deepEqual(shown, {
    ...{ shown_name: "Acme", shown_time_zone: "UTC", shown_count: "people", shown_min_answers: "5" },
    shown_audit_days: "400",
  });
  const other = { name: "Acme", time_zone: "Europe/Paris", count: "all" };
  assert.equal((await admin.post(path, "organization", other)).status, 303);
  const renamed = { name: "Acme & Co", time_zone: "UTC", count: "people", ...shown };
  // A field that both edited is not lost.
  const lost = await admin.post(path, "organization", { ...renamed, time_zone: "Asia/Tokyo" });
  assert.equal(lost.status, 409);
  const question =
    'someone changed this to "Europe/Paris" meanwhile. Send the form again to replace that by "Asia/Tokyo"';
  assert.ok(textOf(lost.text).includes(question), lost.text);
  assert.equal((await admin.post(path, "organization", renamed)).status, 303);
  const after = await organizationOf(given);
  const kept = [after?.name, after?.timeZone, after?.countedTraffic];
  assert.deepEqual(kept, ["Acme & Co", "Europe/Paris", "all"]);

  const wrong = await admin.post(path, "organization", { ...renamed, name: "", shown_name: "Acme & Co" });
  assertPage(wrong, 400, /name="shown_time_zone" value="UTC"/);
});

test("rejects an invalid name or time zone at its field, and keeps the input", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  const before = await organizationOf(given);
  const whole = { name: "Typed", time_zone: "UTC", count: "people" };
  const wrong: [string, Record<string, string>, RegExp][] = [
    ["organization", { ...whole, name: "" }, /id="name_problem">&quot;&quot; is not accepted: a name has 1/],
    ["organization", { ...whole, name: "two\nlines" }, /id="name_problem">/],
    ["organization", { ...whole, name: "Acme \u202egnp" }, /marks that change the text direction/],
    ["organization", { ...whole, time_zone: "Mars/Base" }, /id="time_zone_problem">.* is not a time zone/],
    ["organization", { ...whole, time_zone: "+02:00" }, /is not a time zone/],
    ["organization", { ...whole, count: "robots" }, /id="count_problem">.* is not one of people, all/],
  ];
  for (const [action, fields, problem] of wrong) {
    const seen = await admin.post(path, action, fields);
    assertPage(seen, 400, problem);
    if (fields.name === "Typed") assert.match(seen.text, /name="name"[^>]*value="Typed"/);
  }
  assert.deepEqual(await organizationOf(given), before);
});

test("announces as many campaigns as it then closes", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await registered(given, 50);
  await registered({ ...given, organization: other }, 50);
  const { now } = world.clock;
  for (const [closeAfterDays, closeNamelessAfterDays, expected] of [
    [400, 90, 0],
    [50, 90, 1],
    [51, 50, 2],
    [1, 1, 3],
  ] as const) {
    const days: ClosingDays = { closeAfterDays, closeNamelessAfterDays };
    const announced = await world.database.queryOf(organization.id, (scope) =>
      countCampaignsToClose(scope, { now, days }),
    );
    const due = await world.database.transactionOf(organization.id, async (scope) => {
      await changeOrganization(scope, days, now);
      return findCampaignsToClose(scope, { now, limit: 10 });
    });
    assert.deepEqual([announced, due.length], [expected, expected]);
  }
});

test("changes nothing of the organization by admins of other organizations", async (t) => {
  const given = await makeWebWorld(t);
  const { organization: other } = await given.world.addOrganization({ name: "Globex" });
  const hank = await given.signIn("admin", { email: "hank@globex.example", organization: other });
  const before = await organizationOf(given);
  const fields = { name: "Mine", time_zone: "UTC", count: "people" };
  assert.equal((await hank.post(path, "organization", fields)).status, 303);
  assert.deepEqual(await organizationOf(given), before);
});
