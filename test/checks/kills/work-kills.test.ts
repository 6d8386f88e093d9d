// Kills the service in the middle of large work of an organization: imports, undoing, lists and directories. Each is then done
// wholly or not at all, by the next process. In full, ten times each with the largest size that is permitted.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { checkDatabase } from "../../../src/counting/integrity/check-database.ts";
import { recountCampaign } from "../../../src/counting/tallies/recount.ts";
import { countDirectory } from "../../../src/storage/audience/directory.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { Random } from "../../support/histories.ts";
import { groupsOfList, LargeWork, largeList, untilSettled } from "../../support/large-work.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import {
  makeOrganization,
  registerCampaigns,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeWorld } from "../../support/world.ts";

const sizes = isFullSize
  ? { campaigns: 50_000, recipients: 200_000, kills: 10 }
  : { campaigns: 700, recipients: 1_000, kills: 1 };
const id = 900_001;

const onDatabases = isFullSize ? test : sqliteTest;

onDatabases("a process that is killed during large work leaves all of it or nothing", async (t) => {
  const world = await makeWorld(t);
  const { database, databaseUrl } = world;
  const keys = await makeOrganization(databaseUrl);
  const work = await LargeWork.start(database, await startService(databaseUrl), keys);
  t.after(() => stopService(work.service));
  await registerCampaigns(work.service.url, keys.ingest, 1, id);
  const read = database.queryOf.bind(database, keys.organizationId);

  const groups = () => groupsOfList(database, keys.organizationId, id);
  const directory = () =>
    read(async (scope) => {
      const { directoryVersion } = (await findOrganization(scope)) as Organization;
      return `${directoryVersion} with ${await countDirectory(scope, { directoryVersion })}`;
    });
  const random = new Random(7);
  /** @returns whether the work was done */
  const killed = async <State>(
    name: string,
    { ms, run, state }: { ms: number; run: () => Promise<unknown>; state: () => Promise<State> },
  ): Promise<boolean> => {
    const before = await state();
    const running = run().catch(() => undefined);
    const waitMs = random.between(0, Math.round(ms));
    await pause(waitMs);
    await stopService(work.service, "SIGKILL");
    work.service = await startService(databaseUrl);
    await running;
    await untilSettled(database, keys.organizationId);
    const isDone = (await state()) !== before;
    report(`${name}, killed after ${waitMs} of ${Math.round(ms)} ms: ${isDone ? "all" : "nothing"}`);
    return isDone;
  };
  const timed = async (run: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await run();
    return performance.now() - startedAt;
  };

  const page = await work.upload(sizes.campaigns);
  await work.show(page);
  const importMs = await timed(() => work.post(page, { action: "import" }));
  const undoMs = await timed(() => work.post(page, { action: "undo" }));
  for (let kill = 0; kill < sizes.kills; kill++) {
    const next = await work.upload(sizes.campaigns);
    await work.show(next);
    const run = (action: string) => () => work.post(next, { action });
    const state = () => work.total();
    if (!(await killed("import", { ms: importMs, run: run("import"), state }))) await run("import")();
    assert.equal(await work.total(), sizes.campaigns + 1);
    if (!isFullSize || !(await killed("undo", { ms: undoMs, run: run("undo"), state }))) await run("undo")();
    assert.equal(await work.total(), 1);
  }

  const path = `/ingest/v1/campaigns/${id}/recipients`;
  const lists = [0, 1].map((shift) => largeList(sizes.recipients, shift));
  const put = (shift: number) => () => work.put(path, lists[shift % 2] as string);
  const listMs = await timed(put(0));
  const states: unknown[] = [await groups()];
  await put(1)();
  states.push(await groups());
  for (let kill = 0; kill < sizes.kills; kill++) {
    if (!(await killed("list", { ms: listMs, run: put(kill), state: groups }))) await put(kill)();
    assert.equal(await groups(), states[kill % 2]);
  }
  const replace = (shift: number) => () => work.put("/ingest/v1/directory", lists[shift % 2] as string);
  const directoryMs = await timed(replace(0));
  for (let kill = 0; kill < (isFullSize ? sizes.kills : 0); kill++) {
    await killed("directory", { ms: directoryMs, run: replace(kill), state: directory });
    assert.match(String(await directory()), new RegExp(` with ${sizes.recipients}$`));
  }

  const drift = await database.snapshotOf(keys.organizationId, async (scope) =>
    recountCampaign(scope, (await findOrganization(scope)) as Organization, id, {
      isRepaired: false,
      now: Date.now(),
    }),
  );
  assert.deepEqual(drift, []);
  const { damage } = await checkDatabase(database, () => undefined);
  assert.deepEqual(damage, []);
});
