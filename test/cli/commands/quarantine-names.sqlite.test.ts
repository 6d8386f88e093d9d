// `quarantine list` prints external IDs so that `--campaign` accepts them.

import assert from "node:assert/strict";
import test from "node:test";
import { open } from "../../support/events.ts";
import { pick } from "../../support/pick.ts";
import { makeAcme, run, type World } from "../../support/world.ts";

const quarantined = (world: World, ...argv: string[]) =>
  run(world.databaseUrl, ["quarantine", ...argv, "--organization", "1"]);

const list = async (world: World, ...options: string[]) =>
  (await quarantined(world, "list", "--json", ...options)).rows;

const names = [
  "12",
  "null",
  "?",
  'a"b',
  '"',
  "back\\slash",
  "two\nlines",
  "\u001b[2J",
  "\u202egnp",
  "\u{1f4e7} \u65e5\u672c\u8a9e e\u0301",
  "'; drop table quarantine; --",
  "x".repeat(200),
];

for (const name of names) {
  test(`--campaign accepts an external ID as quarantine list prints it: ${JSON.stringify(name).slice(0, 40)}`, async (t) => {
    const { world, organization } = await makeAcme(t);
    await world.ingest(organization, [open(1, { campaign_id: name }), open(2, { campaign_id: 12 })]);
    const names = (await list(world)).map(({ campaign }) => campaign);
    assert.deepEqual(new Set(names), new Set([name, 12]));
    // As the table prints it.
    const asListed = JSON.stringify(name);
    const printed = (await quarantined(world, "list")).stdout;
    assert.doesNotMatch(printed.replaceAll("\n", ""), /\p{Cc}/u);
    assert.equal(printed.split("\n").length, 4);
    assert.deepEqual(pick(await list(world, "--campaign", asListed), "events"), [1]);
    const discarded = await quarantined(world, "discard", "--yes", "--json", "--campaign", asListed);
    assert.deepEqual(discarded.rows, [{ discarded: 1 }]);
    assert.deepEqual(pick(await list(world), "campaign"), [12]);
  });
}
