// Compares copies that clients keep by reading changes with what the service shows, over random histories: first on two
// processes of which one is killed, then in simulated time with clocks that differ.

import { Random } from "../../test/support/histories.ts";
import { type Cleanup, makeWorldOn, serve } from "../../test/support/world.ts";
import { startHistoriesOnProcesses } from "./histories-on-processes.ts";
import { SimulatedClock } from "./history-clocks.ts";
import { type Fault, faultOf } from "./planted-faults.ts";
import { describeFigures, type HistoryFigures, runHistory } from "./run-history.ts";
import { sendTo } from "./send.ts";

const historiesPerKill = 50;

export interface Histories {
  count: number;
  firstSeed?: number;
  /** A fault, with which the check has to fail. */
  fault?: Fault;
}

interface ChangesOptions {
  /** A new database. */
  databaseUrl: string;
  histories: number;
  print: (line: string) => void;
}

/** @throws AssertionError that names the history in which a copy differs */
export async function verifyChanges({ databaseUrl, histories: count, print }: ChangesOptions): Promise<void> {
  const steps: (() => unknown)[] = [];
  const cleanup: Cleanup = { after: (step) => void steps.unshift(step) };
  try {
    const runOnProcesses = await startHistoriesOnProcesses(cleanup, databaseUrl);
    for (let first = 1; first <= count; first += historiesPerKill) {
      const group = { count: Math.min(historiesPerKill, count + 1 - first), firstSeed: first };
      print(`with a killed process: ${await runOnProcesses(group)}`);
    }
    const run = await startHistories(cleanup, databaseUrl);
    print(`in simulated time: ${await run({ count: Math.ceil(count / 4) })}`);
  } finally {
    for (const step of steps) await step();
  }
}

/**
 * Starts services on a new database.
 *
 * @returns a function that runs histories, and throws an AssertionError that names the one in which a copy differs
 */
export async function startHistories(
  cleanup: Cleanup,
  databaseUrl: string,
): Promise<(histories: Histories) => Promise<string>> {
  const clock = new SimulatedClock();
  const world = await makeWorldOn(cleanup, databaseUrl, clock);
  const random = new Random(0);
  const now = () => clock.now;
  const services = [await serve(cleanup, world, { now }), await serve(cleanup, world, { now })];
  const reference = await serve(cleanup, world, { now: () => clock.exact });
  return async ({ count, firstSeed = 1, fault: name }) => {
    const fault = faultOf(name);
    const send = sendTo(() => random.pick(services).url);
    const sendToReference = sendTo(() => reference.url);
    const done: HistoryFigures[] = [];
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      done.push(await runHistory({ world, clock, seed, fault, send, sendToReference }));
    }
    return describeFigures(done);
  };
}
