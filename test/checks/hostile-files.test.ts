// Files that try to exhaust the service: each is refused with a reason, and no other organization notices. In full each has up
// to 500 MB, and the service the heap of a small machine.

import assert from "node:assert/strict";
import test from "node:test";
import { generateEvents } from "../support/generated-events.ts";
import { hostileFiles } from "../support/hostile-files.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { request } from "../support/request.ts";
import {
  makeOrganization,
  registerCampaigns,
  sendEvents,
  startService,
  stopService,
} from "../support/service-process.ts";
import { sqliteTest } from "../support/sqlite-test.ts";
import { uploadInPieces } from "../support/upload-in-pieces.ts";
import { startSession } from "../support/user-session.ts";
import { memoryOf, watch } from "../support/watched-service.ts";
import { requestPage } from "../support/web-world.ts";
import { makeWorld } from "../support/world.ts";

/** The first one ended the process, also in small. */
const inSmall = ["nested in disguise.xlsx", "nested.ndjson"];
const files = hostileFiles(isFullSize ? 500 : 20).filter(({ name }) => isFullSize || inSmall.includes(name));

/** In full. */
const limits = { waitMs: 300, growthMegabytes: 200 };

const onDatabases = isFullSize ? test : sqliteTest;

onDatabases(
  "a file that tries to exhaust the service is refused with a reason, while it serves others",
  async (t) => {
    const world = await makeWorld(t);
    const keys = await makeOrganization(world.databaseUrl);
    const others = await makeOrganization(world.databaseUrl, "Others");
    const session = await startSession(world.database, keys.organizationId);
    const service = await startService(world.databaseUrl, {
      command: [process.execPath, "--max-old-space-size=256"],
      // As the image and the example for systemd have it.
      environment: { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" },
    });
    t.after(() => stopService(service));
    await registerCampaigns(service.url, others.ingest, 1);
    const events = generateEvents(1_000_000, 1);
    const use = async () => {
      const { status } = await request(`${service.url}/data_api/v1/emails`, others.read);
      assert.equal(status, 200);
      await sendEvents(service.url, others.ingest, [events.next().value]);
    };
    // What the process needs for other work, too.
    for (let warmUp = 0; warmUp < (isFullSize ? 3_000 : 1); warmUp++) await use();
    const base = memoryOf(service);
    report(`${Math.round(base)} MB before`);

    const failures: string[] = [];
    for (const { name, make } of files) {
      const page = service.url + (await uploadInPieces(service.url, session, { name, content: make() }));
      const shown = await watch(service, use, requestPage(page, session));
      const fields = { form_token: session.csrfToken, action: "import" };
      const imported = await watch(service, use, requestPage(page, { ...session, fields }));
      const waitMs = Math.max(shown.waitMs, imported.waitMs);
      const growth = Math.max(shown.megabytes, imported.megabytes) - base;
      const reason = /<ul lang="en" class="lines"><li>(.*?)<\/li>|<section class="card"><p>(.*?)<\/p>/.exec(
        shown.value.text,
      );
      const text = (reason?.[1] ?? reason?.[2] ?? "no problem").slice(0, 150);
      report(
        `${name}: ${shown.value.status} in ${Math.round(shown.ms)} ms, import ${imported.value.status} in ${Math.round(imported.ms)} ms; others waited ${Math.round(waitMs)} ms; ${Math.round(growth)} MB more; ${text}`,
      );
      const isRefused =
        [200, 400].includes(shown.value.status) && [303, 400, 409].includes(imported.value.status);
      const isQuiet = !isFullSize || (waitMs <= limits.waitMs && growth <= limits.growthMegabytes);
      if (!isRefused || !isQuiet) failures.push(name);
      assert.equal(service.child.exitCode, null, name);
    }
    assert.deepEqual(failures, [], service.stderr().slice(-3_000));
  },
);
