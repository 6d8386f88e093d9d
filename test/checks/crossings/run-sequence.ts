// Runs a random sequence of operations, and shortens one that fails.

import assert from "node:assert/strict";
import { Random } from "../../support/histories.ts";
import { type Cleanup, makeDatabase, present } from "../../support/world.ts";
import { campaignOperations } from "./campaign-operations.ts";
import { correctionOperations } from "./correction-operations.ts";
import { Crossing } from "./crossing.ts";
import { eventOperations } from "./event-operations.ts";
import { importOperations } from "./import-operations.ts";
import type { Operation } from "./operation.ts";
import type { PlantedFault } from "./planted-faults.ts";
import { checkReaders } from "./readers.ts";
import { settingsOperations } from "./settings-operations.ts";
import { openStage, type Stage } from "./stage.ts";
import { upkeepOperations } from "./upkeep-operations.ts";

export const operations: Record<string, Operation> = {
  ...campaignOperations,
  ...correctionOperations,
  ...importOperations,
  ...eventOperations,
  ...settingsOperations,
  ...upkeepOperations,
};

/** An operation, and the seed of its choices: `put:17`. A sequence is a list of them, so that it can be shortened. */
type Step = string;
interface Ran {
  log: string[];
  done: Set<string>;
  failure: Error | undefined;
}

/** Some are more frequent, because others need them. */
const frequent = [
  ...["put", "put", "put", "registerWithoutId", "sendEvents", "sendEvents", "deleteOnPage", "share"],
  ...["upload", "importFile", "importNow", "importNow", "importNow", "undo", "undo", "undo", "makeMessages"],
  ...["loadPixel", "readChanges", "readChanges", "readChanges"],
];

const checkEvery = 6;

export function makeSequence(seed: number): Step[] {
  const random = new Random(seed);
  const names = [...Object.keys(operations), ...frequent];
  return Array.from(
    { length: random.between(15, 30) },
    () => `${random.pick(names)}:${random.between(1, 99_999)}`,
  );
}

/** @param options.cleanup only if the sequence may leave its database */
export async function runSequence(
  steps: readonly Step[],
  stage: Stage,
  { cleanup, spoil }: { cleanup?: Cleanup; spoil?: PlantedFault["spoil"] } = {},
): Promise<Ran> {
  const { world } = stage;
  world.clock.now = present;
  const crossing = new Crossing(stage, new Random(0), await world.addOrganization(), cleanup);
  const ran: Ran = { log: [], done: new Set(), failure: undefined };
  try {
    await crossing.signIn();
    for (const [index, step] of steps.entries()) {
      const [name = "", dice] = step.split(":");
      crossing.random = new Random(Number(dice));
      const did = await operations[name]?.(crossing);
      if (did !== undefined) {
        ran.done.add(name);
        ran.log.push(`${step}  ${did}`);
      }
      await spoil?.(crossing);
      if (index % checkEvery === checkEvery - 1) await checkReaders(crossing);
    }
    await operations.nightlyPut?.(crossing);
    await checkReaders(crossing);
    await crossing.recount();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    ran.failure = error;
  }
  return ran;
}

/** Sequences with a database of their own open a stage each. */
export async function runAlone(steps: readonly Step[]): Promise<Ran> {
  const cleanups: (() => unknown)[] = [];
  const cleanup: Cleanup = { after: (step) => cleanups.unshift(step) };
  try {
    const stage = await openStage(await makeDatabase(cleanup), { now: present });
    cleanup.after(() => stage.close());
    return await runSequence(steps, stage, { cleanup });
  } finally {
    for (const step of cleanups) await step();
  }
}

const maxAttempts = 120;

/** Leaves out what the failure does not need: parts of the sequence, from halves to single steps. */
export async function shorten(
  steps: readonly Step[],
  run: (steps: readonly Step[]) => Promise<Ran>,
): Promise<{ steps: readonly Step[]; ran: Ran }> {
  let shortest = { steps, ran: await run(steps) };
  assert.ok(shortest.ran.failure, "the failure does not happen again");
  const kind = kindOf(shortest.ran.failure);
  let attempts = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < shortest.steps.length && attempts < maxAttempts; ) {
      const fewer = shortest.steps.toSpliced(start, size);
      attempts += 1;
      const ran = await run(fewer);
      if (ran.failure && kindOf(ran.failure) === kind) shortest = { steps: fewer, ran };
      else start += size;
    }
  }
  return shortest;
}

/** Of failures: their first line without numbers. */
const kindOf = ({ message }: Error) => (message.split("\n")[0] ?? "").replaceAll(/\d+/g, "0").slice(0, 60);

export function describeFailure(seed: number, { steps, ran }: { steps: readonly Step[]; ran: Ran }): string {
  return [
    `sequence ${seed} fails: ${ran.failure?.message}`,
    ...ran.log.map((line) => `  ${line}`),
    `To run it again: CROSSING="${steps.join(" ")}"`,
    String(ran.failure?.stack),
  ].join("\n");
}
