// `tag add|list|change|delete`.

import assert from "node:assert/strict";
import test from "node:test";
import { pick } from "../../../support/pick.ts";
import { campaign, makeAcme, run } from "../../../support/world.ts";

test("tag commands print the same three fields, and tag list sorts by name", async (t) => {
  const { world } = await makeAcme(t);
  const tag = async (...argv: string[]) =>
    (await run(world.databaseUrl, ["tag", ...argv, "--organization", "1", "--json"])).rows;

  assert.deepEqual(await tag("add", "--name", "News", "--color", "#4e79A7"), [
    { id: 1, name: "News", color: "#4e79A7" },
  ]);
  assert.deepEqual(await tag("add", "--name", " Ads ", "--color", "#000000"), [
    { id: 2, name: "Ads", color: "#000000" },
  ]);
  assert.deepEqual(await tag("list"), [
    { id: 2, name: "Ads", color: "#000000" },
    { id: 1, name: "News", color: "#4e79A7" },
  ]);
  assert.deepEqual(await tag("change", "--id", "1", "--name", "Newsletter"), [
    { id: 1, name: "Newsletter", color: "#4e79A7" },
  ]);
  assert.deepEqual(await tag("change", "--id", "1", "--color", "#FFFFFF"), [
    { id: 1, name: "Newsletter", color: "#FFFFFF" },
  ]);
  assert.deepEqual(await tag("delete", "--yes", "--id", "2"), [{ id: 2, name: "Ads", color: "#000000" }]);
  assert.deepEqual(await tag("list"), [{ id: 1, name: "Newsletter", color: "#FFFFFF" }]);
});

test("tag commands print what they did", async (t) => {
  const { world } = await makeAcme(t);
  const tag = (...argv: string[]) => run(world.databaseUrl, ["tag", ...argv, "--organization", "1"]);
  const none = await tag("list");
  assert.deepEqual([none.stdout, none.stderr], ["", "The organization has no tags.\n"]);
  assert.equal((await tag("add", "--name", "News", "--color", "#4E79A7")).stdout, "Added tag 1.\n");
  assert.equal((await tag("change", "--id", "1", "--name", "Ads")).stdout, "Changed tag 1.\n");
  assert.equal((await tag("list")).stdout, "id  name  color\n1   Ads   #4E79A7\n");
  assert.equal((await tag("delete", "--yes", "--id", "1")).stdout, "Deleted tag 1.\n");
});

test("tag refuses a name that another tag of the organization has", async (t) => {
  const { world } = await makeAcme(t);
  await world.addOrganization({ name: "Globex" });
  const tag = (...argv: string[]) => run(world.databaseUrl, ["tag", ...argv]);
  await tag("add", "--organization", "1", "--name", "News", "--color", "#000000");
  await tag("add", "--organization", "1", "--name", "Ads", "--color", "#000000");

  const taken =
    'error: tag 1 already has the name "News"; choose one that differs in more than letter case\n';
  const again = await tag("add", "--organization", "1", "--name", "News", "--color", "#111111");
  assert.deepEqual(again.output, [1, "", taken]);
  const renamed = await tag("change", "--organization", "1", "--id", "2", "--name", "News");
  assert.deepEqual([renamed.exitCode, renamed.stderr], [1, taken]);

  const own = await tag("change", "--organization", "1", "--id", "1", "--name", "News", "--color", "#222222");
  assert.equal(own.exitCode, 0);
  const elsewhere = await tag("add", "--organization", "2", "--name", "News", "--color", "#000000");
  assert.equal(elsewhere.exitCode, 0);
  const otherCase = await tag("add", "--organization", "1", "--name", "NEWS", "--color", "#000000");
  assert.deepEqual([otherCase.exitCode, otherCase.stderr], [1, taken]);
  const ownOtherCase = await tag("change", "--organization", "1", "--id", "1", "--name", "NEWS");
  assert.equal(ownOtherCase.exitCode, 0);
});

test("programs add tags that differ in letter case, which people may recolor", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, tags: ["News", "news"] })]);
  const recolor = ["tag", "change", "--organization", "1", "--id", "1", "--color", "#000000"];
  assert.equal((await run(world.databaseUrl, recolor)).exitCode, 0);
  const tags = await world.tagsOf(organization);
  assert.deepEqual(pick(tags, "name"), ["News", "news"]);
});

test("tag add takes each color of the palette before one a second time", async (t) => {
  const { world } = await makeAcme(t);
  const colors: unknown[] = [];
  for (let number = 0; number < 11; number++) {
    const argv = ["tag", "add", "--organization", "1", "--name", `Tag ${number}`, "--json"];
    colors.push((await run(world.databaseUrl, argv)).rows[0]?.color);
  }
  assert.deepEqual([new Set(colors).size, colors[10]], [10, colors[0]]);
});
