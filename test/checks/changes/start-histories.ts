// Runs histories in simulated time, on services whose clocks differ, or in real time on two processes.

import assert from "node:assert/strict";
import { Random } from "../../support/histories.ts";
import { startService, stopService } from "../../support/service-process.ts";
import { type Cleanup, makeWorldOn, region, serve } from "../../support/world.ts";
import { clockMs, RealClock, SimulatedClock } from "./history-clocks.ts";
import type { PlantedFault } from "./planted-faults.ts";
import { describeFigures, type HistoryFigures, runHistory } from "./run-history.ts";
import { sendTo } from "./send.ts";

interface Histories {
  count: number;
  firstSeed?: number;
  /** With which the check has to fail. */
  fault?: PlantedFault;
}

/** @throws AssertionError that names the history in which a copy differs */
type RunHistories = (histories: Histories) => Promise<string>;
export async function startHistories(cleanup: Cleanup, databaseUrl: string): Promise<RunHistories> {
  const clock = new SimulatedClock();
  const world = await makeWorldOn(cleanup, databaseUrl, clock);
  const random = new Random(0);
  const now = () => clock.now;
  const services = [await serve(cleanup, world, { now }), await serve(cleanup, world, { now })];
  const reference = await serve(cleanup, world, { now: () => clock.exact });
  const send = sendTo(() => random.pick(services).url);
  const sendToReference = sendTo(() => reference.url);
  return async ({ count, firstSeed = 1, fault = {} }) => {
    const done: HistoryFigures[] = [];
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      done.push(await runHistory({ world, clock, seed, fault, send, sendToReference }));
    }
    return describeFigures(done);
  };
}

/** The clock of the other process is ahead. */
const aheadOfTime = `data:text/javascript,const now = Date.now; Date.now = () => now() + ${clockMs};`;

/**
 * Serves a new database in this process.
 *
 * @returns a function that starts another process, runs histories at the same time, and kills that process when half of the
 *   passes are over: clients and senders go on with this one
 */
export async function startHistoriesOnProcesses(
  cleanup: Cleanup,
  databaseUrl: string,
): Promise<RunHistories> {
  const clock = new RealClock();
  const world = await makeWorldOn(cleanup, databaseUrl, clock);
  const own = await serve(cleanup, world, { now: () => clock.now });
  return async ({ count, firstSeed = 1 }) => {
    const other = await startService(databaseUrl, {
      command: [process.execPath, "--import", aheadOfTime],
      environment: { REGION: region },
    });
    cleanup.after(() => stopService(other, "SIGKILL"));
    const random = new Random(firstSeed);
    const urls = [own.url, other.url];
    const send = sendTo(() => random.pick(urls));
    let halves = 0;
    const onHalf = () => {
      halves += 1;
      if (halves !== Math.ceil(count / 2)) return;
      other.child.kill("SIGKILL");
      void other.ended.then(() => urls.pop());
    };
    const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
    const done = await Promise.all(
      seeds.map((seed) => runHistory({ world, clock, seed, fault: {}, send, sendToReference: send, onHalf })),
    );
    assert.equal(other.child.signalCode, "SIGKILL", other.stderr());
    return describeFigures(done);
  };
}
