// `import` of valid campaign files.

import assert from "node:assert/strict";
import test from "node:test";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import { counts, exported, file, importing, lines, record, sample } from "../../support/import-files.ts";
import { pick } from "../../support/pick.ts";
import { makeAcme, run, serve, type World } from "../../support/world.ts";

async function revisionOf(world: World): Promise<number | undefined> {
  return (await world.read({ id: 1 }, findOrganization))?.revision;
}

test("an imported API page is served exactly as it was, including rates that its counts do not give", async (t) => {
  const { world, key } = await makeAcme(t);
  const page = { emails: [sample], meta: { page: 1, per_page: 10, total_entries: 1, total_pages: 1 } };
  const imported = await importing(world, JSON.stringify(page));
  assert.deepEqual([imported.exitCode, imported.stderr, counts(imported)], [0, "", [1, 0, 0]]);

  const service = await serve(t, world);
  const { emails } = await service.emails(key);
  assert.deepEqual(emails, [
    {
      ...sample,
      sent_from: "",
      multiple_clicks: 0,
      total_clicks: 0,
      click_per_unique_open_rate: 0,
      desktop_open_rate: 0,
      mobile_open_rate: 0,
      tags: [],
      recipient_count: 0,
      recipients: "",
      read_time_glanced: 0,
      read_time_skimmed: 0,
      read_time_read: 0,
      surveys_count: 0,
      enps_score_average: 0,
      enps_reactions_count: 0,
      enps_comments_count: 0,
      survey_reactions_count: 0,
      survey_reactions_comments_count: 0,
    },
  ]);
});

test("import reads sent_at without an offset in the time zone of the organization", async (t) => {
  const { world } = await makeAcme(t, { timeZone: "America/New_York" });
  await importing(world, lines(sample, record(2, { sent_at: "2024-07-01T09:00:00" })));
  assert.deepEqual(pick(await exported(world), "sent_at"), [
    "2024-07-01T13:00:00.000Z",
    "2024-01-01T14:00:00.000Z",
  ]);
});

test("import prints how many campaigns it added, changed and left unchanged", async (t) => {
  const { world } = await makeAcme(t);
  assert.deepEqual(counts(await importing(world, lines(record(1), record(2)))), [2, 0, 0]);
  const more = lines(record(1), record(2, { open_rate: 0.5 }), record(3));
  const imported = await importing(world, more);
  assert.deepEqual(counts(imported), [1, 1, 1]);
  assert.match(imported.stdout, /^\{"added":1,"changed":1,"unchanged":1,"warnings":\[.*\]\}\n$/);
});

test("import of the same file again changes nothing and does not raise the revision", async (t) => {
  const { world } = await makeAcme(t);
  const content = lines(
    record(1, { tags: [{ name: "News", color: "#000000" }] }),
    record(2, { open_rate: null }),
  );
  await importing(world, content);
  const before = await revisionOf(world);
  assert.deepEqual(counts(await importing(world, content)), [0, 0, 2]);
  assert.equal(await revisionOf(world), before);

  assert.deepEqual(counts(await importing(world, lines(record(1, { tags: [] })))), [0, 1, 0]);
  assert.equal(await revisionOf(world), Number(before) + 1);
});

test("import detects a changed text, a changed number, a new number and changed tags", async (t) => {
  const { world } = await makeAcme(t);
  const changes = [
    { subject: "b" },
    { open_rate: 0 },
    { open_rate: 0.1 },
    { tags: ["x"] },
    { sent_from: "" },
  ];
  await importing(world, lines(record(1)));
  for (const change of changes) {
    assert.deepEqual(
      counts(await importing(world, lines(record(1, change)))),
      [0, 1, 0],
      JSON.stringify(change),
    );
  }
});

test("import --dry-run validates everything and writes nothing", async (t) => {
  const { world } = await makeAcme(t);
  await importing(world, lines(record(1)));
  const before = await revisionOf(world);
  const dry = await importing(world, lines(record(1, { tags: ["New"] }), record(2), record(3)), "--dry-run");
  assert.deepEqual([dry.exitCode, counts(dry)], [0, [2, 1, 0]]);
  assert.equal((await exported(world)).length, 1);
  assert.equal(await revisionOf(world), before);
  const tags = await run(world.databaseUrl, "tag list --organization 1 --json");
  assert.deepEqual(tags.rows, []);
  const path = file(world, lines(record(2)));
  const shown = await run(world.databaseUrl, ["import", "--organization", "1", "--dry-run", path]);
  assert.match(shown.stdout, /^Validated, nothing written: 1 added, 0 changed, 0 unchanged\.\n$/);
  const argv = ["import", "--organization", "1", "--dry-run", "--json"];
  const twice = await run(world.databaseUrl, [...argv, path, path]);
  assert.deepEqual(counts(twice), [1, 0, 1], "the second file is compared with the first");
});

test("import matches tags by name: a known tag keeps its color, and a new one gets its own or a generated color", async (t) => {
  const { world } = await makeAcme(t);
  const add = "tag add --organization 1 --name Known --color #111111";
  await run(world.databaseUrl, add);
  const tags = [{ name: "Known", color: "#222222" }, { name: "New", color: "#333333" }, "Newsletter"];
  await importing(world, lines(record(1, { tags }), record(2, { tags: ["New"] })));
  const { rows } = await run(world.databaseUrl, "tag list --organization 1 --json");
  assert.deepEqual(rows, [
    { id: 1, name: "Known", color: "#111111" },
    { id: 2, name: "New", color: "#333333" },
    { id: 3, name: "Newsletter", color: "#79706E" },
  ]);
});

test("import takes the color of a new tag from a later record of the file", async (t) => {
  const { world } = await makeAcme(t);
  const others = Array.from({ length: 600 }, (_, index) => record(index + 10));
  const tags = [{ name: "A", color: "#FF0000" }, "B"];
  await importing(
    world,
    lines(record(1, { tags: ["A", "B"] }), ...others, record(2, { tags }), record(3, { tags })),
  );
  const { rows } = await run(world.databaseUrl, "tag list --organization 1 --json");
  const [a, b] = rows.map(({ color }) => color);
  assert.equal(a, "#FF0000");
  await importing(world, lines(record(4, { tags: [{ name: "B", color: "#00FF00" }] })));
  const later = await run(world.databaseUrl, "tag list --organization 1 --json");
  assert.equal(later.rows[1]?.color, b, "a tag of an earlier import keeps its colour");
});

test("import reads standard input from -", async (t) => {
  const { world } = await makeAcme(t);
  const argv = ["import", "--organization", "1", "-", "--json"];
  const found = counts(await run(world.databaseUrl, argv, { stdin: lines(record(1), record(2)) }));
  assert.deepEqual(found, [2, 0, 0]);
});

test("import reads several files in order, and a later file changes campaigns of an earlier one", async (t) => {
  const { world } = await makeAcme(t);
  const first = file(world, lines(record(1), record(2)), "first.ndjson");
  const second = file(world, "id,subject,sent_at\n2,Changed,2024-01-01\n3,New,2024-01-01\n", "second.csv");
  const argv = ["import", "--organization", "1", first, second, "--json"];
  assert.deepEqual(counts(await run(world.databaseUrl, argv)), [3, 1, 0]);
  assert.deepEqual(pick(await exported(world), "subject"), ["Campaign 1", "New", "Changed"]);
});
