// Imports of events that are killed, run twice at the same time, or exceed the quarantine.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { click, countRows, open, opens } from "../../support/events.ts";
import { exported, file, lines } from "../../support/import-files.ts";
import { start } from "../../support/process.ts";
import { quarantinedBytes } from "../../support/serve-sender.ts";
import { checkFile } from "../../support/stored-bytes.ts";
import { makeAcme, region, run, type World } from "../../support/world.ts";

const argv = (...files: string[]) => ["import", "--events", "--organization", "1", "--json", ...files];

interface Summary {
  accepted: number;
  repeated: number;
  quarantined: number;
}

/** Campaigns 1 and 2, and a file in which their events alternate. */
async function ready(t: TestContext, count: number) {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.register(organization, 2, { tracking_type: "Anonymous" });
  const events = Array.from({ length: count }, (_, index) =>
    (index % 3 ? open : click)(index, {
      campaign_id: 1 + (index % 2),
      recipient: `person-${index % (count / 4)}@example.com`,
    }),
  );
  return { world, organization, path: file(world, lines(...events), "events.ndjson") };
}

const numbers = async (world: World) =>
  (await exported(world)).map(({ id, unique_opens, total_opens, total_clicks }) => [
    id,
    unique_opens,
    total_opens,
    total_clicks,
  ]);

/** Campaigns 1 and 2, and this many events, of which a killed import has written some. */
async function importKilled(t: TestContext, count: number) {
  for (;;) {
    const { world, path } = await ready(t, count);
    const program = start(t, argv(path), { DATABASE_URL: world.databaseUrl });
    // Kill after the first commit.
    while ((await countRows(world, "event_ids"))[0] === 0) await pause(2);
    program.child.kill("SIGKILL");
    // The import may have finished before the kill: then try again.
    if ((await program.ended) !== "SIGKILL") assert.equal(await program.ended, 0, program.stderr());
    const [kept = 0] = await countRows(world, "event_ids");
    if (kept < count) return { world, path, kept };
  }
}

test("a killed import of events can be repeated, and the numbers are the same", async (t) => {
  const count = 24_000;
  const { world, path, kept } = await importKilled(t, count);
  checkFile(world);
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);

  const { rows } = await run(world.databaseUrl, argv(path));
  assert.deepEqual(rows, [{ accepted: count - kept, repeated: kept, quarantined: 0, problems: {} }]);
  // Of 3,000 recipients in each campaign, 2,000 open and 1,000 click, four times. A click implies one open.
  assert.deepEqual(await numbers(world), [
    [2, 3_000, 9_000, 4_000],
    [1, 3_000, 9_000, 4_000],
  ]);
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);
});

test("two processes that import the same file at the same time count each event once", async (t) => {
  const count = 12_000;
  const { world, path } = await ready(t, count);
  const programs = [1, 2].map(() => start(t, argv(path), { DATABASE_URL: world.databaseUrl }));
  assert.deepEqual(await Promise.all(programs.map(({ ended }) => ended)), [0, 0]);
  const summaries = programs.map((program) => JSON.parse(program.stdout()) as Summary);
  const sum = (name: keyof Summary) => summaries.reduce((total, summary) => total + summary[name], 0);
  assert.deepEqual([sum("accepted"), sum("repeated"), sum("quarantined")], [count, count, 0]);
  assert.deepEqual(
    (await numbers(world)).map(([id, uniqueOpens]) => [id, uniqueOpens]),
    [
      [2, 1_500],
      [1, 1_500],
    ],
  );
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);
});

test("a campaign that is registered while its events are imported counts all of them", async (t) => {
  const { world, organization } = await ready(t, 4);
  const path = file(world, lines(...opens(15_000, { campaign_id: 3 })), "early.ndjson");
  const program = start(t, argv(path), { DATABASE_URL: world.databaseUrl });
  while ((await countRows(world, "quarantine"))[0] === 0) await pause(2);
  await world.register(organization, 3);
  assert.equal(await program.ended, 0);
  assert.equal((await exported(world)).find(({ id }) => id === 3)?.unique_opens, 15_000);
  assert.deepEqual(await countRows(world, "quarantine"), [0]);
});

/** With this limit of the quarantine. */
const withQuarantine = (world: World, maxQuarantineBytes: number) => ({
  environment: {
    DATABASE_URL: world.databaseUrl,
    REGION: region,
    QUARANTINE_BYTES: String(maxQuarantineBytes),
  },
});

test("import --events counts the other events and exits 1 when the quarantine is full", async (t) => {
  const { world, organization } = await ready(t, 4);
  const stdin = lines(...opens(4, { campaign_id: 7 }), ...opens(2));
  const refused = await run(world.databaseUrl, argv("-"), {
    stdin,
    ...withQuarantine(world, 3 * quarantinedBytes),
  });
  assert.equal(refused.exitCode, 1);
  assert.deepEqual(refused.rows, [
    { accepted: 2, repeated: 0, quarantined: 0, problems: { unknown_campaign: 4 } },
  ]);
  const message =
    "error: 4 events refused, because the quarantine is full (QUARANTINE_BYTES); register the campaigns or discard quarantined events, then import the file again\n";
  assert.equal(refused.stderr, message);
  assert.deepEqual(await countRows(world, "quarantine"), [0]);

  await world.register(organization, 7);
  const again = await run(world.databaseUrl, argv("-"), {
    stdin,
    ...withQuarantine(world, 3 * quarantinedBytes),
  });
  const expected = [0, [{ accepted: 4, repeated: 2, quarantined: 0, problems: {} }]];
  assert.deepEqual([again.exitCode, again.rows], expected);
});
