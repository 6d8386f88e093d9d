// Request targets of every form: what is answered, logged and routed (RFC 9112, section 3.2).

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { pick } from "../../support/pick.ts";
import { randomCases } from "../../support/random-cases.ts";
import { parseAnswer, rawRequest } from "../../support/raw-request.ts";
import { makeWorld, type Service, serve } from "../../support/world.ts";

async function served(test: TestContext) {
  const service = await serve(test, await makeWorld(test));
  const ask = (target: string, method = "GET") => request(service, `${method} ${target}`);
  return { service, ask };
}

const request = ({ port }: Service, line: string, headers = "") =>
  rawRequest(port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);

test("400: rejects a target with a fragment, and one that cannot be decoded, and names it", async (t) => {
  const { service, ask } = await served(t);
  const targets = ["/x#%ff", "/healthz#a", "/x?y#z", "/%ff", "/%", "/x;%ff", "ftp://x/healthz", "http://[/x"];
  for (const target of targets) {
    for (const method of ["GET", "OPTIONS"]) {
      const { status, body } = parseAnswer(await ask(target, method));
      assert.equal(status, 400, target);
      assert.deepEqual(body, {
        error: "bad_request",
        error_message: `The URL "${target}" is invalid. Send a path that starts with "/", has no "#", and is percent-encoded UTF-8.`,
      });
    }
  }
  await service.stop();
  const expected = targets.flatMap(() => ["GET", "OPTIONS"].map((method) => [30, method, 400, "request"]));
  assert.deepEqual(pick(service.logged, "level", "method", "status", "msg"), expected);
});

test("400: rejects two Host headers, or none over HTTP/1.1", async (t) => {
  const { service } = await served(t);
  for (const [version, headers, status] of [
    ["1.1", "Host: x\r\nHost: y\r\n", 400],
    ["1.1", "Host: x\r\nhost: x\r\n", 400],
    ["1.1", "", 400],
    ["1.0", "Host: x\r\nHost: x\r\n", 400],
    ["1.0", "", 200],
    ["1.1", "Host:\r\n", 200],
  ] as const) {
    const head = `GET /healthz HTTP/${version}\r\nConnection: close\r\n${headers}\r\n`;
    const answer = parseAnswer(await rawRequest(service.port, head));
    assert.equal(answer.status, status, head);
    if (status === 400) {
      const hosts = headers.split("\r\n").length - 1;
      const message = `The request has ${hosts} Host headers. Send exactly one.`;
      assert.deepEqual(answer.body, { error: "bad_request", error_message: message });
    }
  }
});

test("400: accepts * only with OPTIONS, and no user name before the host", async (t) => {
  const { ask } = await served(t);
  const statusOf = async (answer: Promise<string>) => Number((await answer).slice(9, 12));
  assert.equal(await statusOf(ask("*")), 400);
  assert.equal(await statusOf(ask("*", "OPTIONS")), 404);
  assert.equal(await statusOf(ask("http://name@x/healthz")), 400);
  assert.equal(await statusOf(ask("http://n%ff@x/nowhere")), 400);
});

test("treats an absolute URL like its path, in routes, errors, redirects and the log", async (t) => {
  const { service, ask } = await served(t);
  assert.match(await ask("http://other.example.com/healthz"), /^HTTP\/1\.1 200 .*\{"status":"ok"\}$/s);
  assert.match(await ask("HTTPS://x:443?a"), /^HTTP\/1\.1 303 .*location: \/sign-in\?to=%2F%3Fa\r\n/s);
  assert.match(await ask("http://x/healthz", "DELETE"), /^HTTP\/1\.1 405 .*allow: GET, HEAD, OPTIONS\r\n/s);
  await service.stop();
  assert.deepEqual(pick(service.logged, "path", "status"), [
    ["/healthz", 200],
    ["/", 303],
    ["/healthz", 405],
  ]);
});

test("logs no IP address, token or password of a URL that cannot be decoded", async (t) => {
  const { service, ask } = await served(t);
  await ask("/t/o/token%ff");
  await ask("http://name:password@x/t/o/token");
  await ask("http://name:password@x/nowhere");
  await service.stop();
  assert.deepEqual(pick(service.logged, "path", "ip"), [
    ["/t/…", undefined],
    ["/t/o/:token", undefined],
    ["/(unknown)/…", undefined],
  ]);
});

const piece = fc.constantFrom(
  ...["/", "//", "\\", "#", "?", ";", "&", "=", "*", "..", ":", "@", "[", "]", " ", "\u00e9", "\u0001", "x"],
  ...["%", "%f", "%ff", "%00", "%0d%0a", "%2f", "%23", "%25", "%2e%2e", "%f0%9f%92%a9", "http://", "a://"],
  ...["/healthz", "/data_api/v1/emails", "/ingest/v1/webhooks/", "/t/o/", "/campaigns/", "/settings"],
  ...["/assets/"],
);
const target = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND");
const accept = fc.constantFrom("*/*", "text/html");

test("answers every target with a request id and one line of the log, and never with an internal error", async (t) => {
  const { service } = await served(t);
  let asked = 0;
  const property = fc.asyncProperty(
    method,
    fc.tuple(fc.constantFrom("", "/"), target),
    accept,
    async (verb, text, type) => {
      asked++;
      const answer = await request(service, `${verb} ${text.join("")}`, `Accept: ${type}\r\n`);
      assert.match(answer, /^HTTP\/1\.1 [234]\d\d .*x-request-id: /is);
    },
  );
  await fc.assert(property, { numRuns: randomCases(200) });
  await service.stop();
  const found = service.logged.filter(({ level }) => Number(level) > 30);
  assert.deepEqual(found, []);
  assert.equal(service.logged.length, asked);
});
