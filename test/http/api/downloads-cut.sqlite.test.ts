// Downloads that are cut, wait or are refused: what clients see, and that others are served afterwards.

import assert from "node:assert/strict";
import { type EventEmitter, once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import test, { after } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { downloadRecords, requestDownload } from "../../support/downloads.ts";
import { campaign, makeWorld, type Service, serve } from "../../support/world.ts";

/** More than the sockets of both sides hold. */
const campaigns = 500;
const recipients = "x".repeat(20_000);

const world = await makeWorld({ after });
const { organization, key } = await world.addOrganization();
await world.save(
  organization,
  Array.from({ length: campaigns }, (_, index) => campaign({ id: index + 1, recipients })),
);
const downloads = { databaseUrl: world.databaseUrl, maxDownloads: 1, maxSeconds: 600 };
const serveWith = (more: Partial<typeof downloads> = {}) =>
  serve({ after }, world, { downloads: { ...downloads, ...more } });
const service = await serveWith();
/** Cuts every download that a client does not read at once. */
const hasty = await serveWith({ maxSeconds: 0.5 });

const path = "/data_api/v1/emails.ndjson";
const headers = { authorization: `Bearer ${key}` };

/** The response of a client that does not read it yet. */
async function stalled({ url }: Service, more: Record<string, string> = {}): Promise<IncomingMessage> {
  const sent = request(url + path, { agent: false, headers: { ...headers, ...more } }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  // The response reports it too.
  sent.on("error", () => undefined);
  return response;
}

const failureOf = (stream: EventEmitter) =>
  new Promise<NodeJS.ErrnoException>((resolve) => stream.once("error", resolve));

async function untilLogged({ logged }: Service, message: string, times = 1): Promise<void> {
  while (logged.filter(({ msg }) => msg === message).length < times) await nextTurn();
}

test("resets the connection of a download that takes too long, so that no client takes it for a whole one", async () => {
  const response = await stalled(hasty);
  assert.equal(response.headers["transfer-encoding"], "chunked");
  const aborted = failureOf(response);
  await untilLogged(hasty, "a download was cut");
  response.resume();
  assert.equal((await aborted).code, "ECONNRESET");

  const fetched = await fetch(hasty.url + path, { headers });
  await untilLogged(hasty, "a download was cut", 2);
  await assert.rejects(fetched.text(), TypeError);

  // Without chunks, the end of the connection is the end of the response.
  const socket = connect(hasty.port, "127.0.0.1");
  const reset = failureOf(socket);
  socket.write(`GET ${path} HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await untilLogged(hasty, "a download was cut", 3);
  socket.resume();
  assert.equal((await reset).code, "ECONNRESET");
  const reasons = hasty.logged.flatMap(({ msg, err }) =>
    msg === "a download was cut" ? (err as Error).message : [],
  );
  assert.deepEqual(new Set(reasons), new Set(["the download took longer than 0.5 seconds"]));
});

test("lets a few downloads wait for their turn, and refuses more with 503 and Retry-After", async () => {
  const first = await stalled(service);
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
    const response = await stalled(service);
    response.destroy();
  }
  const records = await downloadRecords({ url: service.url, key }, "ndjson");
  assert.deepEqual(
    records.map(({ id }) => id),
    Array.from({ length: campaigns }, (_, index) => campaigns - index),
  );
});

test("shows one state while the data changes during a download", async () => {
  const response = await stalled(service);
  await world.save(organization, [campaign({ id: 1, subject: "Changed" }), campaign({ id: 9999 })]);
  const lines = Buffer.concat(await response.toArray())
    .toString()
    .trimEnd()
    .split("\n");
  assert.equal(lines.length, campaigns);
  assert.equal(JSON.parse(lines.at(-1) ?? "").subject, "Campaign 1");
});
