// Files of campaigns that users upload: memory is flat, readers are served meanwhile, and a file that is cut is not imported. In
// full the file has 500 MB.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { uploadLimits } from "../../src/counting/import/pieces.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { request } from "../support/request.ts";
import {
  makeOrganization,
  type RunningService,
  startService,
  stopService,
} from "../support/service-process.ts";
import { startSession, type UserSession } from "../support/user-session.ts";
import { memoryOf, watch } from "../support/watched-service.ts";
import { requestPage } from "../support/web-world.ts";
import { makeWorld } from "../support/world.ts";

const campaigns = isFullSize ? 50_000 : 300;
/** A message, which imports ignore. It has few repetitions, so that the database stores as much as arrives. */
const text = (id: number) => {
  let state = id;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state.toString(36);
  };
  return Array.from({ length: 2_000 }, next).join("").slice(0, 10_000);
};
const line = (id: number) =>
  `${JSON.stringify({ id, subject: `Campaign ${id}`, sent_at: "2024-01-01T09:00:00Z", html: text(id) })}\n`;

/** The file in pieces, made as they are sent. */
function* pieces(): Generator<Buffer> {
  let kept: Buffer[] = [];
  let length = 0;
  for (let id = 1; id <= campaigns; id++) {
    const bytes = Buffer.from(line(id));
    kept.push(bytes);
    length += bytes.length;
    if (length < uploadLimits.pieceBytes) continue;
    const all = Buffer.concat(kept);
    yield all.subarray(0, uploadLimits.pieceBytes);
    kept = [all.subarray(uploadLimits.pieceBytes)];
    length = kept[0]?.length ?? 0;
  }
  if (length > 0) yield Buffer.concat(kept);
}

let fileBytes = 0;
for (let id = 1; id <= campaigns; id++) fileBytes += line(id).length;

/** In MB: less than a file in full. The index of readers and the heaps of the threads take most of it. */
const maxGrowth = 400;

const path = "/campaigns/import";

interface Uploading {
  service: RunningService;
  session: UserSession;
}

const post = ({ service, session }: Uploading, to: string, fields: Record<string, string | File>) =>
  requestPage(service.url + to, {
    cookie: session.cookie,
    fields: { form_token: session.csrfToken, ...fields },
  });

/** @param until stops before this piece @returns the path of the file's page */
async function upload(given: Uploading, until = Number.POSITIVE_INFINITY): Promise<string> {
  const started = await post(given, path, { action: "start", name: "large.ndjson", bytes: `${fileBytes}` });
  assert.equal(started.status, 303);
  const page = started.location ?? "";
  let position = 0;
  let index = 0;
  for (const piece of pieces()) {
    if (index++ >= until) return page;
    const file = new File([new Uint8Array(piece)], "blob");
    const sent = await post(given, page, { action: "piece", position: `${position}`, file });
    assert.equal(sent.status, 200, sent.text);
    position += piece.length;
  }
  assert.equal(position, fileBytes);
  return page;
}

async function start(t: TestContext) {
  const world = await makeWorld(t);
  const keys = await makeOrganization(world.databaseUrl);
  const session = await startSession(world.database, keys.organizationId);
  const { databaseUrl } = world;
  const given = { service: await startService(databaseUrl), session, databaseUrl };
  t.after(() => stopService(given.service));
  const total = async () => {
    const { text: body } = await request(`${given.service.url}/data_api/v1/emails?per_page=1`, keys.read);
    return JSON.parse(body).meta.total_entries as number;
  };
  return { given, total };
}

test("a large upload takes little memory, and readers are served while it arrives, is read and is imported", async (t) => {
  const { given, total } = await start(t);
  assert.equal(await total(), 0);
  // Its threads start two seconds later.
  await pause(isFullSize ? 4_000 : 0);
  const before = memoryOf(given.service);
  const { service } = given;
  const uploading = await watch(service, total, upload(given));
  const page = uploading.value;
  const reading = await watch(service, total, requestPage(service.url + page, given.session));
  assert.match(reading.value.text, new RegExp(`of ${campaigns.toLocaleString("en-US")} campaigns`));
  const importing = await watch(service, total, post(given, page, { action: "import" }));
  assert.equal(importing.value.status, 303, importing.value.text);
  assert.equal(await total(), campaigns);
  const undoing = await watch(service, total, post(given, page, { action: "undo" }));
  assert.equal(undoing.value.status, 303, undoing.value.text);
  assert.equal(await total(), 0);
  for (const [what, { megabytes, waitMs }] of Object.entries({ uploading, reading, importing, undoing })) {
    report(
      `${what}: ${Math.round(before)} MB before, at most ${Math.round(megabytes)} MB; a reader waited at most ${Math.round(waitMs)} ms`,
    );
    assert.ok(megabytes - before < maxGrowth, `${what} took ${megabytes - before} MB`);
  }
  report(
    `${Math.round(fileBytes / 1e6)} MB with ${campaigns} campaigns were imported in ${(importing.ms / 1000).toFixed(1)} s`,
  );
});

test("a process that is killed while a file arrives leaves no campaign of it", async (t) => {
  const { given, total } = await start(t);
  const cut = await upload(given, Math.ceil(fileBytes / uploadLimits.pieceBytes / 2));
  await stopService(given.service, "SIGKILL");
  given.service = await startService(given.databaseUrl);
  assert.equal(await total(), 0);
  assert.match((await requestPage(given.service.url + cut, given.session)).text, /of the file arrived/);
  assert.equal((await post(given, cut, { action: "import" })).status, 409);
});
