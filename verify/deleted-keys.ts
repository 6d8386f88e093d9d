// Deletes API keys while clients send pipelined requests with them to two processes. Neither process accepts a request
// that is sent after the deletion.

import assert from "node:assert/strict";
import type { KeyScope } from "../src/access/api-key.ts";
import { addApiKey } from "../src/storage/api-keys.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { startAdminSession } from "./support/admin-session.ts";
import { PipelinedConnection } from "./support/pipelined-connection.ts";
import { makeOrganization, startService, stopService } from "./support/service.ts";
import { waysToDeleteKeys } from "./support/ways-to-delete-keys.ts";

export interface DeletedKeysOptions {
  /** A new database. */
  databaseUrl: string;
  keys: number;
  print: (line: string) => void;
}

const connectionsPerProcess = 4;
/** Requests that a connection writes at once. Twice as many may wait on a connection, which the server allows. */
const pipelined = 8;

interface Key {
  id: number;
  text: string;
  scope: KeyScope;
}

/** The number of requests that were sent, and of those that were accepted. */
interface Counts {
  sentBefore: number;
  acceptedBefore: number;
  sentAfter: number;
  acceptedAfter: number;
}

/** @throws AssertionError if a request that is sent after the deletion of its key gets anything but a 401 */
export async function verifyDeletedKeys({ databaseUrl, keys, print }: DeletedKeysOptions): Promise<void> {
  const { organizationId } = await makeOrganization(databaseUrl);
  const database = await openDatabase(databaseUrl);
  const services = await Promise.all([startService(databaseUrl), startService(databaseUrl)]);
  try {
    const session = await startAdminSession(database, organizationId, "admin@example.com");
    const deletions = waysToDeleteKeys({ databaseUrl, organizationId, services, session });
    const total: Counts = { sentBefore: 0, acceptedBefore: 0, sentAfter: 0, acceptedAfter: 0 };
    for (let index = 0; index < keys; index++) {
      const key = await addKey(database, organizationId, index % 2 === 0 ? "read" : "ingest");
      const deleteKey = deletions[index % deletions.length] as (id: number) => Promise<void>;
      const connections = services.flatMap(({ url }) =>
        Array.from({ length: connectionsPerProcess }, () => new PipelinedConnection(url)),
      );
      await useUntilDeleted(key, connections, () => deleteKey(key.id), total);
      for (const connection of connections) connection.destroy();
    }
    print(`${keys} keys deleted by the command and in the web application of both processes`);
    print(`before the deletion: ${total.sentBefore} requests sent, ${total.acceptedBefore} accepted`);
    print(`after the deletion: ${total.sentAfter} requests sent, ${total.acceptedAfter} accepted`);
    assert.equal(total.acceptedAfter, 0);
  } finally {
    for (const service of services) await stopService(service);
    await database.close();
  }
}

async function addKey(database: Database, organizationId: number, scope: KeyScope): Promise<Key> {
  const key = { organizationId, name: "verify", scope, region: "local", now: Date.now() };
  const added = await database.transaction((queries) => addApiKey(queries, key));
  return { ...added, scope };
}

/** Sends requests with the key on all connections, deletes it meanwhile, and sends more in the same moment. */
async function useUntilDeleted(
  { text, scope }: Key,
  connections: readonly PipelinedConnection[],
  deleteKey: () => Promise<void>,
  counts: Counts,
): Promise<void> {
  const { method, path, accepted } = requests[scope];
  const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${text}\r\n\r\n`;
  const bytes = request.repeat(pipelined);
  const methods = Array.from({ length: pipelined }, () => method);
  const send = async (connection: PipelinedConnection) => {
    const statuses = (await connection.send(bytes, methods)).map(({ status }) => status);
    const isExpected = statuses.every((status) => status === accepted || status === 401);
    assert.ok(isExpected && statuses.length === pipelined, `statuses: ${statuses.join(" ")}`);
    return statuses.filter((status) => status === accepted).length;
  };
  const all = connections.length * pipelined;
  assert.equal(sumOf(await Promise.all(connections.map(send))), all, "a new key was rejected");
  counts.sentBefore += all;
  counts.acceptedBefore += all;

  let isDeleted = false;
  const senders = connections.map(async (connection) => {
    while (!isDeleted) {
      counts.sentBefore += pipelined;
      counts.acceptedBefore += await send(connection);
    }
  });
  await deleteKey();
  isDeleted = true;
  counts.sentAfter += all;
  counts.acceptedAfter += sumOf(await Promise.all(connections.map(send)));
  await Promise.all(senders);
}

/**
 * Requests that are authenticated as long as their key exists, and the status that shows it. They have no body: after a
 * rejected one, the server closes the connection.
 */
const requests = {
  read: { method: "GET", path: "/data_api/v1/emails", accepted: 200 },
  ingest: { method: "DELETE", path: "/ingest/v1/campaigns/1", accepted: 404 },
} as const satisfies Record<KeyScope, { method: string; path: string; accepted: number }>;

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
