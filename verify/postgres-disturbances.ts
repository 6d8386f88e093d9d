// What may happen to a PostgreSQL server that a service uses: an administrator ends its connections, the server is
// restarted, or it crashes.

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { PostgresServer } from "../test/support/postgres-server.ts";

/** How often it is looked for a connection that does something. */
const looksMax = 200;

/** Ends one connection of the service: one that is busy, unless none ever is, or any one. */
export async function killBackend(databaseUrl: string, { isBusy }: { isBusy: boolean }): Promise<string> {
  const client = await connect(databaseUrl);
  try {
    for (let look = 1; ; look++) {
      const mayBeIdle = !isBusy || look === looksMax;
      const { rows } = await client.query<{ state: string }>(
        `select state, pg_terminate_backend(pid) from (
           select pid, state from pg_stat_activity
           where application_name = 'email-analytics' and (state <> 'idle' or $1)
           order by random() limit 1) as one`,
        [mayBeIdle],
      );
      if (rows[0]) return `connection killed that is ${rows[0].state}`;
      if (mayBeIdle) return "no connection to kill";
    }
  } finally {
    await client.end();
  }
}

/** Stops as a crash would, and starts again. */
export async function restart(server: PostgresServer, awayMs: number): Promise<string> {
  await server.kill();
  await pause(awayMs);
  await server.start();
  return awayMs > 1_000 ? `server killed, and away for ${awayMs} ms` : "server killed and restarted";
}

/** One process of the server is killed by the system: the server ends all others, and recovers by itself. */
export async function crash(databaseUrl: string): Promise<string> {
  const client = await connect(databaseUrl);
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'email-analytics' order by random() limit 1",
  );
  const ended = new Promise((resolve) => client.once("end", resolve));
  process.kill(rows[0]?.pid as number, "SIGKILL");
  await ended;
  for (;;) {
    try {
      await (await connect(databaseUrl)).end();
      return "backend killed by SIGKILL";
    } catch {
      await pause(10);
    }
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
