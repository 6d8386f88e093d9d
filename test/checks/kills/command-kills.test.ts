// Kills commands that write, at random moments. The database then opens and has no damage, holds all of the command's work,
// whole batches of it or nothing, and the same command finishes the work.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { damageOf } from "../../support/doctor.ts";
import { askAs } from "../../support/guest-role.ts";
import { Random } from "../../support/histories.ts";
import { programPath } from "../../support/program.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { makeDatabase, makeFolder } from "../../support/world.ts";
import { finishes, type InterruptedCommand, makeInterruptedCommands } from "./interrupted-commands.ts";

/** Of each command. */
const kills = randomCases(1, 8);
/** Records that the commands handle; five times as many events. */
const rows = randomCases(40, 4_000);

/** States of the database without the command's work, and with all of it. */
interface States {
  before: unknown;
  after: unknown;
}

// On PostgreSQL only in full: the commands start many processes and databases.
if (isFullSize || !process.env.TEST_DATABASE_URL) {
  test("a killed command leaves all of its work or nothing, and can be repeated", async (t) => {
    const random = new Random(kills);
    const newDatabase = () => makeDatabase(t, { isEmpty: true });
    const startMs = await timeStart();
    for (const command of await makeInterruptedCommands({ folder: makeFolder(t), rows, newDatabase })) {
      const { workMs, ...states } = await runOnce(command);
      const outcomes: Record<string, number> = {};
      for (let kill = 0; kill < kills; kill++) {
        const afterMs = random.between(Math.ceil(startMs / 2), Math.ceil(startMs + workMs));
        const outcome = await killAndRepeat(command, states, afterMs);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
      report(
        `${command.name}: ${kills} kills left ${JSON.stringify(outcomes)}; repeating it finished the work`,
      );
    }
  });
}
async function runOnce({ prepare, argv, stateOf }: InterruptedCommand): Promise<States & { workMs: number }> {
  const databaseUrl = await prepare();
  const before = await stateOf(databaseUrl);
  const started = performance.now();
  await finishes(databaseUrl, argv);
  return { workMs: performance.now() - started, before, after: await stateOf(databaseUrl) };
}

/** @returns which part of the work was done */
async function killAndRepeat(command: InterruptedCommand, states: States, afterMs: number): Promise<string> {
  const { prepare, argv, stateOf, repeat, isDoneInBatches } = command;
  const databaseUrl = await prepare();
  await runAndKill(databaseUrl, argv, afterMs);
  const [damage] = await damageOf(databaseUrl);
  // The command may have been killed before it created the database.
  if (damage) assert.match(damage, /^there is no .*database/);
  const left = JSON.stringify(await stateOf(databaseUrl));
  const wasDone = left === JSON.stringify(states.after);
  if (!isDoneInBatches)
    assert.ok(wasDone || left === JSON.stringify(states.before), "part of the work was done");
  const outcome = await repeat(databaseUrl, wasDone);
  assert.deepEqual(await stateOf(databaseUrl), states.after);
  assert.deepEqual(await damageOf(databaseUrl), []);
  return outcome;
}

async function runAndKill(databaseUrl: string, argv: readonly string[], afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [programPath, ...argv], {
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await Promise.race([ended, pause(afterMs)]);
  child.kill("SIGKILL");
  await ended;
  if (!sqlitePath(databaseUrl)) await untilDisconnected(databaseUrl);
}

/** PostgreSQL may still commit for a client that was killed. */
async function untilDisconnected(databaseUrl: string): Promise<void> {
  const others = `select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'email-analytics'`;
  while ((await askAs(databaseUrl, others)).length > 0) await pause(10);
}

/** How long the program takes to start, in milliseconds. */
async function timeStart(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, [programPath, "--version"], { stdio: "ignore" }), "exit");
  return performance.now() - started;
}
