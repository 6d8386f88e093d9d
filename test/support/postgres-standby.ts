// Starts a PostgreSQL standby of another server: a copy that cannot be written.

import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveToRunner, makeRunnersFolder } from "./postgres-programs.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** Starts a standby from a copy of the primary's data. The primary is stopped while it is copied. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  await primary.stop();
  const folder = makeRunnersFolder();
  for (const name of ["data", "password"]) execFileSync("cp", ["-a", join(primary.folder, name), folder]);
  await primary.start();
  const signal = join(folder, "data/standby.signal");
  writeFileSync(signal, "");
  giveToRunner(signal);
  appendFileSync(join(folder, "data/postgresql.auto.conf"), `primary_conninfo = '${primary.url()}'\n`);
  return startPostgres({ folder });
}
