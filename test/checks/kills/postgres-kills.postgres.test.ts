// Terminates connections, restarts PostgreSQL and resets connections during commits while events arrive. The service
// recovers without a restart, and counts every acknowledged event once.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Random } from "../../support/histories.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { type Cut, startResettingProxy } from "../../support/resetting-proxy.ts";
import { type RunningService, startService, stopService } from "../../support/service-process.ts";
import { succeeds } from "../../support/world.ts";
import { crash, killBackend, restart } from "./postgres-faults.ts";
import { SteadyLoad } from "./steady-load.ts";

/** Connections that an administrator terminates. */
const kills = randomCases(1, 200);
const restarts = randomCases(1, 20);
/** Connections that are reset during a commit. */
const resets = randomCases(2, 500);
/**
 * From the end of a fault until every organization has a new acknowledged request. It depends on the load of the
 * computer.
 */
const maxRecoveryMs = isFullSize ? 5_000 : Number.POSITIVE_INFINITY;

/** In milliseconds: longer than the service retries. */
const longDowntimeMs = 12_000;

/** Take turns. Write transactions are cut twice as often. */
const cuts: readonly Cut[] = (["writing", "reading", "writing"] as const).flatMap((of) =>
  (["before", "during", "after"] as const).map((when) => ({ of, when })),
);
interface Fault {
  times: number;
  inject(number: number): Promise<string>;
  /** Whether clients may get 503 meanwhile. */
  mayCause503: boolean;
}

test("recovers from lost connections, crashes and lost commits, and counts every acknowledged event once", async () => {
  const random = new Random(kills + restarts + resets);
  const server = await startPostgres();
  const name = "verify";
  await server.query(`create database ${name}`);
  const databaseUrl = server.url(name);
  const proxy = await startResettingProxy(Number(new URL(databaseUrl).port));
  const proxiedUrl = new URL(databaseUrl);
  proxiedUrl.port = String(proxy.port);
  try {
    const load = await SteadyLoad.prepare(databaseUrl);
    const killing = {
      times: kills,
      inject: () => killBackend(databaseUrl, { isBusy: random.chance(70) }),
      mayCause503: false,
    };
    const restarting = {
      times: restarts,
      inject: (number: number) =>
        number % 4 === 1
          ? crash(databaseUrl)
          : restart(server, number % 5 === 4 ? longDowntimeMs : random.between(0, 500)),
      mayCause503: true,
    };
    const resetting = {
      times: resets,
      async inject(number: number) {
        const cut = cuts[number % cuts.length] as Cut;
        await proxy.cutNextCommit(cut);
        return `connection reset ${cut.when} the commit of a ${cut.of} transaction`;
      },
      mayCause503: false,
    };
    await withSteadyService(databaseUrl, load, async (service) => {
      await load.registerCampaigns(service.url);
      load.begin(() => service.url);
      await injectRepeatedly(killing, load, random);
      await injectRepeatedly(restarting, load, random);
    });
    await withSteadyService(proxiedUrl.href, load, async (service) => {
      load.begin(() => service.url);
      await injectRepeatedly(resetting, load, random);
    });
    report(`every event is counted once: ${JSON.stringify(load.sums)}`);
    report((await succeeds(databaseUrl, ["recount"])).stderr.trim());
  } finally {
    await proxy.stop();
    await server.remove();
  }
});

async function injectRepeatedly(
  { times, inject, mayCause503 }: Fault,
  load: SteadyLoad,
  random: Random,
): Promise<void> {
  const longest = new Map<string, { times: number; longestMs: number }>();
  for (let number = 0; number < times; number++) {
    await load.untilAcknowledged();
    await pause(random.between(0, 30));
    const what = await inject(number);
    const ms = await load.untilAcknowledged();
    const before = longest.get(what) ?? { times: 0, longestMs: 0 };
    longest.set(what, { times: before.times + 1, longestMs: Math.max(before.longestMs, ms) });
    assert.ok(ms < maxRecoveryMs, `${what}: no new acknowledgment for ${Math.round(ms)} ms`);
  }
  for (const [what, { times: count, longestMs }] of longest) {
    report(`${count} times: ${what}; recovered within ${Math.round(longestMs)} ms`);
  }
  const stats = load.takeStats();
  report(JSON.stringify(stats));
  // The service itself never goes down.
  assert.equal(stats.disconnected, 0);
  // On a busy computer, events wait too long without a fault.
  const others = Object.entries(stats.unavailable).filter(([what]) => !what.includes("waiting too long"));
  if (!mayCause503) assert.deepEqual(others, []);
}

/**
 * Starts the service, does the work, waits for the load to end, and stops the service.
 *
 * @throws AssertionError if the process ended early, logged more than warnings, or does not return the numbers of the
 *   oracle
 */
async function withSteadyService(
  databaseUrl: string,
  load: SteadyLoad,
  work: (service: RunningService) => Promise<void>,
): Promise<void> {
  const service = await startService(databaseUrl);
  try {
    await work(service);
    await load.end();
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null]);
    await load.check();
  } catch (error) {
    load.giveUp(error);
    throw new Error(`log of the service: ${service.stderr().slice(-5_000)}`, { cause: error });
  } finally {
    await stopService(service);
  }
  assert.equal(service.child.exitCode, 0);
  checkLog(service.stderr());
}

/** Only warnings are allowed; any other line is an unhandled error. */
function checkLog(stderr: string): void {
  const warning = 40;
  for (const line of stderr.split("\n").filter((each) => each !== "")) {
    assert.match(line, /^\{"level":\d+,/);
    assert.equal((JSON.parse(line) as { level: number }).level, warning, line);
  }
}
