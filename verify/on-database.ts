// A new database for one check: a file, or one on a PostgreSQL server that is there for it alone.

import { join } from "node:path";
import { startPostgres } from "../test/support/postgres-server.ts";
import { inFolder } from "./folder.ts";

export const databaseKinds = ["sqlite", "postgres"] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** Gives the work the address of a database that is gone afterwards. */
export async function onDatabase(
  kind: DatabaseKind,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (kind === "sqlite") return inFolder((folder) => work(`sqlite:${join(folder, "verify.db")}`));
  const server = await startPostgres();
  try {
    await server.query("create database verify");
    await work(server.url("verify"));
  } finally {
    await server.remove();
  }
}
