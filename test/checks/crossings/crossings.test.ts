// Crossings: what a number, a link or an import means after something else happened. Random sequences of what
// admins, senders, imports and upkeep do, on two servers with one database. After every few steps all readers equal each
// other and a plain model. A failure prints its sequence, shortened: CROSSING="…" runs it again,
// and CROSSING_SEED=17 begins with another sequence.

import assert from "node:assert/strict";
import test from "node:test";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeDatabase, present } from "../../support/world.ts";
import { plantedFaults } from "./planted-faults.ts";
import { describeFailure, makeSequence, operations, runAlone, runSequence, shorten } from "./run-sequence.ts";
import { openStage } from "./stage.ts";

const given = process.env.CROSSING?.split(" ");
const firstSeed = Number(process.env.CROSSING_SEED ?? 1);
/** PostgreSQL takes longer for each. */
const sequences = randomCases(4, process.env.TEST_DATABASE_URL ? 600 : 1_400);
/** Sequences that share a database. */
const perStage = 100;
/** In full, every so many may leave their database. */
const aloneEvery = 20;

test("all readers equal a plain model, whatever crosses", async (t) => {
  const done = new Map<string, number>();
  const failures: string[] = [];
  let stage = await openStage(await makeDatabase(t), { now: present });
  t.after(() => stage.close());
  for (let seed = firstSeed; seed < firstSeed + (given ? 1 : sequences); seed++) {
    if (seed % perStage === 0) {
      await stage.close();
      stage = await openStage(await makeDatabase(t), { now: present });
    }
    const steps = given ?? makeSequence(seed);
    const isAlone =
      given?.some((step) => step.startsWith("moveDatabase")) || (isFullSize && seed % aloneEvery === 0);
    const run = isAlone ? runAlone : (some: readonly string[]) => runSequence(some, stage);
    const ran = await run(steps);
    for (const name of ran.done) done.set(name, (done.get(name) ?? 0) + 1);
    if (!ran.failure) continue;
    failures.push(describeFailure(seed, given ? { steps, ran } : await shorten(steps, run)));
    if (!isFullSize) break;
    report(failures.at(-1) ?? "");
  }
  const unused = Object.keys(operations).filter((name) => !done.has(name));
  report(`${sequences} sequences of ${done.size} kinds of operations, ${failures.length} failing`);
  report(`in so many sequences: ${JSON.stringify(Object.fromEntries(done))}; never: ${unused.join()}`);
  assert.equal(failures.length, 0, failures.join("\n\n"));
});

sqliteTest("the crossings find planted faults of changes", async (t) => {
  const stage = await openStage(await makeDatabase(t), { now: present });
  t.after(() => stage.close());
  for (const [fault, { steps, spoil }] of Object.entries(plantedFaults)) {
    assert.equal((await runSequence(steps, stage)).failure, undefined, fault);
    const { failure } = await runSequence(steps, stage, { spoil });
    assert.match(String(failure), /a copy by changes|a cursor is refused/, fault);
  }
});
