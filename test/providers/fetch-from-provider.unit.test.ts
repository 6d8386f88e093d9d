// Requests to URLs of providers.

import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import test, { type TestContext } from "node:test";
import { AppError } from "../../src/errors.ts";
import { fetchFromProvider } from "../../src/providers/fetch-from-provider.ts";
import { endWaitsSoon } from "../support/end-waits-soon.ts";
import { startServer } from "../support/start-server.ts";

async function serve(t: TestContext, respond: RequestListener): Promise<string> {
  return (await startServer(t, respond)).url;
}

const isUnavailable = (why: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === "unavailable" && why.test(error.message);

test("returns the bytes of a response from a provider", async (t) => {
  const url = await serve(t, (_request, response) => response.end(Buffer.from([0, 255])));
  assert.deepEqual(await fetchFromProvider(url), Buffer.from([0, 255]));
});

test("does not follow a redirect of a provider, which could lead to any host", async (t) => {
  let requests = 0;
  const elsewhere = await serve(t, (_request, response) => {
    requests += 1;
    response.end("secret");
  });
  const url = await serve(t, (_request, response) => response.writeHead(302, { location: elsewhere }).end());
  await assert.rejects(fetchFromProvider(url), isUnavailable(/^The request to \S+ failed: /));
  assert.equal(requests, 0);
});

test("throws `unavailable` when the response of a provider fails, is too large or does not arrive", async (t) => {
  const failing = await serve(t, (_request, response) => response.writeHead(404).end());
  await assert.rejects(fetchFromProvider(failing), isUnavailable(/it responded with status 404/));
  const large = await serve(t, (_request, response) => response.end("x".repeat(70_000)));
  await assert.rejects(fetchFromProvider(large), isUnavailable(/larger than 65536 bytes/));
  await assert.rejects(
    fetchFromProvider("http://127.0.0.1:1/"),
    isUnavailable(/^The request to 127\.0\.0\.1:1 failed: /),
  );
});

test("throws `unavailable` when a provider responds too slowly", async (t) => {
  const url = await serve(t, (_request, response) => response.writeHead(200).write("x"));
  endWaitsSoon(t);
  await assert.rejects(fetchFromProvider(url), isUnavailable(/^The request to \S+ failed: /));
});
