// A service process that must survive all faults of its database.

import assert from "node:assert/strict";
import { type RunningService, startService, stopService } from "../../support/service-process.ts";
import type { SteadyLoad } from "./steady-load.ts";

/**
 * Starts the service, does the work, waits for the load to end, and stops the service.
 *
 * @throws AssertionError if the process ended early, logged more than warnings, or does not return the numbers of the
 *   oracle
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
    throw new Error(`log of the service: ${service.stderr().slice(-5_000)}`, { cause: error });
  } finally {
    await stopService(service);
  }
  assert.equal(service.child.exitCode, 0);
  checkLog(service.stderr());
}

/** The process has not ended. */
function checkAlive({ child, stderr }: RunningService): void {
  assert.deepEqual([child.exitCode, child.signalCode], [null, null], stderr());
}

/** Only warnings are allowed; any other line is an unhandled error. */
function checkLog(stderr: string): void {
  const warning = 40;
  for (const line of stderr.split("\n").filter((each) => each !== "")) {
    assert.match(line, /^\{"level":\d+,/);
    assert.equal((JSON.parse(line) as { level: number }).level, warning, line);
  }
}
