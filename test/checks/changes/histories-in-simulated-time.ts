// Histories in simulated time, on services whose clocks differ.

import { Random } from "../../support/histories.ts";
import { type Cleanup, makeWorldOn, serve } from "../../support/world.ts";
import { SimulatedClock } from "./history-clocks.ts";
import { type Fault, faultOf } from "./planted-faults.ts";
import { describeFigures, type HistoryFigures, runHistory } from "./run-history.ts";
import { sendTo } from "./send.ts";

export interface Histories {
  count: number;
  firstSeed?: number;
  /** A fault, with which the check has to fail. */
  fault?: Fault;
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
