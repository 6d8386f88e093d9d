// What one request, one organization or one recipient can take is bounded, whatever is sent.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { type RecipientEvent, record, surveysKept } from "../../../src/campaign/events/recipient.ts";
import { startWriterThread } from "../../../src/counting/writer/writer-thread.ts";
import { AppError } from "../../../src/errors.ts";
import { event, serveSender } from "../../support/sending.ts";

test("413: a few packed bytes that stand for more values than the memory holds", async (t) => {
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
  // Text may hold what values are made of.
  const { body } = await postRaw(
    gzipSync(JSON.stringify({ events: [{ id: ",[{".repeat(300_000) }] })),
    packed,
  );
  assert.deepEqual(body.problems[0]?.reason, "no_campaign");
});

test("400: a whole document that is said to be lines", async (t) => {
  const { put, postRaw } = await serveSender(t);
  await put(1);
  const document = JSON.stringify({ events: [event()] });
  const { status, body } = await postRaw(document, { "content-type": "application/x-ndjson" });
  assert.deepEqual(
    [status, body.error_message],
    [400, "The request body is a single JSON document, not NDJSON; send Content-Type: application/json."],
  );
});

test("one organization takes half of the room at most, and one request is always taken", () => {
  const writing = startWriterThread({
    databaseUrl: "sqlite:unused",
    queueBytesMax: 100,
    quarantineMax: 0,
  });
  const giveBack = writing.reserve(1, 500);
  giveBack();
  giveBack();
  const first = writing.reserve(1, 40);
  assert.throws(() => writing.reserve(1, 20), AppError);
  const other = writing.reserve(2, 50);
  assert.throws(() => writing.reserve(3, 20), AppError);
  first();
  writing.reserve(1, 50)();
  other();
});

test("of the surveys of one recipient the first hundred by name are kept, in whatever order they come", () => {
  const answers = Array.from({ length: surveysKept + 50 }, (_, index): RecipientEvent => {
    const surveyId = String(1000 + ((index * 7) % (surveysKept + 50)));
    return { type: "survey", at: index, isAhead: false, id: "", surveyId, kind: "pulse", reaction: surveyId };
  });
  const [one, other] = [{}, {}] as Parameters<typeof record>[0][];
  for (const answer of answers) record(one ?? {}, answer);
  for (const answer of answers.toReversed()) record(other ?? {}, answer);
  const names = (recipient = one) => Object.keys(recipient?.surveys ?? {}).sort();
  assert.deepEqual(names(one), names(other));
  assert.deepEqual([names().length, names()[0], names().at(-1)], [100, "pulse 1000", "pulse 1099"]);
});
