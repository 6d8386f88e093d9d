// `serve --processes`: several processes that share one port.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import test, { type TestContext } from "node:test";
import { type Program, start } from "../../support/process.ts";
import { campaign, countedCampaign, makeDatabase, makeWorld, run } from "../../support/world.ts";

interface Printed {
  url: string;
  processes: { pid: number; monitoring?: string }[];
}

async function serveTwo(t: TestContext, environment: Record<string, string>, others: string[] = []) {
  const argv = ["serve", "--port", "0", "--json", "--processes", "2", ...others];
  const server = start(t, argv, environment);
  await server.printed(/\n/);
  const { url, processes } = JSON.parse(server.stdout()) as Printed;
  assert.equal(processes.length, 2);
  return { server, url, processes };
}

/** Waits until the log has this text. */
async function logged(server: Program, text: string): Promise<void> {
  while (!server.stderr().includes(text)) await once(server.child.stderr, "data");
}

const linesOf = (server: Program) =>
  server
    .stderr()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("two processes answer in turn, each with its own metrics, and stop together on SIGTERM", async (t) => {
  const world = await makeWorld(t);
  const { organization, key, ingestKey } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  const environment = { DATABASE_URL: world.databaseUrl, MONITORING: "127.0.0.1:0" };
  const { server, url, processes } = await serveTwo(t, environment);

  const put = await fetch(`${url}/ingest/v1/campaigns/7`, {
    method: "PUT",
    headers: { authorization: `Bearer ${ingestKey}`, "content-type": "application/json" },
    body: JSON.stringify(countedCampaign(7)),
  });
  assert.equal(put.status, 201);
  // A new connection for each request.
  const headers = { authorization: `Bearer ${key}`, connection: "close" };
  for (let times = 0; times < 4; times++) {
    const answer = await fetch(`${url}/data_api/v1/emails`, { headers });
    const { emails } = (await answer.json()) as { emails: { id: number }[] };
    assert.deepEqual(emails.map(({ id }) => id).sort(), [1, 7]);
  }
  for (const { monitoring = "" } of processes) {
    const text = await (await fetch(monitoring)).text();
    assert.match(text, /^email_analytics_requests_total\{.*emails".*\} 2$/m);
  }
  assert.equal(await server.stop(), 0);
  for (const msg of ["listening", "stopping", "stopped"]) {
    const pids = linesOf(server).filter((line) => line.msg === msg);
    assert.deepEqual(pids.map(({ pid }) => pid).sort(), processes.map(({ pid }) => pid).sort(), msg);
  }
});

/** The third process cannot be started, in one of two ways in which Node reports it; neither can the fourth. */
const failingForks = `
  import cluster from "node:cluster";
  const { fork } = cluster;
  const { execPath } = process;
  let count = 0;
  cluster.fork = (environment) => {
    count += 1;
    if (count === 3) throw new Error("spawn ENOMEM");
    process.execPath = count === 4 ? "/nowhere/node" : execPath;
    return fork(environment);
  };`;

/** Sends a request. @returns what arrives until the connection is closed or reset */
async function readUntilClosed({ port }: URL): Promise<string> {
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  let answer = "";
  socket
    .on("error", () => undefined)
    .on("data", (chunk) => {
      answer += chunk;
    });
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

test("a process that is killed is replaced as soon as one can be started while the others serve, its unread connection is closed, the port stays the same when all are replaced, and all end when the first one is killed", async (t) => {
  const { server, url, processes } = await serveTwo(t, {
    DATABASE_URL: await makeDatabase(t),
    LOG_LEVEL: "debug",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failingForks)}`,
  });
  const [killed, other] = processes.map(({ pid }) => pid);
  process.kill(killed ?? 0, "SIGSTOP");
  // The first process hands one to each: it is the second one that is answered.
  const requests = Promise.all([0, 1].map(() => readUntilClosed(new URL(url))));
  await logged(server, '"path":"/healthz"');
  process.kill(killed ?? 0, "SIGKILL");
  assert.deepEqual((await requests).map((answer) => answer.slice(0, 15)).sort(), ["", "HTTP/1.1 200 OK"]);
  await logged(server, '"msg":"a serving process ended; starting another one"');
  assert.equal((await fetch(`${url}/readyz`, { headers: { connection: "close" } })).status, 200);
  const listening = () =>
    linesOf(server)
      .filter(({ msg }) => msg === "listening")
      .map(({ pid }) => pid);
  while (listening().length < 3) await once(server.child.stderr, "data");
  assert.equal(listening().filter((pid) => pid === other).length, 1);
  assert.equal(new Set(listening()).size, 3);
  const failed = linesOf(server).filter(({ msg }) => /cannot be started/.test(String(msg)));
  assert.deepEqual(
    failed.map(({ err }) => (err as Error).message),
    ["spawn ENOMEM", "spawn /nowhere/node ENOENT"],
  );
  for (const pid of listening().slice(1)) process.kill(Number(pid), "SIGKILL");
  while (listening().length < 5) await once(server.child.stderr, "data");
  assert.equal((await fetch(`${url}/readyz`, { headers: { connection: "close" } })).status, 200);
  // Resolves once no process has standard error open.
  assert.equal(await server.stop("SIGKILL"), "SIGKILL");
  await assert.rejects(fetch(`${url}/healthz`));
});

test("serve exits 1 with one line when the port of several processes is in use", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const environment = { DATABASE_URL: await makeDatabase(t), PORT: String(port) };
  const server = start(t, ["serve", "--processes", "2"], environment);
  assert.equal(await server.ended, 1);
  assert.equal(server.stderr(), `error: port ${port} of 127.0.0.1 is in use; choose another with --port\n`);
  assert.equal(server.stdout(), "");
});

/** Reports whether a connection keeps the port of this process from other programs, before it listens. Only on Linux. */
const reportedPort = `
  import { readFileSync } from "node:fs";
  const [, port] = /--port=(\\d+)/.exec(process.argv.join(" ")) ?? [];
  if (port) {
    const own = Number(port).toString(16).toUpperCase().padStart(4, "0");
    const isReserved = new RegExp(":" + own + " \\\\S+ 01 ").test(readFileSync("/proc/net/tcp", "latin1"));
    console.error(JSON.stringify({ msg: "starting", isReserved }));
  }`;

test("two processes serve the same components on a reserved port when a -- ends the options", async (t) => {
  const canReport = process.platform === "linux";
  const environment = {
    DATABASE_URL: await makeDatabase(t),
    ...(canReport && { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reportedPort)}` }),
  };
  const { server } = await serveTwo(t, environment, ["--only", "web", "--only", "api", "--"]);
  assert.equal(await server.stop(), 0);
  const listening = linesOf(server).filter(({ msg }) => msg === "listening");
  assert.deepEqual(
    listening.map(({ components }) => components),
    [
      ["api", "web"],
      ["api", "web"],
    ],
  );
  const starting = linesOf(server).filter(({ msg }) => msg === "starting");
  assert.deepEqual(
    starting.map(({ isReserved }) => isReserved),
    canReport ? [true, false] : [],
  );
});

test("connections beyond the limits of all processes are closed, and Ctrl-C, which signals every process, stops them gracefully", async (t) => {
  const environment = { DATABASE_URL: await makeDatabase(t), MAX_CONNECTIONS: "1" };
  const { server, url, processes } = await serveTwo(t, environment);
  const sockets: Socket[] = [];
  const closed: Promise<unknown>[] = [];
  // The two processes get the first two, in turn.
  for (let opened = 0; opened < 3; opened++) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    sockets.push(socket);
    closed.push(once(socket.resume(), "close"));
    await once(socket, "connect");
  }
  await closed[2];
  for (const socket of sockets.slice(0, 2)) {
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200 OK\r\n/);
  }
  for (const { pid } of processes) process.kill(pid, "SIGINT");
  assert.equal(await server.stop("SIGINT"), 0);
  assert.equal(linesOf(server).filter(({ msg }) => msg === "stopped").length, 2);
});

test("serve refuses MONITORING without a port for each process", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const environment = { DATABASE_URL: databaseUrl, MONITORING: "127.0.0.1:65534" };
  const { exitCode, stdout, stderr } = await run(databaseUrl, ["serve", "--processes", "3"], { environment });
  assert.deepEqual([exitCode, stdout], [2, ""]);
  assert.equal(
    stderr,
    "error: MONITORING: each process needs a port, from 65534 on; there is no port 65536\n",
  );
});

test("serve refuses a number of processes that is not valid", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  for (const number of ["0", "257", "two"]) {
    const { exitCode, stdout, stderr } = await run(databaseUrl, ["serve", "--processes", number]);
    assert.deepEqual([exitCode, stdout], [2, ""]);
    assert.equal(
      stderr,
      `error: option '--processes <NUMBER>' argument '${number}' is invalid. The number of processes is a whole number from 1 to 256.\n`,
    );
  }
});
