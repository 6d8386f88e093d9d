// Requests that are rejected by their head alone: Host (RFC 9112, section 3.2) and Expect (RFC 9110, section 10.1.1).

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { parseAnswer, rawRequest } from "../../support/raw-request.ts";
import { makeWorld, serve } from "../../support/world.ts";

async function served(test: TestContext) {
  const service = await serve(test, await makeWorld(test));
  const ask = async (line: string, headers: string[]) => {
    const answer = await rawRequest(
      service.port,
      `${[line, ...headers, "Connection: close", "X-Request-Id: mine"].join("\r\n")}\r\n\r\n`,
    );
    assert.match(answer, /x-request-id: mine\r\n/i, answer);
    return answer;
  };
  return { service, ask };
}

test("400: rejects two Host headers, an invalid one and a missing one, with a request id and a line in the log", async (t) => {
  const { service, ask } = await served(t);
  const invalid = (host: string) =>
    `Host: ${JSON.stringify(host)} is not a host name or IP address, with or without a port.`;
  const cases: [headers: string[], message: string][] = [
    [["Host: a", "host: b"], "The request has 2 Host headers. Send one."],
    [["Host: a", "HOST: a", "Host: a"], "The request has 3 Host headers. Send one."],
    [[], "The Host header is missing. HTTP/1.1 requires it."],
    ...["a b", "a/b", "user@a", "a?b", "a#b", "a:b", "a:80:80", "[::1", "[x]", "::1", "%4", "a\tb"].map(
      (host): [string[], string] => [[`Host: ${host}`], invalid(host)],
    ),
  ];
  for (const [headers, message] of cases) {
    const { status, body } = parseAnswer(await ask("GET /healthz HTTP/1.1", headers));
    assert.equal(status, 400, message);
    assert.deepEqual(body, { error: "bad_request", error_message: message });
  }
  const old = parseAnswer(await ask("GET /healthz HTTP/1.0", ["Host: a", "Host: b"]));
  assert.equal(old.body.error_message, "The request has 2 Host headers. Send one.");
  await service.stop();
  assert.deepEqual(
    service.logged.map(({ request_id, path, status, msg }) => [request_id, path, status, msg]),
    [...cases, old].map(() => ["mine", "/healthz", 400, "request"]),
  );
});

test("accepts every valid Host: a name, an address, a port, percent-encoded or empty", async (t) => {
  const { ask } = await served(t);
  const hosts = [
    "a",
    "A.example.com:8080",
    "127.0.0.1:",
    "[::1]",
    "[2001:DB8::1]:80",
    "a_b-c~d",
    "%C3%A9",
    "",
  ];
  for (const host of hosts) {
    assert.match(await ask("GET /healthz HTTP/1.1", [`Host: ${host}`]), /^HTTP\/1\.1 200 OK/, host);
  }
  assert.match(await ask("GET /healthz HTTP/1.0", []), /^HTTP\/1\.1 200 OK/);
});

test("417: rejects an unknown Expect header, with a request id and a line in the log", async (t) => {
  const { service, ask } = await served(t);
  const { status, body } = parseAnswer(
    await ask("POST /ingest/v1/events HTTP/1.1", ["Host: x", "Expect: wonders", "Content-Length: 9"]),
  );
  assert.equal(status, 417);
  assert.deepEqual(body, {
    error: "expectation_failed",
    error_message: "The Expect header supports only 100-continue.",
  });
  assert.match(await ask("GET /healthz HTTP/1.0", ["Expect: wonders"]), /^HTTP\/1\.1 200 OK/);
  assert.match(
    await ask("GET /healthz HTTP/1.1", ["Host: x", "Expect: 100-Continue"]),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
  );
  await service.stop();
  const [line] = service.logged;
  assert.deepEqual([line?.request_id, line?.path, line?.status], ["mine", "/ingest/v1/events", 417]);
});

test("405: rejects CONNECT, with a request id and a line in the log", async (t) => {
  const { service, ask } = await served(t);
  const { status } = parseAnswer(await ask("CONNECT x:443 HTTP/1.1", ["Host: x"]));
  assert.equal(status, 405);
  const [line] = service.logged;
  assert.deepEqual(
    [line?.request_id, line?.method, line?.status, line?.ip],
    ["mine", "CONNECT", 405, "127.0.0.1"],
  );
});
