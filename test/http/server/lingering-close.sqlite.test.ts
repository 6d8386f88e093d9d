// Lingering close: clients read a rejection while they are still sending, within limits of time and size.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { parseAnswer, rawConnection, rawRequest } from "../../support/raw-request.ts";
import { event, eventsPath, serveSender } from "../../support/serve-sender.ts";
import { makeWorld, type Service, serve } from "../../support/world.ts";

/** A request that is rejected by its head, before it has sent its body. */
const rejected = `POST ${eventsPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n`;

/** Limits that no test reaches, so that each test can lower one. */
const generous = {
  lingeringMs: 600_000,
  lingeringSilenceMs: 600_000,
  headersMs: 600_000,
  requestMs: 600_000,
};

/** A client that gets its answer and keeps its side of the connection open. */
async function rejectedClient({ port }: Service, bytes = rejected) {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  socket.on("error", () => socket.destroy());
  socket.resume();
  const ended = once(socket, "end");
  socket.write(bytes);
  await ended;
  return socket;
}

/** Rejections by the app, and by the parser. */
const rejections = [rejected, "nonsense\r\n\r\n"];

function connectionsOf(service: Service): Promise<number> {
  return new Promise((resolve) => service.connections((_error, open) => resolve(open)));
}

async function noConnections(service: Service): Promise<void> {
  while ((await connectionsOf(service)) !== 0) await pause(5);
}

test("keeps the connection of a rejected client open until the client ends it", async (t) => {
  const service = await serve(t, await makeWorld(t), { limits: generous });
  const clients = await Promise.all(rejections.map((bytes) => rejectedClient(service, bytes)));
  // By the time that a later request is answered, a connection that does not linger is closed.
  await rawRequest(service.port, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  assert.ok((await connectionsOf(service)) >= clients.length);
  for (const client of clients) client.end();
  await noConnections(service);
});

test("a client that sends everything before it reads gets the rejection of a body, not a connection reset", async (t) => {
  const service = await serve(t, await makeWorld(t), { limits: generous });
  for (let times = 0; times < 5; times++) {
    const socket = connect({ host: "127.0.0.1", port: service.port, allowHalfOpen: true });
    const errors: unknown[] = [];
    socket.on("error", ({ code }: NodeJS.ErrnoException) => errors.push(code));
    socket.pause();
    socket.write(rejected);
    await new Promise((resolve) => socket.write(Buffer.alloc(20_000_000), resolve));
    const received: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("end", () => socket.destroy());
    await once(socket.resume(), "close");
    assert.deepEqual(errors, []);
    assert.equal(parseAnswer(Buffer.concat(received).toString()).status, 401);
  }
});

test("disconnects a rejected client that is silent and keeps the connection open", async (t) => {
  const service = await serve(t, await makeWorld(t), { limits: { ...generous, lingeringSilenceMs: 100 } });
  const clients = await Promise.all(rejections.map((bytes) => rejectedClient(service, bytes)));
  await noConnections(service);
  for (const client of clients) client.destroy();
});

test("disconnects a rejected client that goes on sending, after a time", async (t) => {
  const service = await serve(t, await makeWorld(t), { limits: { ...generous, lingeringMs: 100 } });
  const client = await rejectedClient(service);
  const drip = setInterval(() => client.write("x"), 10);
  await noConnections(service);
  clearInterval(drip);
  client.destroy();
});

test("disconnects a rejected client that goes on sending, after a number of bytes", async (t) => {
  const service = await serve(t, await makeWorld(t), { limits: { ...generous, lingeringBytes: 1_000_000 } });
  const client = await rejectedClient(service);
  client.write(Buffer.alloc(900_000));
  const flood = setInterval(() => client.write("x".repeat(10_000)), 1);
  await noConnections(service);
  clearInterval(flood);
  client.destroy();
});

test("answers no request that follows a rejected body", async (t) => {
  const service = await serve(t, await makeWorld(t), { limits: generous });
  const connection = rawConnection(service.port);
  const get = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  connection.socket.removeAllListeners("end");
  connection.socket.write(rejected.replace("50000000", "3"));
  await once(connection.socket, "end");
  connection.socket.end(`abc${get}`);
  const { status, head } = parseAnswer(await connection.closed);
  assert.equal(status, 401);
  assert.match(head, /connection: close/i);
  assert.deepEqual(service.logged.filter(({ msg }) => msg === "request").length, 1);
});

test("graceful shutdown does not wait for a rejected client that goes on sending", async (t) => {
  const service = await serve(t, await makeWorld(t), { limits: generous });
  const client = await rejectedClient(service);
  const drip = setInterval(() => client.write("x"), 10);
  await service.stop();
  clearInterval(drip);
  client.destroy();
});

test("asks for the body of an accepted request with Expect: 100-continue", async (t) => {
  const { service, ingestKey } = await serveSender(t, { register: {} });
  const connection = rawConnection(service.port);
  const body = JSON.stringify({ events: [event()] });
  const head = [
    `POST ${eventsPath} HTTP/1.1`,
    "Host: x",
    `Authorization: Bearer ${ingestKey}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Expect: 100-continue",
    "Connection: close",
  ];
  connection.socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(connection.socket, "data");
  assert.equal(connection.received(), "HTTP/1.1 100 Continue\r\n\r\n");
  connection.socket.write(body);
  assert.match(await connection.closed, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
});
