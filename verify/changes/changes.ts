// Compares copies that clients keep by reading changes with what the service shows, over random histories: writers change
// campaigns between any two pages, and the clocks of the processes differ.

import assert from "node:assert/strict";
import { Random } from "../../test/support/histories.ts";
import {
  type Cleanup,
  makeWorldOn,
  present,
  type Service,
  serve,
  type World,
} from "../../test/support/world.ts";
import { type ChangesPage, type Copy, CopyingClient } from "./copying-client.ts";
import { type Fault, faultOf, type PlantedFault } from "./planted-faults.ts";
import { type ChangingOrganization, makeRandomChange } from "./random-change.ts";

const passes = 6;
const perPage = 3;
/** So much that every campaign is sent. */
const longMs = 200;
/** By how much clocks of processes differ. */
const clockMs = 2;

export interface Histories {
  count: number;
  firstSeed?: number;
  /** A fault, with which the check has to fail. */
  fault?: Fault;
}

interface Services {
  world: World;
  /** Two processes, each with a clock of its own. */
  services: readonly Service[];
  /** With the exact time. */
  exact: Service;
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
  try {
    const run = await startHistories({ after: (step) => void steps.unshift(step) }, databaseUrl);
    print(await run({ count }));
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
  const world = await makeWorldOn(cleanup, databaseUrl);
  const random = new Random(0);
  let isClockStopped = false;
  const now = () => (isClockStopped ? present : world.clock.now + random.between(-clockMs, clockMs));
  const services: Services = {
    world,
    services: [await serve(cleanup, world, { now }), await serve(cleanup, world, { now })],
    exact: await serve(cleanup, world),
  };
  return async ({ count, firstSeed = 1, fault: name }) => {
    const fault = faultOf(name);
    isClockStopped = fault.isClockStopped === true;
    const total = { changes: 0, received: 0, comparisons: 0 };
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const done = await runHistory(services, seed, fault);
      for (const figure of ["changes", "received", "comparisons"] as const) total[figure] += done[figure];
    }
    return `${count} histories with ${total.changes} changes: ${total.received} changed records received, ${total.comparisons} copies equal what the service shows`;
  };
}

async function runHistory(services: Services, seed: number, fault: PlantedFault) {
  const { world, exact } = services;
  const random = new Random(seed);
  const { organization, key } = await world.addOrganization();
  const state = { changes: 0, sendTimes: new Set<number>(), openIds: new Set<number>() };
  const changing: ChangingOrganization = { world, organization, random, ...state };
  const client = new CopyingClient((query) => readPage(random.pick(services.services), key, query), perPage);
  await changeAndRead(changing, client, fault);
  let comparisons = 0;
  const compare = async () => {
    await client.readAll();
    const isNear = (time: number) => Math.abs(time - world.clock.now) <= clockMs;
    // The clock decides whether such a campaign is sent.
    if ([...changing.sendTimes].some(isNear)) return;
    comparisons += 1;
    await assertEqualsService(client.copy, exact, key, `history ${seed}`);
  };
  world.clock.now += 5;
  await compare();
  world.clock.now += longMs;
  await compare();
  return { changes: changing.changes, received: client.received, comparisons };
}

/** Reads all changes several times, while writers change campaigns before each pass and between its pages. */
async function changeAndRead(changing: ChangingOrganization, client: CopyingClient, fault: PlantedFault) {
  const { world, organization, random } = changing;
  const change = async () => {
    await makeRandomChange(changing);
    await fault.afterChange?.(world.database, organization.id);
  };
  const betweenPages = async () => {
    if (fault.changeCursor) client.cursor = fault.changeCursor(client.cursor ?? "", organization.id);
    for (let count = random.between(0, 3); count > 0; count--) {
      if (random.chance(33)) world.clock.now += random.between(0, 3);
      await change();
    }
  };
  for (let pass = 0; pass < passes; pass++) {
    for (let count = random.between(0, 7); count > 0; count--) {
      await change();
      if (random.chance(33)) world.clock.now += random.between(0, 9);
    }
    await client.readAll(betweenPages);
    world.clock.now += random.between(0, 29);
  }
}

async function readPage(service: Service, key: string, query: string): Promise<ChangesPage> {
  const response = await fetch(`${service.url}/data_api/v1/emails/changes${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as ChangesPage;
}

/** A copy has the campaigns and the tags that pages of emails show, and the records of a new client. */
async function assertEqualsService(copy: Copy, service: Service, key: string, name: string): Promise<void> {
  const fresh = new CopyingClient((query) => readPage(service, key, query), 100);
  await fresh.readAll();
  const byId = (records: Copy) => new Map([...records].sort(([a], [b]) => a - b));
  assert.deepEqual(byId(copy), byId(fresh.copy), name);
  const { emails } = await service.emails(key, "?per_page=100");
  const shown = (records: Iterable<Record<string, unknown>>) =>
    [...records]
      .map(({ id, subject, tags, total_opens }) => JSON.stringify([id, subject, tags, total_opens]))
      .sort();
  assert.deepEqual(shown(copy.values()), shown(emails), name);
}
