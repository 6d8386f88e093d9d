// `pull --every`: goes on after failures that may pass, and ends with those that will not.

import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { pulling, startHosted, status } from "../../support/hosted-service.ts";
import { emptyWorld, exported, record } from "../../support/import-files.ts";

test("pull --every pulls again after the time, and goes on after a failure that may pass", async (t) => {
  const world = await emptyWorld(t);
  const hosted = await startHosted(t, [record(1, { sent_at: "Jan 1, 2024 9:00 AM" })]);
  hosted.faults = [status(404)];
  const startedAt = world.clock.now;
  const stop = Promise.withResolvers<void>();
  const times: number[] = [];
  hosted.faults.push(
    () => {
      times.push(world.clock.now - startedAt);
      hosted.campaigns = [...hosted.campaigns, record(2, { sent_at: "Jan 1, 2024 8:00 AM" })];
      return false;
    },
    () => false,
    () => {
      times.push(world.clock.now - startedAt);
      stop.resolve();
      return false;
    },
  );
  const { exitCode, stdout, stderr } = await pulling(world, hosted.url, ["--every", "6h"], {
    untilStopped: () => stop.promise,
  });
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(times, [6 * 3_600_000, 12 * 3_600_000]);
  assert.match(stderr, /^error: .* status 404: .*\nThe next pull is at 2026-06-15T18:00:00Z\.$/m);
  assert.match(stdout, /^Pulled: 2 added, 0 changed, 0 unchanged\.\n/);
  assert.equal((await exported(world)).length, 2);
});

test("pull --prune does not rewrite the SQLite file", async (t) => {
  const world = await emptyWorld(t);
  const hosted = await startHosted(
    t,
    [1, 2].map((id) => record(id, { sent_at: "Jan 1, 2024 9:00 AM" })),
  );
  assert.equal((await pulling(world, hosted.url)).exitCode, 0);
  hosted.campaigns.pop();
  // SQLite changes this version when it rewrites the file.
  const version = () =>
    world.database.query(async (queries) => (await sql`pragma schema_version`.execute(queries)).rows);
  const before = await version();
  const { rows } = await pulling(world, hosted.url, ["--prune", "--prune-many", "--yes", "--json"]);
  assert.equal(rows[0]?.deleted, 1);
  assert.deepEqual(await version(), before);
});

test("pull --every ends when the key is rejected", async (t) => {
  const world = await emptyWorld(t);
  const hosted = await startHosted(t);
  const { exitCode, stderr } = await pulling(world, hosted.url, ["--every", "6h"], { key: "wrong" });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^error: The hosted service rejects the key\./m);
  assert.equal(hosted.requests.length, 1);
});

test("pull rejects wrong options, and never repeats a key of the command line", async (t) => {
  const world = await emptyWorld(t);
  const url = "https://www.example.com";
  for (const [argv, says] of [
    [
      ["--key", "hunter2"],
      /^error: --key: the process list would show the key; use --key - and standard input/m,
    ],
    [["--every", "10"], /It is a number with m, h or d, from 1m to 7d\./],
    [["--every", "8d"], /It is a number with m, h or d, from 1m to 7d\./],
    [["--last-days", "0"], /It is a whole number from 1 to 36500\./],
    [["--sent-after", "yesterday"], /Use YYYY-MM-DD, /],
    [["--from", "https://user:hunter2@www.example.com"], /It is an https URL without credentials/],
    [["--from", "ftp://www.example.com"], /It is an https URL without credentials/],
  ] as const) {
    const { exitCode, stdout, stderr } = await pulling(world, url, [...argv]);
    assert.equal(exitCode, 2, argv.join(" "));
    assert.match(stderr, says);
    if (argv[0] === "--key") assert.doesNotMatch(stdout + stderr, /hunter2/);
  }
  const without = await pulling(world, url, [], { key: "" });
  assert.equal(without.exitCode, 2);
  assert.match(without.stderr, /^error: no API key of the hosted service; use --key - /m);
});
