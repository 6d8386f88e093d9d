// `organization add|list|change|delete` and `campaign delete`.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { pick } from "../../../support/pick.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { campaign, makeAcme, makeWorld, present, run, serve } from "../../../support/world.ts";

/** The default settings of an organization. */
const settings = {
  count: "people",
  min_answers: 5,
  min_group: 10,
  close_after_days: 400,
  close_nameless_after_days: 90,
  audit_days: 400,
  csv_links: "refuse",
  share_links: "refuse",
  persons: "allow",
};

test("organization add, list and change print the same fields", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const organization = (...argv: string[]) => run(databaseUrl, ["organization", ...argv, "--json"]);

  assert.deepEqual((await organization("add", "--name", "Acme")).rows, [
    { id: 1, name: "Acme", time_zone: "UTC", ...settings },
  ]);
  const second = await organization("add", "--name", " Globex Inc. ", "--time-zone", "Europe/Berlin");
  const message =
    '{"id":2,"name":"Globex Inc.","time_zone":"Europe/Berlin","count":"people","min_answers":5,"min_group":10,"close_after_days":400,"close_nameless_after_days":90,"audit_days":400,"csv_links":"refuse","share_links":"refuse","persons":"allow"}\n';
  assert.equal(second.stdout, message);
  assert.deepEqual((await organization("list")).rows, [
    { id: 1, name: "Acme", time_zone: "UTC", ...settings },
    { id: 2, name: "Globex Inc.", time_zone: "Europe/Berlin", ...settings },
  ]);
  assert.deepEqual((await organization("change", "--organization", "1", "--name", "Acme 2")).rows, [
    { id: 1, name: "Acme 2", time_zone: "UTC", ...settings },
  ]);
  assert.deepEqual((await organization("change", "--organization", "1", "--time-zone", "Asia/Tokyo")).rows, [
    { id: 1, name: "Acme 2", time_zone: "Asia/Tokyo", ...settings },
  ]);
  assert.deepEqual((await organization("list")).rows, [
    { id: 1, name: "Acme 2", time_zone: "Asia/Tokyo", ...settings },
    { id: 2, name: "Globex Inc.", time_zone: "Europe/Berlin", ...settings },
  ]);
});

sqliteTest("organization commands print what they did and what to do next", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const none = await run(databaseUrl, "organization list");
  const message =
    "There are no organizations. Set up the first one: email-analytics init --name NAME --email EMAIL\n";
  assert.deepEqual(none.output, [0, "", message]);
  const added = await run(databaseUrl, "organization add --name Acme");
  const expected =
    "Added organization 1. Next, create an API key: email-analytics key add --organization 1 --name NAME\n";
  assert.equal(added.stdout, expected);
  await run(databaseUrl, "organization add --name Globex --time-zone America/New_York");
  const listed = await run(databaseUrl, "organization list");
  assert.equal(
    listed.stdout,
    [
      "id  name    time_zone         count   min_answers  min_group  close_after_days  close_nameless_after_days  audit_days  csv_links  share_links  persons",
      "1   Acme    UTC               people  5            10         400               90                         400         refuse     refuse       allow",
      "2   Globex  America/New_York  people  5            10         400               90                         400         refuse     refuse       allow",
      "",
    ].join("\n"),
  );
  const changed = await run(databaseUrl, "organization change --organization 1 --name A");
  assert.equal(changed.stdout, "Changed organization 1.\n");
});

test("organization refuses a name that another one has in any letter case", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const organization = (...argv: string[]) => run(databaseUrl, ["organization", ...argv]);
  for (const name of ["Acme", "Globex"])
    assert.equal((await organization("add", "--name", name)).exitCode, 0);
  const taken =
    'error: organization 1 already has the name "Acme"; choose one that differs in more than letter case\n';
  for (const argv of [
    ["add", "--name", "ACME"],
    ["change", "--organization", "2", "--name", "acme"],
  ]) {
    const { output } = await organization(...argv);
    assert.deepEqual(output, [1, "", taken]);
  }
  assert.equal((await organization("change", "--organization", "1", "--name", "ACME")).exitCode, 0);
  const found = (await organization("change", "--organization", "2", "--time-zone", "Asia/Tokyo")).exitCode;
  assert.equal(found, 0);
});

test("organization delete ends its keys, leaves others, and its ID is never used again", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  const other = await world.addOrganization({ name: "Globex" });
  await world.save(organization, [campaign({ id: 1, tags: ["News"] })]);
  await world.save(other.organization, [campaign({ id: 1, tags: ["News"] })]);
  const service = await serve(t, world);

  const deleted = await run(world.databaseUrl, "organization delete --organization 1 --yes --json");
  assert.deepEqual(deleted.rows, [{ id: 1, name: "Acme", time_zone: "UTC", ...settings }]);

  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 401);
  assert.equal((await service.emails(other.key)).meta.total_entries, 1);
  const next = await run(world.databaseUrl, "organization add --name New --json");
  assert.deepEqual(next.rows, [{ id: 3, name: "New", time_zone: "UTC", ...settings }]);
});

sqliteTest("organization delete refuses to run without --yes", async (t) => {
  const { world } = await makeAcme(t);
  const { exitCode, stdout, stderr } = await run(world.databaseUrl, "organization delete --organization 1");
  assert.deepEqual([exitCode, stdout], [2, ""]);
  assert.equal(stderr, "error: this deletes all data of the organization; add --yes to confirm\n");
  assert.equal((await run(world.databaseUrl, "organization list --json")).rows.length, 1);
});

test("organization change closes campaigns sooner only with --yes, and later without", async (t) => {
  const { world } = await makeAcme(t, { register: { tracking_type: "Anonymous" } });
  const change = (...argv: string[]) =>
    run(world.databaseUrl, ["organization", "change", "--organization", "1", "--json", ...argv], {
      now: () => present + 80 * dayMs,
    });
  const sooner = ["--name", "New", "--close-after-days", "399"];
  const muchSooner = ["--close-after-days", "500", "--close-nameless-after-days", "79"];
  for (const [argv, campaigns] of [
    [sooner, "0 campaigns"],
    [muchSooner, "1 campaign"],
  ] as const) {
    const { output } = await change(...argv);
    const message = `error: this closes ${campaigns} now and others sooner, and deletes their recipients and event IDs; add --yes to confirm\n`;
    assert.deepEqual(output, [2, "", message]);
  }
  const later = await change("--close-after-days", "401", "--close-nameless-after-days", "90");
  assert.deepEqual(later.rows, [
    { id: 1, name: "Acme", time_zone: "UTC", ...settings, close_after_days: 401 },
  ]);
  const [confirmed] = (await change(...sooner, "--yes")).rows;
  assert.deepEqual([confirmed?.name, confirmed?.close_after_days], ["New", 399]);
});

sqliteTest("every command refuses an organization that does not exist", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const commands = [
    ["organization", "change", "--name", "x"],
    ["organization", "delete", "--yes"],
    ["tag", "add", "--name", "x", "--color", "#000000"],
    ["tag", "list"],
    ["tag", "change", "--id", "1", "--name", "x"],
    ["tag", "delete", "--yes", "--id", "1"],
    ["key", "add", "--name", "x"],
    ["key", "list"],
    ["key", "delete", "--id", "1"],
    ["campaign", "close", "--yes", "--id", "1"],
    ["campaign", "delete", "--id", "1", "--yes"],
    ["recipient", "forget", "--yes", "ann@example.com"],
    ["recount"],
    ["quarantine", "list"],
    ["quarantine", "list", "--each"],
    ["quarantine", "replay"],
    ["quarantine", "discard", "--yes"],
    ["import", "--events", "-"],
    ["import", "-"],
    ["export"],
  ];
  for (const command of commands) {
    const { exitCode, stdout, stderr } = await run(databaseUrl, [...command, "--organization", "7"]);
    assert.deepEqual([exitCode, stdout], [1, ""], command.join(" "));
    assert.equal(stderr, 'error: organization 7 does not exist; see "email-analytics organization list"\n');
  }
});

test("campaign delete takes effect with the next request, and only for that campaign", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  const other = await world.addOrganization({ name: "Globex" });
  await world.save(organization, [campaign({ id: 1, tags: ["News"] }), campaign({ id: 2 })]);
  await world.save(other.organization, [campaign({ id: 1 })]);
  const service = await serve(t, world);
  const before = await service.get("/data_api/v1/emails", { key });

  const command = ["campaign", "delete", "--organization", "1", "--id", "1", "--yes"];
  const unsure = await run(world.databaseUrl, command.slice(0, -1));
  const message = "error: this deletes the campaign and its numbers; add --yes to confirm\n";
  assert.deepEqual(unsure.output, [2, "", message]);
  assert.equal((await service.emails(key)).meta.total_entries, 2);
  const deleted = await run(world.databaseUrl, command);
  assert.deepEqual([deleted.exitCode, deleted.stdout], [0, "Deleted campaign 1.\n"]);

  const after = await service.get("/data_api/v1/emails", { key });
  assert.deepEqual(pick(after.body.emails, "id"), [2]);
  assert.equal(after.body.meta.total_entries, 1);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
  assert.equal((await service.emails(other.key)).meta.total_entries, 1);

  const again = await run(world.databaseUrl, command);
  assert.deepEqual([again.exitCode, again.stderr], [1, "error: organization 1 has no campaign 1\n"]);
  const json = await run(world.databaseUrl, "campaign delete --organization 1 --id 2 --yes --json");
  assert.equal(json.stdout, '{"id":2}\n');
});

test("organization change sets from how many recipients a group is shown", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const organization = (...argv: string[]) => run(databaseUrl, ["organization", ...argv]);
  await organization("add", "--name", "Acme");
  const change = (size: string) =>
    organization("change", "--organization", "1", "--min-group", size, "--json");
  assert.equal(JSON.parse((await change("12")).stdout).min_group, 12);
  const refused = await change("4");
  assert.equal(refused.exitCode, 2);
  assert.match(refused.stderr, /It is a whole number from 5 to 50\./);
});
