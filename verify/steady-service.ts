// One process of the service that has to go on, whatever is done to its database.

import assert from "node:assert/strict";
import { type RunningService, startService, stopService } from "./service.ts";
import type { SteadyLoad } from "./steady-load.ts";

/**
 * Starts it, does the work, lets the load come to its end, and stops it.
 *
 * @throws AssertionError when it was not one and the same process all the time, when it had more to say than warnings, or
 *   when it does not show what the oracle says
 */
export async function withSteadyService(
  databaseUrl: string,
  load: SteadyLoad,
  work: (service: RunningService) => Promise<void>,
): Promise<void> {
  const service = await startService(databaseUrl);
  try {
    await work(service);
    await load.end();
    checkAlive(service);
    await load.check(service.url);
  } catch (error) {
    load.giveUp(error);
    throw new Error(`the service had said: ${service.stderr().slice(-5_000)}`, { cause: error });
  } finally {
    await stopService(service);
  }
  assert.equal(service.child.exitCode, 0);
  checkLog(service.stderr());
}

/** It is the process that was started. */
function checkAlive({ child, stderr }: RunningService): void {
  assert.deepEqual([child.exitCode, child.signalCode], [null, null], stderr());
}

/** Warnings are in order; anything else was not handled. */
function checkLog(stderr: string): void {
  const warning = 40;
  for (const line of stderr.split("\n").filter((each) => each !== "")) {
    assert.match(line, /^\{"level":\d+,/);
    assert.equal((JSON.parse(line) as { level: number }).level, warning, line);
  }
}
