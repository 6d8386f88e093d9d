// A PostgreSQL server that loses connections again and again, and commits in the middle, while events come in: the
// service goes on by itself, and what was acknowledged is counted once, for ever.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Random } from "../test/support/histories.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { run } from "../test/support/world.ts";
import { crash, killBackend, restart } from "./postgres-disturbances.ts";
import { type Cut, startResettingProxy } from "./resetting-proxy.ts";
import { SteadyLoad } from "./steady-load.ts";
import { withSteadyService } from "./steady-service.ts";

export interface PostgresKillsOptions {
  /** Backends of the service that are ended by an administrator. */
  kills: number;
  restarts: number;
  /** Connections that are reset in the middle of a commit. */
  resets: number;
  /** From the end of a disturbance until every organization has had a new request acknowledged. */
  recoveryMsMax: number;
  say: (line: string) => void;
}

/** In milliseconds: longer than work is begun again. */
const longAway = 12_000;

/** In turn; commits of writing twice as often. */
const cuts: readonly Cut[] = (["writing", "writing", "reading"] as const).flatMap((of) =>
  (["before", "during", "after"] as const).map((when) => ({ of, when })),
);

/** Something that is done to the database again and again. */
interface Disturbance {
  times: number;
  /** @returns what it was */
  disturb(number: number): Promise<string>;
  /** Whether clients may be answered 503 meanwhile. */
  isNoticed: boolean;
}

/**
 * @throws AssertionError when an acknowledged event is missing or any was counted twice, when the service does not go on
 *   by itself, or when anything was answered but 200 and 503
 */
export async function verifyPostgresKills(options: PostgresKillsOptions): Promise<void> {
  const { kills, restarts, resets, say } = options;
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
      disturb: () => killBackend(databaseUrl, { isBusy: random.chance(70) }),
      isNoticed: false,
    };
    const restarting = {
      times: restarts,
      disturb: (number: number) =>
        number % 4 === 1
          ? crash(databaseUrl)
          : restart(server, number % 5 === 4 ? longAway : random.between(0, 500)),
      isNoticed: true,
    };
    const resetting = {
      times: resets,
      async disturb(number: number) {
        const cut = cuts[number % cuts.length] as Cut;
        await proxy.cutNextCommit(cut);
        return `connection reset ${cut.when} the commit of a ${cut.of} transaction`;
      },
      isNoticed: false,
    };
    await withSteadyService(databaseUrl, load, async (service) => {
      await load.registerCampaigns(service.url);
      load.begin(service.url);
      await disturbAgainAndAgain(killing, load, options, random);
      await disturbAgainAndAgain(restarting, load, options, random);
    });
    await withSteadyService(proxiedUrl.href, load, async (service) => {
      load.begin(service.url);
      await disturbAgainAndAgain(resetting, load, options, random);
    });
    say(`each event is counted once: ${JSON.stringify(load.sums)}`);
    const recounted = await run(databaseUrl, ["recount"]);
    assert.equal(recounted.exitCode, 0, recounted.stderr);
    say(recounted.stderr.trim());
  } finally {
    await proxy.stop();
    await server.remove();
  }
}

async function disturbAgainAndAgain(
  { times, disturb, isNoticed }: Disturbance,
  load: SteadyLoad,
  { recoveryMsMax, say }: PostgresKillsOptions,
  random: Random,
): Promise<void> {
  const longest = new Map<string, { times: number; longestMs: number }>();
  for (let number = 0; number < times; number++) {
    await load.untilAcknowledged();
    await pause(random.between(0, 30));
    const what = await disturb(number);
    const ms = await load.untilAcknowledged();
    const before = longest.get(what) ?? { times: 0, longestMs: 0 };
    longest.set(what, { times: before.times + 1, longestMs: Math.max(before.longestMs, ms) });
    assert.ok(ms < recoveryMsMax, `${what}: nothing new was acknowledged for ${Math.round(ms)} ms`);
  }
  for (const [what, { times: count, longestMs }] of longest) {
    say(`${count} times: ${what}; acknowledged again after ${Math.round(longestMs)} ms at the latest`);
  }
  const figures = load.takeFigures();
  say(JSON.stringify(figures));
  // The service itself is there all the time.
  assert.equal(figures.cut, 0);
  if (!isNoticed) assert.deepEqual(figures.unavailable, {});
}
