// Faults of a PostgreSQL server: an administrator terminates a connection, the server restarts, or a backend crashes.

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { PostgresServer } from "../../support/postgres-server.ts";

/** How often to look for a busy connection. */
const maxAttempts = 200;

/** Terminates a connection of the service: a busy one if requested and found, or else any. */
export async function killBackend(databaseUrl: string, { isBusy }: { isBusy: boolean }): Promise<string> {
  const client = await connect(databaseUrl);
  try {
    for (let attempt = 1; ; attempt++) {
      const mayBeIdle = !isBusy || attempt === maxAttempts;
      const { rows } = await client.query<{ state: string }>(
        `select state, pg_terminate_backend(pid) from (
           select pid, state from pg_stat_activity
           where application_name = 'email-analytics' and (state <> 'idle' or $1)
           order by random() limit 1) as one`,
        [mayBeIdle],
      );
      if (rows[0]) return `connection terminated (${rows[0].state})`;
      if (mayBeIdle) return "no connection to terminate";
    }
  } finally {
    await client.end();
  }
}
export async function restart(server: PostgresServer, downMs: number): Promise<string> {
  await server.kill();
  await pause(downMs);
  await server.start();
  return downMs > 1_000 ? `server killed, down for ${downMs} ms` : "server killed and restarted";
}

/** Kills one backend process: PostgreSQL terminates all others and recovers. */
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
