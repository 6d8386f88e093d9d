// The server around the routes: error bodies, limits, logs, health checks and graceful shutdown.

import assert from "node:assert/strict";
import { once } from "node:events";
import test from "node:test";
import { errors } from "../../../src/errors.ts";
import { pick } from "../../support/pick.ts";
import { parseAnswer, rawConnection, rawRequest } from "../../support/raw-request.ts";
import { campaign, makeAcme, makeWorld, serve } from "../../support/world.ts";

const emails = "/data_api/v1/emails";
const closing = "Host: x\r\nConnection: close\r\n";

function assertErrorBody(text: string, code: keyof typeof errors): void {
  const { status, head, body } = parseAnswer(text);
  assert.equal(status, errors[code].status, text.slice(0, 200));
  assert.equal(body.error, code);
  assert.ok(body.error_message.length > 10);
  assert.deepEqual(Object.keys(body), ["error", "error_message"]);
  assert.match(head, /content-type: application\/json; charset=utf-8/i);
}

test("404: rejects an unknown path with the error body (specification 7, 9)", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const { message } = errors.not_found;
  const hint = `${message} GET /data_api/v1 lists the URLs of the API.`;
  for (const [path, error_message] of [
    ["/data_api", message],
    ["/data_api/v2/emails", message],
    [`${emails}/1`, hint],
    ["/data_api/v1/email?page=1", hint],
    ["//data_api/v1/emails", message],
    ["/%00", message],
  ] as const) {
    const { status, body, headers } = await service.get(path);
    assert.equal(status, 404, path);
    assert.deepEqual(body, { error: "not_found", error_message });
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
  }
});

test("405: rejects other methods before reading any body, and lists the allowed ones (specification 1)", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const paths = [
    ...[emails, `${emails}/`, "/data_api/v1/%65mails", "/data_api/v1", "/data_api/v1/"],
    ...["/data_api/v1/metrics.json", "/data_api/v1/openapi.json", "/healthz", "/readyz"],
  ];
  for (const path of paths) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "MKCOL"]) {
      const { status, body, headers } = await service.get(path, { method });
      assert.equal(status, 405, `${method} ${path}`);
      assert.deepEqual(body, {
        error: "method_not_allowed",
        error_message: `${method} is not allowed here; use GET or HEAD.`,
      });
      assert.equal(headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  }
  const answer = await rawRequest(
    service.port,
    `POST ${emails} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n{`,
  );
  assertErrorBody(answer, "method_not_allowed");
  // The router reads no line break in a part of a path.
  for (const format of ["csv", "xlsx"]) {
    const { status, body } = await service.get(`/data_api/v1/links/%0A.${format}`);
    assert.deepEqual([status, body.error], [404, "not_found"]);
  }
});

test("answers OPTIONS with 204 and the allowed methods", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const { status, text, headers } = await service.get(emails, { method: "OPTIONS" });
  assert.deepEqual([status, text, headers.get("allow")], [204, "", "GET, HEAD, OPTIONS"]);
  assert.equal((await service.get("/nowhere", { method: "OPTIONS" })).status, 404);
});

test("400: sends the error body when the HTTP parser rejects a request", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const malformed = [
    "nonsense\r\n\r\n",
    "GET\r\n\r\n",
    `GET ${emails} HTTP/9.9\r\n\r\n`,
    `GET ${emails} HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n`,
    `GET ${emails} HTTP/1.1\r\nHost: x\r\nName : value\r\n\r\n`,
    `GET ${emails} HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n`,
    `GET ${emails} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`,
    `GET ${emails} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  ];
  for (const bytes of malformed) {
    assertErrorBody(await rawRequest(service.port, bytes), "bad_request");
  }
  assertErrorBody(await rawRequest(service.port, `GET /%zz HTTP/1.1\r\n${closing}\r\n`), "bad_request");
});

test("408: rejects a head or a request that does not arrive in time, and closes silent connections", async (t) => {
  const limits = { headersMs: 500, requestMs: 1000, checkMs: 20, keepAliveMs: 300, silenceMs: 60_000 };
  const service = await serve(t, await makeWorld(t), { limits });
  const slowHead = rawConnection(service.port);
  slowHead.socket.write(`GET ${emails} HTTP/1.1\r\nHost: x\r\n`);
  const silent = rawConnection(service.port);
  // Generous limits for requests that must be answered on a busy computer.
  const patient = { ...limits, headersMs: 60_000, requestMs: 60_000 };
  const other = await serve(t, await makeWorld(t), { limits: patient });
  const slowBody = rawConnection(other.port);
  slowBody.socket.write("GET /nowhere-yet HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  const idle = rawConnection(other.port);
  idle.socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  assertErrorBody(await slowHead.closed, "request_timeout");
  assert.match(await slowBody.closed, /^HTTP\/1\.1 404 /);
  assert.match(await silent.closed, /^(HTTP\/1\.1 408 |$)/);
  assert.match(await idle.closed, /^HTTP\/1\.1 200 OK/);
  // The programs of readers open connections ahead of time, and nothing says whose they are.
  const [line] = service.logged.filter(({ status }) => status === 408);
  assert.equal(line?.msg, "request rejected by the parser");
  assert.doesNotMatch(JSON.stringify(line), /127\.0\.0\.1/);
});

test("413: rejects a body that is too large by its Content-Length", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const answer = await rawRequest(
    service.port,
    `GET ${emails} HTTP/1.1\r\n${closing}Content-Length: 1048577\r\n\r\n`,
  );
  assertErrorBody(answer, "payload_too_large");
});

test("answers a GET with a body as usual, and closes the connection (specification 4.1)", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const answer = await rawRequest(
    service.port,
    "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody",
  );
  assert.match(answer, /^HTTP\/1\.1 200 OK/);
  assert.match(answer, /connection: close/i);
});

test("431: rejects a head that is too large, and accepts one at the limit", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const ask = (length: number) =>
    rawRequest(service.port, `GET ${emails} HTTP/1.1\r\n${closing}X-Large: ${"a".repeat(length)}\r\n\r\n`);
  assertErrorBody(await ask(32_000), "unauthorized");
  assertErrorBody(await ask(33_000), "request_header_fields_too_large");
  const askUrl = (length: number) =>
    rawRequest(service.port, `GET ${emails}?x=${"a".repeat(length)} HTTP/1.1\r\n${closing}\r\n`);
  assertErrorBody(await askUrl(32_500), "unauthorized");
  assertErrorBody(await askUrl(33_000), "request_header_fields_too_large");
  assertErrorBody(await ask(300_000), "request_header_fields_too_large");
  const many = Array.from({ length: 1500 }, (_, index) => `X-${index}: ${"b".repeat(40)}`).join("\r\n");
  assertErrorBody(
    await rawRequest(service.port, `GET ${emails} HTTP/1.1\r\n${closing}${many}\r\n\r\n`),
    "request_header_fields_too_large",
  );
});

test("500: hides the cause of an internal error, and logs it with the request id", async (t) => {
  const { world, key } = await makeAcme(t);
  const broken = {
    ...world.database,
    snapshot: () => Promise.reject(new Error("disk of the secret kind")),
  };
  const service = await serve(t, world, { database: broken });
  const { status, body, headers } = await service.get(emails, { key });
  assert.equal(status, 500);
  assert.deepEqual(body, { error: "internal_error", error_message: errors.internal_error.message });
  const line = service.logged.find(
    ({ request_id, err }) => err && request_id === headers.get("x-request-id"),
  );
  assert.match(JSON.stringify(line), /disk of the secret kind/);
});

test("answers a parser error after the responses that are due on its connection", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const service = await serve(t, world);
  const answers = await rawRequest(
    service.port,
    `GET ${emails} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\nGET nonsense nonsense nonsense\r\n\r\n`,
  );
  const [first = "", second = ""] = answers.split(/(?=HTTP\/1\.1 400)/);
  assert.match(first, /^HTTP\/1\.1 200 OK/);
  assert.match(first, /"total_pages":1\}\}$/);
  assertErrorBody(second, "bad_request");
});

test("rejects each pipelined request separately, and survives a client that disconnects", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const service = await serve(t, world);
  const one = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const authorized = one(emails, `Authorization: Bearer ${key}\r\n`);
  const requests = [
    authorized,
    one(emails),
    authorized,
    one("/nowhere"),
    one("/healthz", "X-Request-Id: last\r\n"),
  ];
  const answers = await rawRequest(
    service.port,
    requests.join("").replace("X-Request-Id", "Connection: close\r\nX-Request-Id"),
  );
  const found = answers.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9));
  assert.deepEqual(found, ["200", "401", "200", "404", "200"]);
  assert.match(answers, /x-request-id: last\r\n/i);
  const gone = rawConnection(service.port);
  gone.socket.write(authorized.repeat(20));
  await once(gone.socket, "data");
  gone.socket.destroy();
  assert.equal((await service.get(emails, { key })).status, 200);
});

test("keeps the connection of a request that is rejected by its head", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const get = (line: string, rest = "") => `${line} HTTP/1.1\r\nhost: x\r\n${rest}\r\n`;
  const bytes =
    get("GET /nope") +
    get("DELETE /data_api/v1/emails") +
    get("GET /data_api/v1/emails") +
    get("GET /healthz", "connection: close\r\n");
  const answers = await rawRequest(service.port, bytes);
  const found = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(found, ["404", "405", "401", "200"]);
  assert.equal(answers.match(/connection: close/gi)?.length, 1);
});

test("keeps no more connections open than MAX_CONNECTIONS", async (t) => {
  const service = await serve(t, await makeWorld(t), { maxConnections: 2 });
  const held = [rawConnection(service.port), rawConnection(service.port)];
  for (const { socket } of held) {
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
  }
  assert.equal(await rawConnection(service.port).closed, "");
  assert.ok(service.logged.some(({ msg }) => String(msg).includes("MAX_CONNECTIONS")));
  held[0]?.socket.destroy();
  await held[0]?.closed;
  let answer = "";
  while (answer === "") answer = await rawRequest(service.port, `GET /healthz HTTP/1.1\r\n${closing}\r\n`);
  assert.match(answer, /^HTTP\/1\.1 200/);
  held[1]?.socket.destroy();
});

test("sends a request id with every response, the client's own if it is a plain one", async (t) => {
  const { key } = await (await makeWorld(t)).addOrganization();
  const service = await serve(t, await makeWorld(t));
  const id = async (given?: string, path = "/healthz") =>
    (await service.get(path, given === undefined ? {} : { headers: { "x-request-id": given } })).headers.get(
      "x-request-id",
    );
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  assert.match((await id()) ?? "", uuid);
  assert.match((await id(undefined, "/nowhere")) ?? "", uuid);
  assert.match((await id(undefined, "/%zz")) ?? "", uuid);
  assert.equal(await id("trace-4711"), "trace-4711");
  assert.equal(await id("0af7651916cd43dd8448eb211c80319c"), "0af7651916cd43dd8448eb211c80319c");
  for (const odd of [key, key.slice(-38), "a".repeat(65), "a b", "a\u00e9"])
    assert.match((await id(odd)) ?? "", uuid, odd);
});

test("logs each request as one line of JSON without any part of a key (specification 5)", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  const service = await serve(t, world);
  const secret = key.slice(key.lastIndexOf("_") + 1);
  const encoded = key.replaceAll("_", "%5F").replace("ea", "%65a");
  await service.get(`${emails}?page=2`, { key });
  await service.get(`${emails}?api_key=${key}&page=${key}`, { key });
  await service.get(`${emails}/${key}`);
  await service.get(`/${encoded}`);
  await service.get(`/${encodeURIComponent(encoded)};${key}`);
  await service.get(emails, {
    headers: { authorization: `Token ${key}`, "x-request-id": key, "user-agent": key },
  });
  await rawRequest(service.port, `GET ${emails}?${key} HTTP/1.1\r\nbad header ${key}\r\n\r\n`);
  await rawRequest(service.port, `GET /%zz${key} HTTP/1.1\r\n${closing}\r\n`);
  await service.stop();
  assert.ok(!service.log().includes(secret), service.log());
  const [line = {}] = service.logged;
  const { method, path, status, ip, organization: id } = line;
  const expected = { method: "GET", path: emails, status: 200, ip: "127.0.0.1", id: organization.id };
  assert.deepEqual({ method, path, status, ip, id }, expected);
  assert.equal(typeof line.ms, "number");
  const common = ["level", "time", "pid", "hostname"];
  const told = ["request_id", "method", "path", "status", "ms", "ip"];
  assert.deepEqual(Object.keys(line), [...common, ...told, "organization", "msg"]);
  const refused = service.logged.find(({ status, msg }) => msg === "request" && status === 401) ?? {};
  assert.deepEqual(Object.keys(refused), [...common, ...told, "msg"]);
  const logged = service.logged.filter(({ msg }) => msg === "request").map((each) => [each.path, each.ip]);
  assert.deepEqual(logged.slice(2), [
    ["/data_api/…", "127.0.0.1"],
    ["/(unknown)", "127.0.0.1"],
    ["/(unknown)", "127.0.0.1"],
    [emails, "127.0.0.1"],
    ["/(unknown)", undefined],
  ]);
});

test("logs the route of a request instead of what may be an address, and no IP address of a reader", async (t) => {
  const service = await serve(t, await makeWorld(t));
  const expected: [url: string, path: string, ip: string | undefined][] = [
    ["/campaigns/17/recipients?q=ann@example.com", "/campaigns/:id/recipients", "127.0.0.1"],
    ["/recipients/ann@example.com/clicks", "/(unknown)/…", "127.0.0.1"],
    ["/recipients/ann%2540example.com", "/(unknown)/…", "127.0.0.1"],
    ["/%74/o/YW5uQGIuYw==/more", "/(unknown)/…", undefined],
    ["/t/YW5uQGIuYw==", "/t/…", "127.0.0.1"],
    ["/proxy/t/o/YW5uQGIuYw", "/(unknown)/…", undefined],
    ["/YW5uQGIuYw", "/(unknown)", "127.0.0.1"],
  ];
  for (const [url] of expected) await (await fetch(service.url + url, { redirect: "manual" })).text();
  await service.stop();
  assert.deepEqual(
    pick(
      service.logged.filter(({ msg }) => msg === "request"),
      "path",
      "ip",
    ),
    expected.map(([, path, ip]) => [path, ip]),
  );
});

test("logs health checks at debug level only, unless they fail", async (t) => {
  const service = await serve(t, await makeWorld(t));
  await service.get("/healthz");
  await service.get("/readyz");
  await service.get("/healthz", { method: "POST" });
  await service.get("/nowhere", { headers: { "x-request-id": "one" } });
  await service.stop();
  const lines = service.logged.filter(({ msg }) => msg === "request");
  assert.deepEqual(pick(lines, "level", "path", "status"), [
    [20, "/healthz", 200],
    [20, "/readyz", 200],
    [30, "/healthz", 405],
    [30, "/(unknown)", 404],
  ]);
  assert.equal(lines[3]?.request_id, "one");
});

test("trusts X-Forwarded-For only from a trusted proxy", async (t) => {
  const world = await makeWorld(t);
  const ipOf = async (trustedProxies: string[], forwarded = "203.0.113.7, 10.1.2.3") => {
    const service = await serve(t, world, { trustedProxies });
    await service.get("/healthz", { headers: { "x-forwarded-for": forwarded } });
    await service.stop();
    return service.logged[0]?.ip;
  };
  assert.equal(await ipOf([]), "127.0.0.1");
  assert.equal(await ipOf(["192.0.2.0/24"]), "127.0.0.1");
  assert.equal(await ipOf(["127.0.0.1"]), "10.1.2.3");
  assert.equal(await ipOf(["127.0.0.1"], "ea_us_1_secret"), "(unreadable)");
  assert.equal(await ipOf(["127.0.0.0/8", "10.0.0.0/8"]), "203.0.113.7");
});

test("healthz checks the process, readyz checks its database", async (t) => {
  const world = await makeWorld(t);
  const service = await serve(t, world, { limits: { readyMs: 60_000 } });
  for (const path of ["/healthz", "/readyz"]) {
    const { status, text } = await service.get(path);
    assert.deepEqual([status, text], [200, '{"status":"ok"}']);
  }
  const broken = await serve(t, world, {
    database: { ...world.database, snapshot: () => Promise.reject(new Error("gone")) },
  });
  assert.equal((await broken.get("/healthz")).status, 200);
  const { status, body } = await broken.get("/readyz");
  assert.deepEqual([status, body.error], [503, "unavailable"]);
});
