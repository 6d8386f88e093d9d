// Clients that are slow to read long pages share a limited amount of memory.

import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { UnsentBodies } from "../../../src/http/api/unsent-bodies.ts";
import { rawConnection } from "../../support/raw-request.ts";
import { campaign, makeWorld, serve } from "../../support/world.ts";

test("refuses another long page while clients do not read theirs, and serves short ones", async (t) => {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  // Longer than what the operating system takes for a client that reads nothing.
  const recipients = "€".repeat(30_000);
  await world.save(
    organization,
    Array.from({ length: 100 }, (_, index) => campaign({ id: index + 1, recipients })),
  );
  const service = await serve(t, world, { limits: { unsentBytes: 1_000_000 } });
  const head = `GET /data_api/v1/emails?per_page=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const slow = rawConnection(service.port);
  slow.socket.pause().write(head);
  const headers = { "accept-encoding": "identity" };
  const get = (perPage: number) => service.get(`/data_api/v1/emails?per_page=${perPage}`, { key, headers });
  let refused = await get(100);
  for (; refused.status === 200; refused = await get(100)) await pause(5);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "5");
  assert.equal(refused.body.error_message, "Other clients are still reading long pages. Try again.");
  assert.equal((await get(1)).status, 200);

  slow.socket.destroy();
  let answer = await get(100);
  for (; answer.status === 503; answer = await get(100)) await pause(5);
  assert.equal(answer.body.emails.length, 100);
  assert.equal((await get(100)).status, 200, "what was read is no longer counted");
});

test("lets one organization have half of the memory for long pages", () => {
  const unsent = new UnsentBodies(4 * 1024 * 1024);
  const count = (organizationId: number) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    unsent.count(response, organizationId, { length: 1024 * 1024 });
    return response;
  };
  const [first] = [count(1), count(1)];
  assert.throws(() => count(1), { code: "unavailable" });
  count(2);
  count(2);
  assert.throws(() => count(3), { code: "unavailable" }, "all of it is in use");
  first.emit("close");
  count(1);
  assert.throws(() => count(1), { code: "unavailable" });
});
