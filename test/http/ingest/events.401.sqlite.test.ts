// Campaigns and events with 401 and 403.

import assert from "node:assert/strict";
import { once } from "node:events";
import test from "node:test";
import { generateApiKey } from "../../../src/access/api-key.ts";
import { deleteApiKey, listApiKeys } from "../../../src/storage/keys/api-keys.ts";
import { deleteOrganization } from "../../../src/storage/organizations/organizations.ts";
import { rawConnection } from "../../support/raw-request.ts";
import { refusal } from "../../support/refusal.ts";
import {
  campaignsPath,
  event,
  eventsPath,
  type ServedSender,
  serveSender,
} from "../../support/serve-sender.ts";
import { countedCampaign, region } from "../../support/world.ts";

const challenge = 'Bearer realm="email-analytics", Basic realm="email-analytics"';

/** Sends one request with this key to every route for senders, and returns the responses. */
async function knock(
  { service }: ServedSender,
  key: string | undefined,
  headers: Record<string, string> = {},
) {
  const base = { headers, ...(key !== undefined && { key }) };
  return [
    await service.send(`${campaignsPath}/1`, { ...base, method: "PUT", body: countedCampaign(1) }),
    await service.send(eventsPath, { ...base, body: { events: [event()] } }),
    await service.send(`${campaignsPath}/1`, { ...base, method: "DELETE" }),
  ];
}

test("401: rejects campaigns and events without a valid key, and names the problem", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const { world, organization, ingestKey } = sent;
  // What is wrong with a header is in authenticate.test.ts.
  const cases: [string | undefined, RegExp][] = [
    [undefined, /^The API key is missing\. Send the header Authorization: Bearer <API_KEY>\.$/],
    [generateApiKey(region, organization.id), /^The API key does not exist; it may have been deleted\. /],
  ];
  for (const [key, message] of cases) {
    for (const { status, body, headers } of await knock(sent, key)) {
      assert.deepEqual([status, body.error], [401, "unauthorized"]);
      assert.match(body.error_message, message);
      assert.equal(headers.get("www-authenticate"), challenge);
    }
  }
  const keys = await world.read(organization, listApiKeys);
  const { id } = keys.find(({ scope }) => scope === "ingest") ?? { id: 0 };
  await world.write(organization, (scope) => deleteApiKey(scope, id));
  for (const { status } of await knock(sent, ingestKey)) assert.equal(status, 401);
  assert.deepEqual(await sent.numbers("id", "total_opens"), [1, 0]);
});

test("401: rejects the keys of a deleted organization", async (t) => {
  const sent = await serveSender(t);
  await sent.world.write(sent.organization, deleteOrganization);
  for (const { status } of await knock(sent, sent.ingestKey)) assert.equal(status, 401);
});

test("403: rejects a read key for sending, and an ingest key for reading", async (t) => {
  const sent = await serveSender(t, { register: {} });
  for (const { status, body } of await knock(sent, sent.key)) {
    const message = 'The API key has the scope "read". Use a key with the scope "ingest".';
    assert.deepEqual([status, body], refusal(403, "forbidden", message));
  }
  assert.deepEqual(await sent.numbers("id", "total_opens"), [1, 0]);
  const { status, body } = await sent.service.get("/data_api/v1/emails?page=0", { key: sent.ingestKey });
  const text = 'The API key has the scope "ingest". Use a key with the scope "read".';
  assert.deepEqual([status, body], refusal(403, "forbidden", text));
});

test("401: answers before a large body is sent, and closes the connection", async (t) => {
  const sent = await serveSender(t);
  const connection = rawConnection(sent.service.port);
  const head = (key: string) =>
    `POST ${eventsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 5000000\r\n\r\n";
  connection.socket.write(`${head("nonsense")}{"events":[`);
  const answer = await connection.closed;
  assert.match(answer, /^HTTP\/1\.1 401 Unauthorized\r\n.+\r\nconnection: close\r\n/is);
  assert.match(answer, /\{"error":"unauthorized",[^}]+\}$/);
  const other = rawConnection(sent.service.port);
  other.socket.write(head(sent.key));
  await once(other.socket, "data");
  assert.match(await other.closed, /^HTTP\/1\.1 403 Forbidden\r\n/);
});

test("authenticates before it checks the body, its type and the campaign id", async (t) => {
  const { service } = await serveSender(t);
  const cases = [
    { path: eventsPath, method: "POST", body: "{", headers: { "content-type": "text/plain" } },
    { path: eventsPath, method: "POST", body: "{", headers: { "content-encoding": "br" } },
    { path: `${campaignsPath}/x`, method: "PUT", body: "{", headers: {} },
    { path: `${campaignsPath}/x`, method: "DELETE", headers: {} },
  ];
  for (const { path, ...options } of cases) {
    assert.equal((await service.send(path, options)).status, 401, `${options.method} ${path}`);
  }
});
