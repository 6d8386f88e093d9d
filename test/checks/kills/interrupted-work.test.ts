// Kills two services at once, or cuts the power of the disk, of both and of PostgreSQL, again and again, while organizations
// send events and one of them has large work done. What was acknowledged is counted once, and the work is done wholly or not
// at all.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { checkDatabase } from "../../../src/counting/integrity/check-database.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { Random } from "../../support/histories.ts";
import { groupsOfList, LargeWork, largeList, untilSettled } from "../../support/large-work.ts";
import { giveToRunner } from "../../support/postgres-programs.ts";
import { type PostgresServer, startPostgres } from "../../support/postgres-server.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import {
  makeOrganization,
  type RunningService,
  registerCampaigns,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { makeDatabase, makeFolder, succeeds } from "../../support/world.ts";
import { SteadyLoad } from "./steady-load.ts";

const kills = 200;
const cuts = 50;
const sizes = { campaigns: 3_000, recipients: 10_000 };
/** Of a connection between requests, so that the large work and the next start take most of the time. */
const pauseMs = 30;
const diskMegabytes = 4_096;
const id = 900_001;
const listPath = `/ingest/v1/campaigns/${id}/recipients`;

/**
 * A file system of its own, which the kernel can end without writing what it has not written yet: the journal neither, as
 * when the power is cut (the ioctl that xfstests calls "godown"). Root mounts it.
 */
class Disk {
  readonly #image: string;
  readonly folder: string;

  constructor(folder: string) {
    this.#image = join(folder, "disk.img");
    this.folder = join(folder, "disk");
    mkdirSync(this.folder);
    chmodSync(folder, 0o755);
    execFileSync("truncate", ["-s", `${diskMegabytes}M`, this.#image]);
    execFileSync("mkfs.ext4", ["-q", this.#image]);
    this.mount();
  }

  mount(): void {
    execFileSync("mount", ["-o", "loop", this.#image, this.folder]);
  }

  cutPower(): void {
    const script = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))`;
    execFileSync("python3", ["-c", script, this.folder]);
  }

  unmount(): void {
    execFileSync("umount", [this.folder]);
  }
}

/** Large work, and what tells whether it is done. */
interface Kind {
  name: string;
  prepare?(): Promise<void>;
  run(): Promise<unknown>;
  state(): Promise<string>;
}

/** The computer that the services run on. */
interface Machine {
  url: string;
  /** Ends the disk, and PostgreSQL on it. */
  cutPower?(): Promise<unknown>;
  start?(): Promise<unknown>;
  remove?(): Promise<unknown>;
}

async function makeMachine(folder: string): Promise<Machine> {
  const disk = new Disk(folder);
  const server = process.env.TEST_DATABASE_URL ? await startPostgresOn(disk) : undefined;
  return {
    url: server?.url("cut") ?? `sqlite:${join(disk.folder, "data.db")}`,
    cutPower: async () => disk.cutPower(),
    start: async () => {
      await server?.kill();
      disk.unmount();
      disk.mount();
      await server?.start();
    },
    remove: async () => {
      await server?.remove();
      disk.unmount();
    },
  };
}

async function startPostgresOn(disk: Disk): Promise<PostgresServer> {
  const folder = join(disk.folder, "postgres");
  mkdirSync(folder);
  giveToRunner(folder);
  const server = await startPostgres({ folder });
  await server.query("create database cut");
  return server;
}

async function withDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function endRepeatedly(machine: Machine, times: number): Promise<void> {
  const { url } = machine;
  const random = new Random(times);
  let services: RunningService[] = [];
  await succeeds(url, ["migrate"]);
  const load = await SteadyLoad.prepare(url);
  const startBoth = async () => {
    services = [await startService(url), await startService(url)];
  };
  try {
    await startBoth();
    const keys = await makeOrganization(url, "Large");
    const work = await withDatabase(url, (database) =>
      LargeWork.start(database, services[0] as RunningService, keys),
    );
    await registerCampaigns(work.service.url, keys.ingest, 1, id);
    await load.registerCampaigns(work.service.url);
    let turn = 0;
    load.begin(() => services[turn++ % 2]?.url ?? "", pauseMs);
    const total = async () => String(await work.total());
    const groups = () => withDatabase(url, (database) => groupsOfList(database, keys.organizationId, id));
    let page = "";
    const upload = async () => {
      page = await work.upload(sizes.campaigns);
      await work.show(page);
    };
    const list = (shift: number): Kind => {
      const rows = largeList(sizes.recipients, shift);
      return { name: `list ${shift}`, run: () => work.put(listPath, rows), state: groups };
    };
    const kinds: Kind[] = [
      { name: "import", prepare: upload, run: () => work.post(page, { action: "import" }), state: total },
      { name: "undo", run: () => work.post(page, { action: "undo" }), state: total },
      list(0),
      list(1),
    ];
    const done = new Map<Kind, { state: string; ms: number }>();
    for (const kind of kinds) {
      await kind.prepare?.();
      const startedAt = performance.now();
      await kind.run();
      done.set(kind, { ms: performance.now() - startedAt, state: await kind.state() });
    }
    for (let time = 1; time <= times; time++) {
      const kind = kinds[(time - 1) % kinds.length] as Kind;
      const { ms, state } = done.get(kind) as { ms: number; state: string };
      await kind.prepare?.();
      const before = await kind.state();
      const running = kind.run().catch(() => undefined);
      const waitMs = random.between(0, Math.round(ms));
      await pause(waitMs);
      // Nothing runs on after a power cut: the services must not answer that the disk fails.
      for (const { child } of services) child.kill("SIGSTOP");
      await machine.cutPower?.();
      await Promise.all(services.map((service) => stopService(service, "SIGKILL")));
      await running;
      await machine.start?.();
      await startBoth();
      work.service = services[0] as RunningService;
      await load.untilAcknowledged();
      await withDatabase(url, (database) => untilSettled(database, keys.organizationId));
      const after = await kind.state();
      report(
        `${time}: ${kind.name}, ended after ${waitMs} of ${Math.round(ms)} ms: ${after === before ? "nothing" : "all"}`,
      );
      if (after === before) await kind.run();
      assert.equal(await kind.state(), state);
    }
    await load.end();
    await load.check();
    report(`every acknowledged event is counted once, ${JSON.stringify(load.sums)}`);
    report((await succeeds(url, ["recount"])).stderr.trim());
    const { damage } = await withDatabase(url, (database) => checkDatabase(database, () => undefined));
    assert.deepEqual(damage, []);
  } finally {
    load.giveUp(undefined);
    await Promise.all(services.map((service) => stopService(service, "SIGKILL")));
    await machine.remove?.();
  }
}

if (isFullSize) {
  test("two services that are killed during large work lose no acknowledged event and leave all of it or nothing", async (t) =>
    endRepeatedly({ url: await makeDatabase(t) }, kills));

  test("a power cut during large work loses no acknowledged event and leaves all of it or nothing", async (t) =>
    endRepeatedly(await makeMachine(makeFolder(t)), cuts));
}
