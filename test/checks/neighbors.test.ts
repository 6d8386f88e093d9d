// Large work of one organization while another one sends events and reads. In full the files have the largest size that is
// permitted.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { checkDatabase } from "../../src/counting/integrity/check-database.ts";
import { generateEvents } from "../support/generated-events.ts";
import { LargeWork, largeList } from "../support/large-work.ts";
import { programPath } from "../support/program.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { request } from "../support/request.ts";
import {
  makeOrganization,
  readRecords,
  registerCampaigns,
  sendEvents,
  startService,
  stopService,
} from "../support/service-process.ts";
import { memoryOf } from "../support/watched-service.ts";
import { makeWorld } from "../support/world.ts";

const sizes = isFullSize
  ? { imported: 50_000, listed: 200_000, tagged: 5_000 }
  : { imported: 500, listed: 1_000, tagged: 300 };
/** In full, in ms. */
const limits = process.env.TEST_DATABASE_URL ? { ingest: 50, read: 100 } : { ingest: 300, read: 100 };

test("large work of one organization holds up no other one", async (t) => {
  const world = await makeWorld(t);
  const keys = await makeOrganization(world.databaseUrl);
  const others = await makeOrganization(world.databaseUrl, "Others");
  const service = await startService(world.databaseUrl);
  t.after(() => stopService(service));
  const work = await LargeWork.start(world.database, service, keys);
  await registerCampaigns(service.url, others.ingest, 2);
  await registerCampaigns(service.url, keys.ingest, 1, 900_001);

  const events = generateEvents(10_000_000, 2);
  let sent = 0;
  const uses = {
    ingest: async () => {
      const { accepted } = await sendEvents(service.url, others.ingest, [events.next().value]);
      sent += accepted;
    },
    read: async () => {
      const { status } = await request(`${service.url}/data_api/v1/emails`, others.read);
      assert.equal(status, 200);
    },
  };
  const failures: string[] = [];
  /** The longest waits of the other organization while something runs. */
  const beside = async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
    const waits = { ingest: [] as number[], read: [] as number[] };
    let isDone = false;
    let megabytes = 0;
    const startedAt = performance.now();
    const result = run().finally(() => {
      isDone = true;
    });
    const watch = Object.entries(uses).map(async ([kind, use]) => {
      while (!isDone) {
        const from = performance.now();
        await use();
        waits[kind as keyof typeof waits].push(performance.now() - from);
        megabytes = Math.max(megabytes, memoryOf(service));
        await pause(isFullSize ? 5 : 20);
      }
    });
    await Promise.all(watch);
    const value = await result;
    const longest = (all: number[]) => Math.round(Math.max(...all));
    const [ingest, read] = [longest(waits.ingest), longest(waits.read)];
    report(
      `${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s; the other's ingest waited at most ${ingest} ms, its reads ${read} ms; at most ${Math.round(megabytes)} MB`,
    );
    if (isFullSize && (ingest > limits.ingest || read > limits.read)) failures.push(name);
    return value;
  };
  const program = async (...argv: string[]) => {
    const child = spawn(process.execPath, [programPath, ...argv], {
      env: { ...process.env, DATABASE_URL: world.databaseUrl },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    const [code] = await once(child, "close");
    assert.equal(code, 0, errors);
  };
  await beside("nothing", () => pause(isFullSize ? 5_000 : 50));
  const page = await work.upload(sizes.imported, sizes.tagged);
  await beside("preview", () => work.show(page));
  await beside("import", () => work.post(page, { action: "import" }));
  assert.equal(await work.total(), sizes.imported + 1);
  const tagPage = /\/settings\/tags\/\d+/.exec(await work.show("/settings/tags"))?.[0] ?? "";
  const tagged = new URLSearchParams({ period: "all", tag_ids: tagPage.split("/").at(-1) ?? "" });
  const editPage = `/campaigns/edit?${new URLSearchParams({ list: `${tagged}` })}`;
  const [, selection = ""] = /name="selection" value="(\w+)"/.exec(await work.show(editPage)) ?? [];
  const edit = { action: "tag", tag: "Added", selection };
  const edited = await beside("tag added", () => work.post(editPage, edit));
  await beside("tag added, undone", () => work.post(edited, { action: "undo" }));
  const change = { action: "change", name: "News", color: "#112233" };
  await beside("renamed tag", () => work.post(tagPage, change));
  await beside("undo", () => work.post(page, { action: "undo" }));
  assert.equal(await work.total(), 1);
  const recipients = "/ingest/v1/campaigns/900001/recipients";
  for (const [name, shift] of [
    ["list", 0],
    ["another list", 1],
  ] as const) {
    const listed = await beside(name, () => work.put(recipients, largeList(sizes.listed, shift)));
    assert.equal(listed, sizes.listed);
  }
  const directory = await beside("directory", () =>
    work.put("/ingest/v1/directory", largeList(sizes.listed, 2)),
  );
  assert.equal(directory, sizes.listed);
  await beside("recount", () => program("recount", "--organization", String(keys.organizationId)));
  if (!process.env.TEST_DATABASE_URL)
    await beside("backup", () => program("backup", join(world.folder, "backup.db")));

  const counted = await readRecords(service.url, others.read);
  assert.equal(counted.size, 2);
  const checked = await checkDatabase(world.database, () => undefined);
  assert.deepEqual(checked.damage, []);
  assert.ok(sent > 0);
  assert.deepEqual(failures, [], service.stderr().slice(-3_000));
});
