// Listening on a host and port.

import assert from "node:assert/strict";
import dns from "node:dns";
import type { AddressInfo } from "node:net";
import test from "node:test";
import Fastify from "fastify";
import { listen } from "../../../src/http/server/listen.ts";
import { pick } from "../../support/pick.ts";

test("listens on one address of localhost, because only one server has our limits", async (t) => {
  t.mock.method(dns, "lookup", (host: string, _options: object, callback: (...result: unknown[]) => void) => {
    const addresses = host === "localhost" ? ["127.0.0.1", "127.0.0.2"] : [host];
    callback(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  });
  const app = Fastify();
  t.after(() => app.close());

  const url = await listen(app, { host: "localhost", port: 0, sharesPort: false });
  const { port } = app.server.address() as AddressInfo;
  assert.equal(url, `http://localhost:${port}`);
  assert.deepEqual(pick(app.addresses() as AddressInfo[], "address"), ["127.0.0.1"]);
});
