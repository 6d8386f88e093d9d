// The command `serve`, as a real process: how it starts, what it says, and how it stops.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { serveOnFreePort, start, urlOf, withoutDelays } from "../../support/process.ts";
import { campaign, makeDatabase, makeWorld, run } from "../../support/world.ts";

test("serve on a new database creates its tables, prints where it listens, and logs JSON on standard error", async (t) => {
  const server = start(t, serveOnFreePort, { DATABASE_URL: await makeDatabase(t, { isEmpty: true }) });
  const url = await urlOf(server);
  assert.equal(server.stdout(), `${JSON.stringify({ url })}\n`);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);

  const health = await fetch(`${url}/readyz`);
  assert.deepEqual([health.status, await health.text()], [200, '{"status":"ok"}']);
  const refused = await fetch(`${url}/data_api/v1/emails`);
  assert.equal(refused.status, 401);
  assert.deepEqual(Object.keys((await refused.json()) as object), ["error", "error_message"]);

  assert.equal(await server.stop(), 0);
  const logged = withoutDelays(server.stderr()).trimEnd().split("\n");
  const messages = logged.map((line) => (JSON.parse(line) as { msg: string }).msg);
  const hint = "there is no organization yet; add one: email-analytics organization add --name NAME";
  assert.deepEqual(messages, ["listening", hint, "request", "stopping", "stopped"]);
  const { service, region, migrated } = JSON.parse(logged[0] ?? "") as Record<string, unknown>;
  assert.deepEqual(
    [service, region, migrated],
    [
      "email-analytics",
      "test",
      [
        "0001_campaigns",
        "0002_events",
        "0003_sources",
        "0004_leases",
        "0005_timeline",
        "0006_web",
        "0007_search",
        "0008_hours",
        "0009_numbers",
      ],
    ],
  );
});

test("people are told the address of the endpoint, and LOG_LEVEL says how much is logged", async (t) => {
  const DATABASE_URL = await makeDatabase(t);
  const server = start(t, ["serve"], { DATABASE_URL, PORT: "0", HOST: "localhost", LOG_LEVEL: "warn" });
  const [line, url] = await server.printed(/^email-analytics serves (http:\S+)\/data_api\/v1\/emails, .*\n$/);
  assert.match(line, / \(Ctrl-C to stop\)\n$/);
  assert.match(String(url), /^http:\/\/localhost:\d+$/);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal(await server.stop("SIGINT"), 0);
  assert.equal(withoutDelays(server.stderr()), "");
});

test("PUBLIC_URL stands in links, and the address it listens on where it is not set", async (t) => {
  const world = await makeWorld(t);
  const { key } = await world.addOrganization();
  const headers = { authorization: `Bearer ${key}` };
  for (const [PUBLIC_URL, expected] of [
    ["https://a.example.com/x/", "https://a.example.com/x"],
    ["", undefined],
  ]) {
    const environment = {
      DATABASE_URL: world.databaseUrl,
      LOG_LEVEL: "silent",
      PUBLIC_URL: PUBLIC_URL ?? "",
    };
    const server = start(t, serveOnFreePort, environment);
    const url = await urlOf(server);
    const answer = await fetch(`${url}/data_api/v1/emails`, { headers });
    const link = `<${expected ?? url}/data_api/v1/emails?page=1&per_page=10>; rel="first"`;
    assert.equal(answer.headers.get("link"), link);
    assert.equal(await server.stop(), 0);
  }
});

test("a port that is in use is one clear line and exit code 1", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  const environment = { DATABASE_URL: await makeDatabase(t), PORT: String(port) };
  const server = start(t, ["serve"], environment);
  assert.equal(await server.ended, 1);
  assert.equal(server.stderr(), `error: port ${port} of 127.0.0.1 is in use; choose another with --port\n`);
  assert.equal(server.stdout(), "");
});

test("a host that this machine does not have is one clear line and exit code 1", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const { exitCode, stdout, stderr } = await run(databaseUrl, [
    "serve",
    "--host",
    "192.0.2.1",
    "--port",
    "0",
  ]);
  assert.deepEqual([exitCode, stdout], [1, ""]);
  assert.equal(stderr, "error: cannot listen on 192.0.2.1, port 0 (EADDRNOTAVAIL)\n");
});

test("on SIGTERM a running answer finishes although its reader is slow, new connections are refused, and it exits 0", async (t) => {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  const filler = "x".repeat(60_000);
  const large = Array.from({ length: 100 }, (_, index) =>
    campaign({ id: index + 1, subject: filler, sentFrom: filler, team: filler, recipients: filler }),
  );
  await world.save(organization, large);
  const server = start(t, serveOnFreePort, { DATABASE_URL: world.databaseUrl });
  const port = Number(new URL(await urlOf(server)).port);

  // More than the sockets hold between them: most of the answer is still to be sent when the server is told to stop.
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET /data_api/v1/emails?per_page=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  server.child.kill("SIGTERM");
  while (!server.stderr().includes('"stopping"')) await once(server.child.stderr, "data");
  while (await isListening(port)) await pause(20);

  const pieces = [first];
  for await (const piece of socket) pieces.push(piece as Buffer);
  const answer = Buffer.concat(pieces).toString();
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
  assert.equal(Number(/content-length: (\d+)/i.exec(head)?.[1]), Buffer.byteLength(body));
  assert.equal((JSON.parse(body) as { emails: unknown[] }).emails.length, 100);
  assert.equal(await server.ended, 0);
  assert.match(server.stderr(), /"status":200/);
  assert.match(server.stderr(), /"msg":"stopped"\}\n$/);
});

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    // Reset: it was accepted by the system in the moment in which the server stopped listening.
    assert.match((error as NodeJS.ErrnoException).code ?? "", /^(ECONNREFUSED|ECONNRESET)$/);
    return false;
  } finally {
    socket.destroy();
  }
}

test("connections that wait for nothing do not hold up the stop", async (t) => {
  const DATABASE_URL = await makeDatabase(t);
  const server = start(t, serveOnFreePort, { DATABASE_URL });
  const port = Number(new URL(await urlOf(server)).port);
  const silent = connect(port, "127.0.0.1");
  const idle = connect(port, "127.0.0.1");
  idle.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await Promise.all([once(silent, "connect"), once(idle, "data")]);
  const gone = Promise.all([once(silent, "close"), once(idle, "close")]);
  assert.equal(await server.stop(), 0);
  await gone;
});

test("a change that another process makes shows in the very next answer", async (t) => {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  const server = start(t, serveOnFreePort, { DATABASE_URL: world.databaseUrl });
  const url = await urlOf(server);
  const get = async () => {
    const answer = await fetch(`${url}/data_api/v1/emails`, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, text: await answer.text() };
  };
  assert.match((await get()).text, /"subject":"Campaign 1","sent_at":"Jan 1, 2024 9:00 AM"/);
  await run(world.databaseUrl, [
    "organization",
    "change",
    "--organization",
    "1",
    "--time-zone",
    "Asia/Tokyo",
  ]);
  assert.match((await get()).text, /"sent_at":"Jan 1, 2024 6:00 PM"/);
  await run(world.databaseUrl, ["campaign", "delete", "--organization", "1", "--id", "1", "--yes"]);
  assert.match((await get()).text, /^\{"emails":\[\],/);
  await run(world.databaseUrl, ["key", "delete", "--organization", "1", "--id", "1"]);
  assert.equal((await get()).status, 401);
  assert.equal(await server.stop(), 0);
  assert.equal(server.stderr().includes(key.slice(-38)), false);
});
