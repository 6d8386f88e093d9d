// A second PostgreSQL server that follows a first one, as whoever runs the service may have it for reading, and that
// can be made to lag behind.

import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { giveToRunner, makeRunnersFolder } from "./postgres-programs.ts";
import { type PostgresOptions, type PostgresServer, startPostgres } from "./postgres-server.ts";

export interface Standby extends PostgresServer {
  /** From when it returns, nothing new shows here. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Returns when everything shows here that the first server had written by the time of the call. */
  catchUp(): Promise<void>;
}

const lookEveryMs = 10;

/** Starts a follower of a running server, which is stopped for a moment: a copy of its data is what it begins with. */
export async function startStandby(
  primary: PostgresServer,
  { settings = {} }: Pick<PostgresOptions, "settings"> = {},
): Promise<Standby> {
  await primary.stop();
  const folder = makeRunnersFolder();
  for (const name of ["data", "password"]) execFileSync("cp", ["-a", join(primary.folder, name), folder]);
  await primary.start();
  const signal = join(folder, "data/standby.signal");
  writeFileSync(signal, "");
  giveToRunner(signal);
  appendFileSync(join(folder, "data/postgresql.auto.conf"), `primary_conninfo = '${primary.url()}'\n`);
  const server = await startPostgres({ folder, settings });
  const ask = async (sql: string) => Object.values((await server.query(sql))[0] ?? {})[0];
  return {
    ...server,
    // The line above would copy what it is now.
    get isRunning() {
      return server.isRunning;
    },
    async pauseReplay() {
      await server.query("select pg_wal_replay_pause()");
      while ((await ask("select pg_get_wal_replay_pause_state()")) !== "paused") await pause(lookEveryMs);
    },
    async resumeReplay() {
      await server.query("select pg_wal_replay_resume()");
    },
    async catchUp() {
      const [row] = await primary.query("select pg_current_wal_lsn() as written");
      const isThere = `select pg_last_wal_replay_lsn() >= '${row?.written}'`;
      while (!(await ask(isThere))) await pause(lookEveryMs);
    },
  };
}
