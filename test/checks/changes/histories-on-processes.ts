// Histories in real time on two processes, many at once. One process is killed while they run: clients and senders go on
// with the other one.

import assert from "node:assert/strict";
import { Random } from "../../support/histories.ts";
import { startService, stopService } from "../../support/service-process.ts";
import { type Cleanup, makeWorldOn, region, serve } from "../../support/world.ts";
import type { Histories } from "./histories-in-simulated-time.ts";
import { clockMs, RealClock } from "./history-clocks.ts";
import { faultOf } from "./planted-faults.ts";
import { describeFigures, runHistory } from "./run-history.ts";
import { sendTo } from "./send.ts";

/** The clock of the other process is ahead. */
const aheadOfTime = `data:text/javascript,const now = Date.now; Date.now = () => now() + ${clockMs};`;

/**
 * Serves a new database in this process.
 *
 * @returns a function that starts the other process, runs histories at the same time, and kills that process when half of
 *   the passes are over; it throws an AssertionError that names the history in which a copy differs
 */
export async function startHistoriesOnProcesses(
  cleanup: Cleanup,
  databaseUrl: string,
): Promise<(histories: Histories) => Promise<string>> {
  const clock = new RealClock();
  const world = await makeWorldOn(cleanup, databaseUrl, clock);
  const own = await serve(cleanup, world, { now: () => clock.now });
  return async ({ count, firstSeed = 1, fault: name }) => {
    const fault = faultOf(name);
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
      seeds.map((seed) => runHistory({ world, clock, seed, fault, send, sendToReference: send, onHalf })),
    );
    assert.equal(other.child.signalCode, "SIGKILL", other.stderr());
    return describeFigures(done);
  };
}
