// `serve` in a real process: how it starts, what it prints, and how it stops.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, renameSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { serveOnFreePort, start, urlOf } from "../../support/process.ts";
import { startServer } from "../../support/start-server.ts";
import { campaign, makeAcme, makeDatabase, makeSqliteWorld, makeWorld, run } from "../../support/world.ts";

test("serve creates a new database, prints its URL, and logs JSON on standard error", async (t) => {
  const server = start(t, serveOnFreePort, { DATABASE_URL: await makeDatabase(t, { isEmpty: true }) });
  const url = await urlOf(server);
  const { set_up: setUp, ...printed } = JSON.parse(server.stdout()) as { set_up: string };
  assert.deepEqual(printed, { url });
  assert.match(setUp, /^http:\/\/127\.0\.0\.1:\d+\/set-up\/[0-9a-f]{64}$/);
  assert.match(await (await fetch(setUp)).text(), /Set up your organization/);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);

  const health = await fetch(`${url}/readyz`);
  assert.deepEqual([health.status, await health.text()], [200, '{"status":"ok"}']);
  const refused = await fetch(`${url}/data_api/v1/emails`);
  assert.equal(refused.status, 401);
  assert.deepEqual(Object.keys((await refused.json()) as object), ["error", "error_message"]);

  assert.equal(await server.stop(), 0);
  const logged = server.stderr().trimEnd().split("\n");
  const messages = logged.map((line) => (JSON.parse(line) as { msg: string }).msg);
  const hint = "there is no organization yet; open the set-up link, or run email-analytics init";
  assert.deepEqual(messages, ["listening", hint, "request", "request", "stopping", "stopped"]);
  const { service, region, migrated } = JSON.parse(logged[0] ?? "") as Record<string, unknown>;
  assert.deepEqual([service, region, migrated], ["email-analytics", "test", ["0001_schema"]]);
});

test("the set-up link ends in SETUP_TOKEN, and in nothing else", async (t) => {
  const SETUP_TOKEN = "Token_of-32_characters_or_more_01";
  const DATABASE_URL = await makeDatabase(t, { isEmpty: true });
  const server = start(t, serveOnFreePort, { DATABASE_URL, SETUP_TOKEN });
  const url = await urlOf(server);
  const status = async (token: string) => (await fetch(`${url}/set-up/${token}`)).status;
  assert.deepEqual([await status(SETUP_TOKEN), await status(`${SETUP_TOKEN}x`)], [200, 404]);
  assert.equal(await server.stop(), 0);
  assert.ok(!(server.stdout() + server.stderr()).includes(SETUP_TOKEN));
  assert.match(server.stdout(), /\/set-up\/<SETUP_TOKEN>/);
});

test("serve prints the URL of the endpoint, follows LOG_LEVEL, and its links contain PUBLIC_URL", async (t) => {
  const { world, key } = await makeAcme(t);
  const server = start(t, ["serve"], {
    DATABASE_URL: world.databaseUrl,
    PORT: "0",
    HOST: "localhost",
    LOG_LEVEL: "warn",
    PUBLIC_URL: "https://a.example.com/x/",
  });
  const [line, url] = await server.printed(/^.*, listening at (http:\S+) \(Ctrl-C to stop\)\n$/);
  assert.ok(
    line.startsWith(
      "Serving the API at https://a.example.com/x/data_api/v1/emails and the web application at https://a.example.com/x/sign-in, ",
    ),
    line,
  );
  assert.match(String(url), /^http:\/\/localhost:\d+$/);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal(await firstLink(String(url), key), "https://a.example.com/x/data_api/v1/emails");
  assert.equal(await server.stop("SIGINT"), 0);
  const { level, msg } = JSON.parse(server.stderr()) as Record<string, unknown>;
  const warning = "PUBLIC_URL has a path; the web application works only at the root of a host";
  assert.deepEqual([level, msg], [40, warning]);
});

/** The URL of the first page in the header Link, without its query. */
async function firstLink(url: string, key: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/data_api/v1/emails`, { headers: { authorization: `Bearer ${key}` } });
  return /<([^?]*)\?page=1&per_page=10>; rel="first"/.exec(answer.headers.get("link") ?? "")?.[1];
}

test("serve exits 1 with one line when the port is in use, or it cannot listen on the host", async (t) => {
  const { port } = await startServer(t);
  const { databaseUrl } = await makeWorld(t);
  for (const [host, itsPort, message] of [
    ["127.0.0.1", port, `port ${port} of 127.0.0.1 is in use; choose another with --port`],
    ["192.0.2.1", 0, "cannot listen on 192.0.2.1, port 0 (EADDRNOTAVAIL)"],
  ]) {
    const argv = `serve --host ${host} --port ${itsPort}`;
    const { output } = await run(databaseUrl, argv);
    assert.deepEqual(output, [1, "", `error: ${message}\n`]);
  }
});

test("on SIGTERM serve finishes a response to a slow client, refuses new connections and exits 0", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  const filler = "x".repeat(60_000);
  const large = Array.from({ length: 100 }, (_, index) =>
    campaign({ id: index + 1, subject: filler, sentFrom: filler, team: filler, recipients: filler }),
  );
  await world.save(organization, large);
  const server = start(t, serveOnFreePort, { DATABASE_URL: world.databaseUrl });
  const port = Number(new URL(await urlOf(server)).port);

  // The response is larger than the socket buffers: most of it is still unsent when the server is asked to stop.
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET /data_api/v1/emails?per_page=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  server.child.kill("SIGTERM");
  while (!server.stderr().includes('"stopping"')) await once(server.child.stderr, "data");
  while (await isListening(port)) await pause(20);

  const chunks = [first];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const answer = Buffer.concat(chunks).toString();
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
    // ECONNRESET: the operating system had accepted the connection when the server stopped listening.
    assert.match((error as NodeJS.ErrnoException).code ?? "", /^(ECONNREFUSED|ECONNRESET)$/);
    return false;
  } finally {
    socket.destroy();
  }
}

test("a change by another process shows in the next response, whose links contain the listening address, and idle connections do not delay shutdown", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const server = start(t, serveOnFreePort, { DATABASE_URL: world.databaseUrl, PUBLIC_URL: "" });
  const url = await urlOf(server);
  assert.equal(await firstLink(url, key), `${url}/data_api/v1/emails`);
  const get = async () => {
    const answer = await fetch(`${url}/data_api/v1/emails`, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, text: await answer.text() };
  };
  assert.match((await get()).text, /"subject":"Campaign 1","sent_at":"Jan 1, 2024 9:00 AM"/);
  await run(world.databaseUrl, "organization change --organization 1 --time-zone Asia/Tokyo");
  assert.match((await get()).text, /"sent_at":"Jan 1, 2024 6:00 PM"/);
  await run(world.databaseUrl, "campaign delete --organization 1 --id 1 --yes");
  assert.match((await get()).text, /^\{"emails":\[\],/);
  await run(world.databaseUrl, "key delete --organization 1 --id 1");
  assert.equal((await get()).status, 401);

  const port = Number(new URL(url).port);
  const silent = connect(port, "127.0.0.1");
  const idle = connect(port, "127.0.0.1");
  idle.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await Promise.all([once(silent, "connect"), once(idle, "data")]);
  const gone = Promise.all([once(silent, "close"), once(idle, "close")]);
  assert.equal(await server.stop(), 0);
  await gone;
  assert.equal(server.stderr().includes(key.slice(-38)), false);
});

test("serve does not create an empty database where the file was moved away", async (t) => {
  const world = await makeSqliteWorld(t);
  await world.addOrganization();
  const server = start(t, serveOnFreePort, { DATABASE_URL: world.databaseUrl, LOG_LEVEL: "error" });
  await server.printed(/\n/);
  const path = join(world.folder, "test.db");
  renameSync(path, join(world.folder, "moved.db"));
  // Upkeep opens the database two seconds after the start.
  while (!existsSync(path) && !server.stderr().includes(`there is no database at sqlite:${path}`)) {
    await pause(20);
  }
  assert.equal(existsSync(path), false);
});
