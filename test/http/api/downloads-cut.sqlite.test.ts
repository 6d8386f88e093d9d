// Downloads that are cut, wait or are refused: what clients see, and that others are served afterwards.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import test, { after } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import {
  downloadRecords,
  failureOf,
  longCampaigns,
  requestDownload,
  stalledDownload,
} from "../../support/downloads.ts";
import { pick } from "../../support/pick.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { campaign, makeWorld, serve } from "../../support/world.ts";

const campaigns = 500;

const world = await makeWorld({ after });
const { organization, key } = await world.addOrganization();
await world.save(organization, longCampaigns(campaigns));
/** Shorter than a client that reads nothing may take. */
const maxSeconds = 20;
const downloads = { databaseUrl: world.databaseUrl, maxDownloads: 1, maxSeconds };
const service = await serve({ after }, world, { downloads });

const path = "/data_api/v1/emails.ndjson";
const headers = { authorization: `Bearer ${key}` };

/** The download threads of this process. Those of other test files are idle. */
const threads = new Set<Worker>();
const addThread = (thread: Worker) => {
  if (thread.threadName === "download") threads.add(thread);
};
process.on("worker", addThread);
after(() => process.off("worker", addThread));

const stalled = (): Promise<IncomingMessage> => stalledDownload(service.url + path, key);

const everyId = Array.from({ length: campaigns }, (_, index) => campaigns - index);

test("resets the connection of a download whose thread is killed, and serves the next one with another", async () => {
  const response = await stalled();
  const aborted = failureOf(response);
  await Promise.all([...threads].map((thread) => thread.terminate()));
  response.resume();
  assert.equal((await aborted).code, "ECONNRESET");
  const records = await downloadRecords({ url: service.url, key }, "ndjson");
  assert.deepEqual(pick(records, "id"), everyId);
});

test("resets the connection of a download that takes too long, so that no client takes it for a whole one", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const response = await stalled();
  assert.equal(response.headers["transfer-encoding"], "chunked");
  const aborted = failureOf(response);
  t.mock.timers.tick(maxSeconds * 1000);
  response.resume();
  assert.equal((await aborted).code, "ECONNRESET");

  const fetched = await fetch(service.url + path, { headers: { ...headers, "accept-encoding": "identity" } });
  t.mock.timers.tick(maxSeconds * 1000);
  await assert.rejects(fetched.text(), TypeError);

  const reasons = service.logged.flatMap(({ msg, err }) =>
    msg === "a download was cut" ? (err as Error).message : [],
  );
  assert.deepEqual(reasons.slice(-2), Array(2).fill("the download took longer than 20 seconds"));
});

test("lets a few downloads wait for their turn, and refuses more with 503 and Retry-After", async () => {
  const first = await stalled();
  const waiting = Array.from({ length: 8 }, () => requestDownload(service.url + path, { key }));
  // One more than may wait: the newest is refused.
  const refused = await Promise.race([...waiting, requestDownload(service.url + path, { key })]);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "5");
  assert.deepEqual(JSON.parse(Buffer.from(refused.bytes).toString()), {
    error: "unavailable",
    error_message: "Other downloads are running. Try again later.",
  });
  first.destroy();
  const answers = await Promise.all(waiting);
  assert.equal(answers.filter(({ status }) => status === 200).length >= 7, true);
});

test("ends the download of a client that leaves, and serves the next one with the same thread", async () => {
  for (let times = 0; times < 5; times++) {
    const response = await stalled();
    response.destroy();
  }
  const records = await downloadRecords({ url: service.url, key }, "ndjson");
  assert.deepEqual(pick(records, "id"), everyId);
});

test("serves the next download when clients left before their response, however early", async () => {
  service.logged.length = 0;
  for (let turns = 0; turns < 12; turns++) {
    const socket = connect(service.port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    await once(socket, "connect");
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    socket.destroy();
  }
  const records = await downloadRecords({ url: service.url, key }, "ndjson");
  assert.equal(records.length, campaigns);
  const found = service.logged.filter(({ msg }) => msg !== "request");
  assert.deepEqual(found, []);
});

test("shows one state while the data changes during a download", async () => {
  const response = await stalled();
  await world.save(organization, [campaign({ id: 1, subject: "Changed" }), campaign({ id: 9999 })]);
  const lines = Buffer.concat(await response.toArray())
    .toString()
    .trimEnd()
    .split("\n");
  assert.equal(lines.length, campaigns);
  assert.equal(JSON.parse(lines.at(-1) ?? "").subject, "Campaign 1");
});

test("refuses to stream over HTTP/1.0, where a cut response looks whole, and sends pages with a length", async () => {
  const ask = (of: string) =>
    rawRequest(service.port, `GET ${of} HTTP/1.0\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\n\r\n`);
  for (const streamed of [
    path,
    "/data_api/v1/emails.csv",
    "/data_api/v1/emails.parquet",
    "/odata/v1/emails",
  ]) {
    const text = await ask(streamed);
    assert.match(text, /^HTTP\/1\.1 505 /, streamed);
    const message =
      /HTTP\/1\.0 cannot mark as complete\. Send HTTP\/1\.1; nginx needs: proxy_http_version 1\.1;/;
    assert.match(text, message);
  }
  const page = await ask("/data_api/v1/emails");
  assert.match(page, /^HTTP\/1\.1 200 .*\ncontent-length: \d/is);
});
