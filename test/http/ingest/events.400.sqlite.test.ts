// POST /ingest/v1/events: whole batches rejected with 400, 405, 413 and 415.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { pick } from "../../support/pick.ts";
import { rawConnection } from "../../support/raw-request.ts";
import { refusal } from "../../support/refusal.ts";
import { campaignsPath, event, eventsPath, serveSender } from "../../support/serve-sender.ts";

test("400: rejects a body that is not JSON or has no list of events, and names the accepted forms", async (t) => {
  const { postRaw, numbers } = await serveSender(t, { register: {} });
  const wanted = 'send {"events": [...]}, or NDJSON with Content-Type: application/x-ndjson.';
  const one = JSON.stringify(event());
  const cases: [body: string, message: RegExp | string][] = [
    ["", /^The request body is not valid JSON: ./],
    ["{", /^The request body is not valid JSON: ./],
    ['{"events":[}', /^The request body is not valid JSON: ./],
    [`${one}\n${one}`, /^The request body is not valid JSON: ./],
    [`{"events":[${one}`, /^The request body is not valid JSON: ./],
    [one, `events: is missing; ${wanted}`],
    [`[${one}]`, `The body is a bare list; ${wanted}`],
    ["null", `events: is missing; ${wanted}`],
    ["5", `events: is missing; ${wanted}`],
    ['{"events":null}', `events: null is not a list of events; ${wanted}`],
    ['{"events":{}}', `events: {} is not a list of events; ${wanted}`],
    ['{"events":"all"}', `events: "all" is not a list of events; ${wanted}`],
  ];
  for (const [body, message] of cases) {
    const { status, body: answer } = await postRaw(body);
    assert.deepEqual([status, answer.error], [400, "bad_request"], body);
    if (typeof message === "string") assert.equal(answer.error_message, message);
    else assert.match(answer.error_message, message);
  }
  assert.deepEqual(await numbers("total_opens"), [0]);
});

test("400: rejects a body that is not UTF-8, or not compressed as declared", async (t) => {
  const { postRaw } = await serveSender(t);
  const noText = Buffer.from('{"events":["\xff"]}', "latin1");
  const whole = gzipSync('{"events":[]}');
  const packed = { "content-encoding": "gzip" };
  const notText = "The request body is not valid UTF-8.";
  const notPacked = "The request body is not valid gzip, although its Content-Encoding is gzip.";
  const cases: [Uint8Array | string, Record<string, string>, string][] = [
    [noText, {}, notText],
    [gzipSync(noText), packed, notText],
    ['{"events":[]}', packed, notPacked],
    ["", packed, notPacked],
    [whole.subarray(0, -1), packed, notPacked],
    [Buffer.concat([whole, Buffer.from("more")]), packed, notPacked],
  ];
  for (const [body, headers, message] of cases) {
    const { status, body: answer } = await postRaw(body, headers);
    assert.deepEqual([status, answer], refusal(400, "bad_request", message));
  }
});

test("405: rejects other methods for campaigns and events, and lists the allowed ones", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  for (const [path, allowed, others] of [
    [eventsPath, "POST", ["GET", "HEAD", "PUT", "PATCH", "DELETE"]],
    [`${eventsPath}/`, "POST", ["GET"]],
    [`${campaignsPath}/1`, "GET, HEAD, PUT, PATCH, DELETE", ["POST"]],
    [`${campaignsPath}/weekly`, "GET, HEAD, PUT, PATCH, DELETE", ["POST"]],
  ] as const) {
    for (const method of others) {
      const { status, body, headers } = await service.send(path, { method, key: ingestKey });
      assert.deepEqual([status, headers.get("allow")], [405, `${allowed}, OPTIONS`], `${method} ${path}`);
      if (method === "HEAD") continue;
      assert.deepEqual(body, {
        error: "method_not_allowed",
        error_message: `${method} is not allowed here; use ${allowed.replaceAll(", ", " or ")}.`,
      });
    }
    const options = await service.send(path, { method: "OPTIONS" });
    assert.deepEqual([options.status, options.headers.get("allow")], [204, `${allowed}, OPTIONS`]);
  }
});

test("413: rejects a batch larger than 5 MiB by its Content-Length, before its body is sent", async (t) => {
  const { service, ingestKey } = await serveSender(t);
  const connection = rawConnection(service.port);
  connection.socket.write(
    `POST ${eventsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestKey}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 5242881\r\n\r\n",
  );
  const answer = await connection.closed;
  assert.match(answer, /^HTTP\/1\.1 413 Payload Too Large\r\n/);
  assert.match(answer, /\r\nconnection: close\r\n/i);
  const message =
    /\r\n\r\n\{"error":"payload_too_large","error_message":"The request body is larger than 5242880 bytes\."\}$/;
  assert.match(answer, message);
});

test("413: rejects a chunked batch once it exceeds 5 MiB", async (t) => {
  const { service, ingestKey, numbers } = await serveSender(t, { register: {} });
  const connection = rawConnection(service.port);
  const text = JSON.stringify({ events: [event()] }).padEnd(64 * 1024);
  connection.socket.write(
    `POST ${eventsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ingestKey}\r\n` +
      "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
      `10000\r\n${text}\r\n${`10000\r\n${" ".repeat(64 * 1024)}\r\n`.repeat(80)}0\r\n\r\n`,
  );
  const answer = await connection.closed;
  assert.match(answer, /^HTTP\/1\.1 413 Payload Too Large\r\n/);
  assert.match(answer, /\{"error":"payload_too_large","error_message":"The request body is [^"]+"\}$/);
  assert.deepEqual(await numbers("total_opens"), [0]);
});

test("413: rejects more than 5,000 events in a batch, and counts no event of it", async (t) => {
  const { post, postRaw, numbers } = await serveSender(t, { register: {} });
  const events = Array.from({ length: 5_001 }, () => event());
  const lines = events.map((each) => JSON.stringify(each)).join("\n");
  const ndjson = { "content-type": "application/x-ndjson" };
  for (const { status, body } of [await post(events), await postRaw(lines, ndjson)]) {
    const message = "The request has 5001 events; a request may have up to 5000.";
    assert.deepEqual([status, body], refusal(413, "payload_too_large", message));
  }
  assert.deepEqual(await numbers("total_opens"), [0]);
});

test("413: rejects a batch that decompresses to more than 50 MiB", async (t) => {
  const { postRaw } = await serveSender(t);
  const bomb = gzipSync(`{"events":[${" ".repeat(50 * 1024 * 1024)}]}`);
  assert.ok(bomb.length < 100_000);
  const { status, body } = await postRaw(bomb, { "content-encoding": "gzip" });
  const message = "The decompressed request body is larger than 52428800 bytes.";
  assert.deepEqual([status, body], refusal(413, "payload_too_large", message));
});

test("415: rejects a batch whose type is not JSON or NDJSON, or whose encoding is not gzip", async (t) => {
  const { postRaw, service, ingestKey } = await serveSender(t);
  const body = JSON.stringify({ events: [] });
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonl", "text/json"]) {
    const { status, body: answer } = await postRaw(body, { "content-type": type });
    const message = `Content-Type: "${type}" is not supported; use application/json or application/x-ndjson or application/ndjson.`;
    assert.deepEqual([status, answer], refusal(415, "unsupported_media_type", message));
  }
  const none = rawConnection(service.port);
  none.socket.write(
    `POST ${eventsPath} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${ingestKey}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  assert.match(await none.closed, /^HTTP\/1\.1 415 .+Content-Type: none is not supported/s);
  for (const encoding of ["br", "deflate", "compress", "zstd", "gzip, gzip", "gzip, br"]) {
    const { status, body: answer } = await postRaw(body, { "content-encoding": encoding });
    const expected = [415, `Content-Encoding: "${encoding}" is not supported; use gzip or none.`];
    assert.deepEqual([status, answer.error_message], expected);
  }
});

test("logs only the status of a rejected batch", async (t) => {
  const { service, postRaw } = await serveSender(t);
  await postRaw('{"events":["ann@example.com"');
  await postRaw("ann@example.com", { "content-encoding": "gzip" });
  await service.stop();
  assert.ok(!service.log().includes("ann@"), service.log());
  assert.deepEqual(pick(service.logged, "status", "path"), [
    [400, eventsPath],
    [400, eventsPath],
  ]);
});
