// One request of a pull: its connection and its time limit.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { Requester } from "../../../src/cli/pull/send-request.ts";

/** A server on this computer, and its URL with a host name. */
async function listen(t: TestContext, respond: RequestListener): Promise<URL> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://localhost:${(server.address() as AddressInfo).port}/`);
}

function requester(
  t: TestContext,
  url: URL,
  options?: ConstructorParameters<typeof Requester>[1],
): Requester {
  const created = new Requester(url, options);
  t.after(() => created.close());
  return created;
}

const never = new AbortController().signal;

test("an answer is decompressed, and its connection is used again", async (t) => {
  let connections = 0;
  const url = await listen(t, ({ headers, socket }, response) => {
    if (socket.bytesRead > 0 && socket.bytesWritten === 0) connections += 1;
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(String(headers["accept-encoding"])));
  });
  const sender = requester(t, url);
  for (const path of ["/1", "/2"]) {
    const { status, body } = await sender.send(new URL(path, url), {}, never);
    assert.deepEqual([status, body], [200, "gzip"]);
  }
  assert.equal(connections, 1);
});

test("an answer that takes too long fails, before and after its headers", async (t) => {
  for (const start of [() => undefined, (response: Parameters<RequestListener>[1]) => response.write("{")]) {
    const url = await listen(t, (_request, response) => {
      start(response);
    });
    await assert.rejects(requester(t, url, { timeoutMs: 50 }).send(url, {}, never), {
      message: "no complete answer within 0.05 s",
    });
  }
});
