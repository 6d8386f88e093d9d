// Starts a PostgreSQL standby (a read replica) of another server. Tests can make it lag.

import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { giveToRunner, makeRunnersFolder } from "./postgres-programs.ts";
import { type PostgresOptions, type PostgresServer, startPostgres } from "./postgres-server.ts";

export interface Standby extends PostgresServer {
  /** When it returns, the standby applies no more changes. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Waits until the standby has applied everything that the primary had written before the call. */
  catchUp(): Promise<void>;
}

const pollEveryMs = 10;

/** Starts a standby from a copy of the primary's data. The primary is stopped while it is copied. */
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
  const queryValue = async (sql: string) => Object.values((await server.query(sql))[0] ?? {})[0];
  return {
    ...server,
    // A getter: the spread above copies only the current value.
    get isRunning() {
      return server.isRunning;
    },
    async pauseReplay() {
      await server.query("select pg_wal_replay_pause()");
      while ((await queryValue("select pg_get_wal_replay_pause_state()")) !== "paused")
        await pause(pollEveryMs);
    },
    async resumeReplay() {
      await server.query("select pg_wal_replay_resume()");
    },
    async catchUp() {
      const [row] = await primary.query("select pg_current_wal_lsn() as written");
      const isApplied = `select pg_last_wal_replay_lsn() >= '${row?.written}'`;
      while (!(await queryValue(isApplied))) await pause(pollEveryMs);
    },
  };
}
