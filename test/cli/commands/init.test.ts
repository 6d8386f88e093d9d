// `init`: the first organization and its first admin.

import assert from "node:assert/strict";
import test from "node:test";
import { actionsOf } from "../../support/audit.ts";
import { makeGuest } from "../../support/guest.ts";
import { makeWorld, run, serve } from "../../support/world.ts";

const acme = ["init", "--name", "Acme", "--email", " Ann@example.com", "--time-zone", "Europe/Berlin"];

test("init adds an organization, and prints the invite link of its first admin", async (t) => {
  const world = await makeWorld(t);
  const { exitCode, rows, stderr } = await run(world.databaseUrl, [...acme, "--json"]);
  assert.equal(exitCode, 0, stderr);
  const url = String(rows[0]?.url);
  assert.deepEqual(rows, [{ id: 1, email: "ann@example.com", role: "admin", url }]);
  assert.deepEqual(await actionsOf(world, 1), [
    "command line, user.invite, ann@example.com, admin",
    "command line, organization.add, Acme",
  ]);
  const { rows: organizations } = await run(world.databaseUrl, "organization list --json");
  assert.deepEqual([organizations[0]?.name, organizations[0]?.time_zone], ["Acme", "Europe/Berlin"]);
  const service = await serve(t, world, { publicUrl: () => "http://127.0.0.1" });
  assert.equal((await makeGuest(service.url).get(new URL(url).pathname)).status, 200);
});

test("init changes nothing if an organization exists or a value is wrong", async (t) => {
  const world = await makeWorld(t);
  const wrong = [
    [["--email", "ann"], /^error: email: "ann" is not an email address/],
    [["--time-zone", "Europe/Atlantis"], /Europe\/Atlantis/],
    [["--name", " "], /A name has/],
  ] as const;
  for (const [options, message] of wrong) {
    const { exitCode, stderr } = await run(world.databaseUrl, [...acme, ...options]);
    assert.notEqual(exitCode, 0);
    assert.match(stderr, message);
  }
  assert.equal((await run(world.databaseUrl, "organization list --json")).rows.length, 0);
  assert.equal((await run(world.databaseUrl, acme)).exitCode, 0);
  const again = await run(world.databaseUrl, acme);
  assert.equal(again.exitCode, 1);
  const expected = /^error: there is an organization already; "organization add" and "user add" add/;
  assert.match(again.stderr, expected);
});
