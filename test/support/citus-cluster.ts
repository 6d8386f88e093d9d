// Starts a Citus cluster for tests: a coordinator and two workers, on a PostgreSQL installation that has Citus.

import { randomBytes } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../src/storage/open-database.ts";
import { distribute } from "../../src/storage/postgres/distribute.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** Names the folder of the PostgreSQL programs. */
export const citusVariable = "CITUS_PROGRAMS";

export interface CitusCluster {
  coordinator: PostgresServer;
  workers: readonly PostgresServer[];
  remove(): Promise<void>;
}

const settings = {
  shared_preload_libraries: "citus",
  max_prepared_transactions: "200",
  // Citus runs a process in each database.
  max_worker_processes: "200",
  wal_level: "logical",
  "citus.node_conninfo": "sslmode=disable",
  "citus.local_hostname": "127.0.0.1",
  "citus.enable_statistics_collection": "off",
  // Fewer than by default, because tests distribute often.
  "citus.shard_count": "4",
};

/** @returns why no cluster can be started here */
export function whyNoCitus(): string | undefined {
  if (process.env[citusVariable]) return undefined;
  return `${citusVariable} is not set; install PostgreSQL and Citus (https://github.com/citusdata/citus), and set it to the folder of initdb and postgres, such as /usr/lib/postgresql/15/bin`;
}

/**
 * @param more settings of all nodes
 * @throws Error if the environment names no PostgreSQL programs with Citus
 */
export async function startCitusCluster(more: Record<string, string> = {}): Promise<CitusCluster> {
  const programsFolder = process.env[citusVariable];
  if (!programsFolder) throw new Error(whyNoCitus());
  // The nodes connect to each other with it.
  const password = randomBytes(16).toString("hex");
  const nodes: PostgresServer[] = [];
  const remove = async () => {
    for (const node of nodes.splice(0)) await node.remove();
  };
  try {
    for (let count = 0; count < 3; count++) {
      nodes.push(await startPostgres({ programsFolder, password, settings: { ...settings, ...more } }));
    }
  } catch (error) {
    await remove();
    throw error;
  }
  const [coordinator, ...workers] = nodes as [PostgresServer, ...PostgresServer[]];
  return { coordinator, workers, remove };
}

/**
 * Creates a database on every node, connects the nodes, and distributes the tables.
 *
 * @param servers URLs of the coordinator and the workers
 * @param fill adds rows before the tables are distributed
 * @returns the URL of the database on the coordinator
 */
export async function makeCitusDatabase(
  servers: readonly string[],
  name: string,
  fill: (databaseUrl: string) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const databases = servers.map((server) => databaseOn(server, name));
  for (const [index, server] of servers.entries()) {
    await run(server, [`create database ${name} template template0`]);
    const { password } = new URL(server);
    await run(databases[index] as string, [
      "create extension citus",
      `insert into pg_dist_authinfo values (0, 'postgres', 'password=${password}')`,
    ]);
  }
  const [coordinator = "", ...workers] = databases;
  const address = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`;
  await run(coordinator, [
    `select citus_set_coordinator_host(${address(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${address(worker)})`),
  ]);
  await fill(coordinator);
  const database = await openDatabase(coordinator);
  await database.transaction(distribute);
  await database.close();
  return coordinator;
}

/** The URL of a database on the server of another URL. */
export function databaseOn(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
