// A new database for one check: a SQLite file, or a PostgreSQL server of its own.

import { join } from "node:path";
import { startPostgres } from "./postgres-server.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

export const databaseKinds = ["sqlite", "postgres"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** Deletes the database after the work. */
export async function withNewDatabase(
  kind: DatabaseKind,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (kind === "sqlite") return withTemporaryFolder((folder) => work(`sqlite:${join(folder, "verify.db")}`));
  const server = await startPostgres();
  try {
    await server.query("create database verify");
    await work(server.url("verify"));
  } finally {
    await server.remove();
  }
}
