// Large work of one organization while another one sends events and reads. In full the files have the largest size that is
// permitted.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { addAttributes } from "../../src/counting/audience/add-attributes.ts";
import { checkDatabase } from "../../src/counting/integrity/check-database.ts";
import type { Scope } from "../../src/storage/queries/scope.ts";
import { generateEvents } from "../support/generated-events.ts";
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
import { uploadInPieces } from "../support/upload-in-pieces.ts";
import { startSession } from "../support/user-session.ts";
import { memoryOf } from "../support/watched-service.ts";
import { requestPage } from "../support/web-world.ts";
import { makeWorld } from "../support/world.ts";

const sizes = isFullSize
  ? { imported: 50_000, listed: 200_000, tagged: 5_000, own: 5_000 }
  : { imported: 1_500, listed: 3_000, tagged: 300, own: 50 };
/** In full, in ms. */
const limits = process.env.TEST_DATABASE_URL ? { ingest: 50, read: 100 } : { ingest: 300, read: 100 };

const attributes = Array.from({ length: 8 }, (_, index) => `Attribute ${index + 1}`);
const valuesPerAttribute = 300;

/** @param shift moves every recipient to other groups */
function listOf(recipients: number, shift: number): string {
  const lines = Array.from({ length: recipients }, (_, index) => {
    const values = attributes.map((_each, at) => `Value ${(index * (at + 3) + shift) % valuesPerAttribute}`);
    return [`person.${index}@example.com`, ...values].join();
  });
  return `${["recipient", ...attributes].join()}\n${lines.join("\n")}\n`;
}

function fileOf(campaigns: number, tag: string): Buffer {
  const lines = Array.from({ length: campaigns }, (_, index) => {
    const [id, at] = [index + 1, new Date(Date.UTC(2020, 0, 1) + index * 3_600_000).toISOString()];
    return `${id},Campaign ${id},${at},${1_000 + (index % 500)},${300 + (index % 200)},${index < sizes.tagged ? tag : ""}`;
  });
  return Buffer.from(`id,subject,sent_at,recipient_count,unique_opens,tags\n${lines.join("\n")}\n`);
}

test("large work of one organization holds up no other one", async (t) => {
  const world = await makeWorld(t);
  const keys = await makeOrganization(world.databaseUrl);
  const others = await makeOrganization(world.databaseUrl, "Others");
  const session = await startSession(world.database, keys.organizationId);
  await world.database.transactionOf(keys.organizationId, async (scope: Scope) => {
    await addAttributes(scope, attributes);
  });
  const service = await startService(world.databaseUrl);
  t.after(() => stopService(service));
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
  const beside = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const waits = { ingest: [] as number[], read: [] as number[] };
    let isDone = false;
    let megabytes = 0;
    const startedAt = performance.now();
    const result = work().finally(() => {
      isDone = true;
    });
    const watch = Object.entries(uses).map(async ([kind, use]) => {
      while (!isDone) {
        const from = performance.now();
        await use();
        waits[kind as keyof typeof waits].push(performance.now() - from);
        megabytes = Math.max(megabytes, memoryOf(service));
        await pause(5);
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
  const post = async (path: string, fields: Record<string, string | File>) => {
    const answer = await requestPage(service.url + path, {
      cookie: session.cookie,
      fields: { form_token: session.csrfToken, ...fields },
    });
    assert.equal(answer.status, 303, answer.text.slice(0, 3_000));
    return answer;
  };
  const put = async (path: string, body: string) => {
    const response = await fetch(service.url + path, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${keys.ingest}`,
        "content-type": "text/csv",
        "content-encoding": "gzip",
      },
      body: new Uint8Array(gzipSync(body)),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json() as Promise<{ recipients: number }>;
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
  const total = async () => {
    const { text } = await request(`${service.url}/data_api/v1/emails?per_page=1`, keys.read);
    return JSON.parse(text).meta.total_entries as number;
  };

  await beside("nothing", () => pause(isFullSize ? 5_000 : 50));
  const page = await uploadInPieces(service.url, session, {
    name: "large.csv",
    content: fileOf(sizes.imported, "Newsletter"),
  });
  await beside("preview", () => requestPage(service.url + page, session));
  await beside("import", () => post(page, { action: "import" }));
  assert.equal(await total(), sizes.imported + 1);
  const tagPage = async () => {
    const { text } = await requestPage(`${service.url}/settings/tags`, session);
    return /\/settings\/tags\/\d+/.exec(text)?.[0] ?? "";
  };
  await beside("renamed tag", async () =>
    post(await tagPage(), { action: "change", name: "News", color: "#112233" }),
  );
  await beside("undo", () => post(page, { action: "undo" }));
  assert.equal(await total(), 1);
  const recipients = `/ingest/v1/campaigns/900001/recipients`;
  for (const [name, shift] of [
    ["list", 0],
    ["another list", 1],
  ] as const) {
    const listed = await beside(name, () => put(recipients, listOf(sizes.listed, shift)));
    assert.equal(listed.recipients, sizes.listed);
  }
  const directory = await beside("directory", () => put("/ingest/v1/directory", listOf(sizes.listed, 2)));
  assert.equal(directory.recipients, sizes.listed);
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
