// How an address of a provider's own is asked.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { AppError } from "../../src/errors.ts";
import { fetchFromProvider } from "../../src/providers/fetch-from-provider.ts";

async function answering(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const isForLater = (why: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === "unavailable" && why.test(error.message);

test("what a provider answers is handed on, as bytes", async (t) => {
  const url = await answering(t, (_request, response) => response.end(Buffer.from([0, 255])));
  assert.deepEqual(await fetchFromProvider(url), Buffer.from([0, 255]));
});

test("a redirect is not followed: where it leads may be anywhere", async (t) => {
  let asked = 0;
  const elsewhere = await answering(t, (_request, response) => {
    asked += 1;
    response.end("secret");
  });
  const url = await answering(t, (_request, response) =>
    response.writeHead(302, { location: elsewhere }).end(),
  );
  await assert.rejects(fetchFromProvider(url), isForLater(/^The request to \S+ failed: /));
  assert.equal(asked, 0);
});

test("an answer that is no success, too large, or none at all is one to ask for again", async (t) => {
  const failing = await answering(t, (_request, response) => response.writeHead(404).end());
  await assert.rejects(fetchFromProvider(failing), isForLater(/it responded with status 404/));
  const large = await answering(t, (_request, response) => response.end("x".repeat(70_000)));
  await assert.rejects(fetchFromProvider(large), isForLater(/larger than 65536 bytes/));
  await assert.rejects(
    fetchFromProvider("http://127.0.0.1:1/"),
    isForLater(/^The request to 127\.0\.0\.1:1 failed: /),
  );
});

test("a provider that answers too slowly is not waited for", async (t) => {
  const url = await answering(t, (_request, response) => response.writeHead(200).write("x"));
  await assert.rejects(fetchFromProvider(url, { timeoutMs: 50 }), isForLater(/^The request to \S+ failed: /));
});
