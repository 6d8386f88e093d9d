// One request of a pull: its encoding and its time limit.

import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { parseRetryAfter } from "../../../src/cli/pull/hosted-service.ts";
import { sendRequest } from "../../../src/cli/pull/send-request.ts";
import { endWaitsSoon } from "../../support/end-waits-soon.ts";
import { startServer } from "../../support/start-server.ts";

/** A server on this computer, and its URL with a host name. */
async function listen(t: TestContext, respond: RequestListener): Promise<URL> {
  return new URL(`http://localhost:${(await startServer(t, respond)).port}/`);
}

const never = new AbortController().signal;

test("an answer is decompressed, and loses its byte order mark", async (t) => {
  const url = await listen(t, (_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("\ufefftext"));
  });
  const { status, body } = await sendRequest(url, {}, never);
  assert.deepEqual([status, body], [200, "text"]);
});

test("an answer that takes too long fails, before and after its headers", async (t) => {
  endWaitsSoon(t);
  for (const start of [() => undefined, (response: Parameters<RequestListener>[1]) => response.write("{")]) {
    const url = await listen(t, (_request, response) => {
      start(response);
    });
    await assert.rejects(sendRequest(url, {}, never), { message: "no complete answer within 120 s" });
  }
});

test("parses Retry-After in seconds and as a date", () => {
  const now = Date.UTC(2026, 0, 1);
  assert.equal(parseRetryAfter("120", now), 120_000);
  assert.equal(parseRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now), 60_000);
  assert.equal(parseRetryAfter("Wed, 31 Dec 2025 00:01:00 GMT", now), 0);
  assert.equal(parseRetryAfter("soon", now), undefined);
  assert.equal(parseRetryAfter(null, now), undefined);
});
