// Batches of events: their formats and limits.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { batchLimits, parseEventBatch, parseEventLine } from "../../../src/counting/events/event-batch.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const eventsOf = (text: string, format: "json" | "ndjson") =>
  parseEventBatch(bytes(text), format, false).events;
const inputs = (text: string, format: "json" | "ndjson") => eventsOf(text, format).map(({ input }) => input);

test("reads the list of a document, and each line that is not empty", () => {
  assert.deepEqual(inputs('{"events": [{"id": 1}, 2]}', "json"), [{ id: 1 }, 2]);
  assert.deepEqual(inputs('\n{"id": 1}\r\n \n{"id": 2}', "ndjson"), [{ id: 1 }, { id: 2 }]);
  assert.deepEqual(inputs('{"id": 1}\n', "ndjson"), [{ id: 1 }]);
  assert.deepEqual(inputs("", "ndjson"), []);
});

test("reads a compressed body, and says how long it is without compression", () => {
  const text = '{"events": [{"id": 1}]}';
  assert.deepEqual(parseEventBatch(gzipSync(text), "json", true), {
    events: [{ input: { id: 1 } }],
    bytes: text.length,
  });
  const spaces = (length: number) =>
    parseEventBatch(gzipSync(Buffer.alloc(length, " "), { level: 1 }), "ndjson", true);
  assert.equal(spaces(50 * 1024 * 1024).bytes, 50 * 1024 * 1024);
  assert.throws(() => spaces(50 * 1024 * 1024 + 1), { code: "payload_too_large" });
  assert.equal(batchLimits.maxCompressedBytes, 5 * 1024 * 1024);
});

test("says what is wrong with a document", () => {
  const send = 'send {"events": [...]}, or NDJSON with Content-Type: application/x-ndjson.';
  const problems = {
    "{}": "events: is missing",
    null: "events: is missing",
    '{"events": {}}': "events: {} is not a list of events",
    "[]": "The body is a bare list",
  };
  for (const [text, problem] of Object.entries(problems)) {
    assert.throws(() => eventsOf(text, "json"), { code: "bad_request", message: `${problem}; ${send}` });
  }
});

test("refuses a document that is sent as NDJSON, and no event that has a list of its own", () => {
  assert.throws(() => eventsOf('{"events": [{"id": 1}]}\n', "ndjson"), { code: "bad_request" });
  assert.equal(eventsOf('{"id": 1}\n{"events": []}', "ndjson").length, 2);
  assert.equal(eventsOf('{"campaign_id": 1, "events": []}', "ndjson").length, 1);
});

test("accepts up to 5,000 events", () => {
  assert.equal(eventsOf("1\n".repeat(5_000), "ndjson").length, 5_000);
  assert.throws(() => eventsOf("1\n".repeat(5_001), "ndjson"), {
    code: "payload_too_large",
    message: "The request has 5001 events; a request may have up to 5000.",
  });
});

test("takes a line that cannot be read for an event with the reason", () => {
  assert.deepEqual(parseEventLine(bytes('\ufeff {"id": 1} ')), { input: { id: 1 } });
  assert.equal(parseEventLine(bytes("\ufeff")), undefined);
  assert.deepEqual(parseEventLine(bytes("{")), { input: undefined, unreadable: "is not valid JSON" });
  const unreadable = { input: undefined, unreadable: "is not UTF-8 text" };
  assert.deepEqual(parseEventLine(Uint8Array.of(0x22, 0xff, 0x22)), unreadable);
});
