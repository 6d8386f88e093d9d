// Campaigns and events with 503: the queue or the quarantine is full, and a retry succeeds later.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { startWriterThread } from "../../../src/counting/writer/writer-thread.ts";
import { lockOrganization } from "../../../src/storage/organizations/organizations.ts";
import { summarizeQuarantine } from "../../../src/storage/quarantine/quarantine-groups.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { pick } from "../../support/pick.ts";
import { rawConnection } from "../../support/raw-request.ts";
import { refusal } from "../../support/refusal.ts";
import {
  event,
  eventsPath,
  quarantinedBytes,
  type ServedSender,
  serveSender,
  summarizeQuarantined,
} from "../../support/serve-sender.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeAcme, serve } from "../../support/world.ts";

/** Blocks writes for the organization until `release` is called, as if the disk were busy. */
async function holdWriting({ world, organization }: ServedSender) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const ended = world.database.transaction(async (queries) => {
    // On PostgreSQL, a transaction alone blocks no other.
    await lockOrganization(new Scope(queries, organization.id));
    begin();
    await released;
  });
  await begun;
  return { release, ended };
}

sqliteTest("503: rejects a request at once when the queue is full, and saves no event of it", async (t) => {
  const batches = ["a", "b"].map((recipient) =>
    Array.from({ length: 6 }, (_, index) => event({ id: `${recipient}-${index}`, recipient })),
  );
  const bytes = JSON.stringify({ events: batches[0] }).length;
  const sent = await serveSender(t, { maxQueueBytes: 1.5 * bytes, register: {} });
  const { post, numbers } = sent;
  const { release, ended } = await holdWriting(sent);
  const answers = batches.map((each) => post(each));
  const refused = await Promise.race(answers);
  const message = "The write queue is full. Nothing of this request was saved; try again.";
  assert.deepEqual([refused.status, refused.body], refusal(503, "unavailable", message));
  assert.equal(refused.headers.get("retry-after"), "5");
  release();
  await ended;
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 503]);
  assert.deepEqual(await numbers("unique_opens", "total_opens"), [1, 6]);
  for (const batch of batches) assert.equal((await post(batch)).status, 200);
  assert.deepEqual(await numbers("unique_opens", "total_opens"), [2, 12]);
});

sqliteTest("reserves no queue space for a client that disconnects while its key is looked up", async (t) => {
  const { world, ingestKey } = await makeAcme(t);
  const { promise: disconnected, resolve: disconnect } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const query: typeof world.database.query = async (...work) => {
    begin();
    await disconnected;
    return world.database.query(...work);
  };
  const maxQueueBytes = 100;
  const writer = startWriterThread({ databaseUrl: world.databaseUrl, maxQueueBytes, maxQuarantineBytes: 0 });
  t.after(() => writer.stop());
  const service = await serve(t, world, { writer, database: { ...world.database, query } });
  const client = rawConnection(service.port);
  const open = promisify(service.connections);
  client.socket.write(
    `POST ${eventsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestKey}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n",
  );
  await begun;
  client.socket.destroy();
  while ((await open()) > 0) await pause(1);
  disconnect();
  const { status } = await service.send(eventsPath, { key: ingestKey, body: { events: [] } });
  assert.equal(status, 200);
});

sqliteTest("503: rejects events while older ones have been waiting for too long", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const { post, numbers } = sent;
  const { release, ended } = await holdWriting(sent);
  let now = 0;
  // Whatever is measured takes ten seconds.
  const clock = t.mock.method(performance, "now", () => {
    now += 10_000;
    return now;
  });
  const answers = [post([event()])];
  let refused: Awaited<ReturnType<typeof post>> | undefined;
  while (!refused) {
    answers.push(post([event()]));
    refused = await Promise.race([...answers, pause(20, undefined)]);
  }
  clock.mock.restore();
  const error_message =
    "Older events of the organization have been waiting too long to be written. Nothing of this request was saved; try again.";
  assert.deepEqual([refused.status, refused.body], [503, { error: "unavailable", error_message }]);
  release();
  await ended;
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  const accepted = statuses.filter((status) => status === 200).length;
  assert.equal((await post([event()])).status, 200);
  assert.deepEqual(await numbers("total_opens"), [accepted + 1]);
});

const ways = ["resetAndDestroy", "destroy", "end"] as const;

sqliteTest("releases the queue space of a client that disconnects before its response", async (t) => {
  const sent = await serveSender(t, {
    maxQueueBytes: 10_000,
    limits: { silenceMs: 600_000, requestMs: 600_000 },
  });
  await sent.put(1);
  const body = JSON.stringify({ events: [event()] }).padEnd(6_000);
  const head =
    `POST ${eventsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sent.ingestKey}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 6000\r\n\r\n";
  /** Waits until a client holds the queue space: then another client gets 503. */
  const occupyQueue = async (text: string) => {
    for (;;) {
      const client = rawConnection(sent.service.port);
      client.socket.write(text);
      while (client.received() === "") {
        if ((await sent.postRaw("x".repeat(9_000))).status === 503) return client;
        await pause(20);
      }
      client.socket.destroy();
    }
  };
  /** Retries until the server notices that the client is gone. Silent connections close long after the last try. */
  const acceptsAgain = async () => {
    for (let tries = 0; tries < 5_000; tries++) {
      const { status } = await sent.postRaw(body);
      if (status === 200) return true;
      assert.equal(status, 503);
      await pause(20);
    }
    return false;
  };
  for (const text of [`${head}{`, head + body]) {
    for (const way of ways) {
      const { release, ended } = await holdWriting(sent);
      const client = await occupyQueue(text);
      client.socket[way]();
      release();
      await ended;
      assert.ok(await acceptsAgain(), `${way} after ${text.length} bytes: the queue space is never released`);
      client.socket.destroy();
    }
  }
});

sqliteTest("counts a body that waits once, not once more for the request that waits", async (t) => {
  const batchOf = (id: number) => [event({ id: `${id}`, recipient: `${id}@example.com` })];
  const bytes = JSON.stringify({ events: batchOf(0) }).length;
  // Half of the queue belongs to one organization: it has space for eight of these batches.
  const sent = await serveSender(t, { maxQueueBytes: 2 * 8 * bytes, register: {} });
  const { release, ended } = await holdWriting(sent);
  const answers = Array.from({ length: 9 }, (_, id) => sent.post(batchOf(id)));
  assert.equal((await Promise.race(answers)).status, 503);
  assert.equal((await sent.post(batchOf(9))).status, 503);
  release();
  await ended;
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [...Array<number>(8).fill(200), 503]);
});

test("503: counts the other events of a batch when the quarantine is full, and lets the sender retry all", async (t) => {
  const sent = await serveSender(t, { maxQuarantineBytes: 2 * quarantinedBytes, register: {} });
  const { put, post, numbers } = sent;
  const early = { at: "2026-06-15T10:00:00Z" };
  assert.equal((await post([event(early), event({ campaign_id: 3 })])).status, 200);
  const batch = [event(), event({ campaign_id: 2 }), event(), event({ campaign_id: 2 })];
  for (const expected of [2, 2]) {
    const { status, body, headers } = await post(batch);
    const message =
      "2 of the events could not be counted yet, and the organization's quarantine is full. The other events were accepted. Register the campaigns or discard quarantined events, then send all events again.";
    assert.deepEqual([status, body], refusal(503, "unavailable", message));
    assert.equal(headers.get("retry-after"), "5");
    assert.deepEqual(await numbers("total_opens"), [expected]);
  }
  await put(2, { sent_at: "2026-06-15T10:00:00Z" });
  const { status, body } = await post(batch);
  assert.deepEqual([status, body], [200, { accepted: 2, repeated: 2, quarantined: 0, problems: [] }]);
  assert.deepEqual(await numbers("id", "total_opens"), [1, 2]);
});

test("accepts a retry of quarantined events even when the quarantine is full", async (t) => {
  const { post } = await serveSender(t, { maxQuarantineBytes: 2 * quarantinedBytes });
  const batch = [event({ campaign_id: 2 }), event({ campaign_id: 2 })];
  assert.equal((await post(batch)).status, 200);
  assert.equal((await post(batch)).status, 200);
  assert.equal((await post([batch[0], batch[0], batch[1]])).status, 200);
  assert.equal((await post([event({ campaign_id: 2 })])).status, 503);
});

test("503: refuses test sends beyond half of the quarantine, and stores the other events of the batch", async (t) => {
  const sent = await serveSender(t, { maxQuarantineBytes: 4 * quarantinedBytes, register: {} });
  const { post } = sent;
  const early = () => event({ at: "2026-06-15T10:00:00Z" });
  assert.equal((await post([early(), early()])).status, 200);
  const { status, body } = await post([early(), event({ campaign_id: 2 })]);
  assert.match(`${status} ${body.error_message}`, /^503 1 of the events could not be counted yet/);
  assert.deepEqual(await summarizeQuarantined(sent), [
    [1, "test_sending", 2],
    [2, "unknown_campaign", 1],
  ]);
  assert.equal((await post([event({ campaign_id: 2 })])).status, 200);
  assert.equal((await post([event({ campaign_id: 2 })])).status, 503);
});

test("503: limits the size of quarantined events, not their number", async (t) => {
  const sent = await serveSender(t, { maxQuarantineBytes: 4 * quarantinedBytes });
  const survey = { type: "survey", survey_id: "s", kind: "enps", score: 3, campaign_id: 2 };
  assert.equal((await sent.post([event({ ...survey, comment: "x".repeat(3_000) })])).status, 503);
  assert.equal((await sent.post([event({ ...survey, comment: "x".repeat(1_500) })])).status, 200);
  assert.equal((await sent.post([event({ campaign_id: 2 }), event({ campaign_id: 2 })])).status, 503);
  assert.equal((await sent.post([event({ campaign_id: 2 })])).status, 200);
});

test("limits the quarantine of each organization separately", async (t) => {
  const sent = await serveSender(t, { maxQuarantineBytes: quarantinedBytes });
  const { world, service, post } = sent;
  await post([event()]);
  assert.equal((await post([event()])).status, 503);
  const other = await world.addOrganization({ name: "Other" });
  const { status } = await service.send("/ingest/v1/events", {
    key: other.ingestKey,
    body: { events: [event()] },
  });
  assert.equal(status, 200);
  const rows = await world.read(other.organization, (scope) => summarizeQuarantine(scope, {}));
  assert.deepEqual(pick(rows, "events"), [1]);
});

test("counts events when the quarantine limit is 0", async (t) => {
  const { post, numbers } = await serveSender(t, { maxQuarantineBytes: 0, register: {} });
  assert.equal((await post([event()])).status, 200);
  assert.equal((await post([event({ campaign_id: undefined })])).status, 200);
  assert.equal((await post([event({ type: "nonsense" })])).status, 503);
  assert.deepEqual(await numbers("total_opens"), [1]);
});
