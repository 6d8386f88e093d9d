// Limits on what one request, one organization or one recipient can use.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { startWriterThread } from "../../../src/counting/writer/writer-thread.ts";
import { AppError } from "../../../src/errors.ts";
import { event, serveSender } from "../../support/serve-sender.ts";

test("413: rejects a small compressed body that expands to more values than fit in memory", async (t) => {
  const { postRaw } = await serveSender(t);
  const packed = { "content-encoding": "gzip" };
  const ndjson = { ...packed, "content-type": "application/x-ndjson" };
  const bodies: [string, Record<string, string>][] = [
    [`{"events":[${"{},".repeat(600_000)}{}]}`, packed],
    ["[]\n".repeat(600_000), ndjson],
    [`{"events":[{"id":[${"1,".repeat(600_000)}1]}]}`, packed],
  ];
  for (const [body, headers] of bodies) {
    const { status, body: answer } = await postRaw(gzipSync(body), headers);
    assert.equal(status, 413);
    assert.match(answer.error_message, /^The request body has \d+ values; the maximum is 500000/);
  }
  // Brackets and commas inside strings are not values.
  const { body } = await postRaw(
    gzipSync(JSON.stringify({ events: [{ id: ",[{".repeat(300_000) }] })),
    packed,
  );
  assert.deepEqual(body.problems[0]?.reason, "no_campaign");
});

test("400: rejects a JSON document that is declared as NDJSON", async (t) => {
  const { postRaw } = await serveSender(t, { register: {} });
  const document = JSON.stringify({ events: [event()] });
  const { status, body } = await postRaw(document, { "content-type": "application/x-ndjson" });
  const message =
    "The request body is a single JSON document, not NDJSON; send Content-Type: application/json.";
  assert.deepEqual([status, body.error_message], [400, message]);
});

test("gives reserved space of the ingest queue back once", () => {
  const limits = { maxQueueBytes: 100, maxQuarantineBytes: 0 };
  const writer = startWriterThread({ databaseUrl: "sqlite:unused", ...limits });
  const giveBack = writer.reserve(1, 500);
  giveBack();
  giveBack();
  writer.reserve(1, 40);
  assert.throws(() => writer.reserve(1, 20), AppError);
});
