// Reads from the log of a Citus coordinator which shards each transaction used.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askAs } from "../../support/guest-role.ts";
import type { PostgresServer } from "../../support/postgres-server.ts";

export interface RemoteTransaction {
  /** The first hash value of each shard. Co-located shards start at the same one. */
  shards: Set<string>;
  statements: string[];
}
export const logSettings = { log_line_prefix: "[%p %v] " };

/** Runs work, and returns the transactions of all connections that were opened meanwhile. */
export async function readRemoteTransactions(
  coordinator: PostgresServer,
  databaseUrl: string,
  work: () => Promise<void>,
): Promise<RemoteTransaction[]> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const change = (what: string) => coordinator.query(`alter database ${name} ${what}`);
  await change("set citus.log_remote_commands to on");
  await change("set log_min_messages to notice");
  await change("set client_min_messages to warning");
  const log = join(coordinator.folder, "log");
  const before = readFileSync(log, "utf8").length;
  try {
    await work();
  } finally {
    await change("reset all");
  }
  return parse(readFileSync(log, "utf8").slice(before), await readShards(databaseUrl));
}

function parse(log: string, shards: Map<string, string>): RemoteTransaction[] {
  const transactions = new Map<string, RemoteTransaction>();
  // A statement of several lines continues on lines that start with a tab.
  for (const [, transaction = "", statement = ""] of log.matchAll(
    /^\[([\d /]+)\] NOTICE: {2}issuing (.*(?:\n\t.*)*)/gm,
  )) {
    const found = transactions.get(transaction) ?? { shards: new Set(), statements: [] };
    transactions.set(transaction, found);
    found.statements.push(statement);
    for (const [, shard = ""] of statement.matchAll(/_(\d{6,})\b/g)) {
      const start = shards.get(shard);
      if (start !== undefined) found.shards.add(start);
    }
  }
  return [...transactions.values()];
}

async function readShards(databaseUrl: string): Promise<Map<string, string>> {
  const rows = await askAs(databaseUrl, "select shardid as id, shardminvalue as start from pg_dist_shard");
  return new Map(rows.map(({ id, start }) => [String(id), String(start)]));
}
