// The command line in pipelines: input from a pipe and output to a pipe.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { company } from "../../src/counting/sample/company.ts";
import { demoCampaigns } from "../../src/counting/sample/reported-campaigns.ts";
import { exported, record } from "../support/import-files.ts";
import { start } from "../support/process.ts";
import { programPath } from "../support/program.ts";
import { campaign, makeAcme } from "../support/world.ts";

test("export exits 0 when the reader of its output exits", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, demoCampaigns(company, Date.UTC(2026, 0, 1)));
  for (const format of ["ndjson", "csv"]) {
    const argv = ["export", "--organization", "1", "--format", format];
    const program = start(t, argv, { DATABASE_URL: world.databaseUrl });
    await once(program.child.stdout, "data");
    program.child.stdout.destroy();
    assert.equal(await program.ended, 0);
    assert.equal(program.stderr(), "");
  }
});

test("export waits for a slow reader and loses nothing", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, demoCampaigns(company, Date.UTC(2026, 0, 1)));
  const program = start(t, ["export", "--organization", "1"], { DATABASE_URL: world.databaseUrl });
  program.child.stdout.pause();
  await once(program.child.stdout, "readable");
  await setTimeout(50);
  program.child.stdout.resume();
  assert.equal(await program.ended, 0);
  const ids = program
    .stdout()
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: number }).id);
  const expected = (await exported(world)).map(({ id }) => id);
  assert.deepEqual(ids, expected);
});

test("export can be piped into import of the same database", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.addOrganization({ name: "Copy" });
  await world.save(organization, demoCampaigns(company, Date.UTC(2026, 0, 1)));
  const environment = { DATABASE_URL: world.databaseUrl };
  const into = start(t, ["import", "--organization", "2", "-", "--json"], environment);
  const from = start(t, ["export", "--organization", "1", "--format", "csv"], environment);
  from.child.stdout.pipe(into.child.stdin);
  assert.deepEqual([await from.ended, await into.ended], [0, 0]);
  assert.equal(into.stdout(), '{"added":461,"changed":0,"unchanged":0,"warnings":[]}\n');
  assert.equal(into.stderr(), "");
  assert.deepEqual(await exported(world, 2), await exported(world, 1));
});

test("import that waits for its pipe does not block other writers", async (t) => {
  const { world, organization } = await makeAcme(t);
  for (const options of [["--dry-run"], []]) {
    const argv = ["import", "--organization", "1", ...options, "-"];
    const program = start(t, argv, { DATABASE_URL: world.databaseUrl, TMPDIR: world.folder });
    // More than the pipe buffers: once it is written, the program has read the first part and waits for the rest.
    const blanks = `${" ".repeat(999)}\n`.repeat(2_000);
    const first = `${JSON.stringify(record(1))}\n${blanks}`;
    await new Promise((resolve) => program.child.stdin.write(first, resolve));
    await world.save(organization, [campaign({ id: 2 })]);
    const found = readdirSync(world.folder).filter((name) => name.includes("import"));
    assert.deepEqual(found, [], "the temporary file has no name");
    program.child.stdin.end(`${JSON.stringify(record(3))}\n`);
    assert.equal(await program.ended, 0);
  }
  assert.deepEqual((await exported(world)).map(({ id }) => id).sort(), [1, 2, 3]);
});

test("export exits 1 with one line when standard output cannot be written", async (t) => {
  if (!existsSync("/dev/full")) return;
  const { world, organization } = await makeAcme(t);
  await world.save(organization, demoCampaigns(company, Date.UTC(2026, 0, 1)));
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [programPath, "export", "--organization", "1"], {
    env: { ...process.env, DATABASE_URL: world.databaseUrl },
    stdio: ["ignore", full, "pipe"],
  });
  let printed = "";
  child.stderr?.on("data", (text) => {
    printed += text;
  });
  const [code] = await once(child, "close");
  closeSync(full);
  assert.deepEqual([code, printed], [1, "error: standard output: ENOSPC: no space left on device, write\n"]);
});

test("import reads a page that arrives line by line", async (t) => {
  const { world } = await makeAcme(t);
  const program = start(t, ["import", "--organization", "1", "-"], { DATABASE_URL: world.databaseUrl });
  const lines = JSON.stringify({ emails: [record(1), record(2)] }, null, 2).split("\n");
  for (const line of lines.slice(0, 3)) {
    program.child.stdin.write(`${line}\n`);
    await setTimeout(20);
  }
  program.child.stdin.end(lines.slice(3).join("\n"));
  assert.equal(await program.ended, 0);
  assert.equal(program.stdout(), "Imported: 2 added, 0 changed, 0 unchanged.\n");
});
