// Any number of new databases for one check: SQLite files in one folder, or databases of one PostgreSQL server.

import { join } from "node:path";
import type { DatabaseKind } from "./new-database.ts";
import { startPostgres } from "./postgres-server.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

/** @returns the URL of an empty database that did not exist before */
export type NewDatabase = () => Promise<string>;

/** Deletes the folder and all databases after the work. */
export async function withNewDatabases(
  kind: DatabaseKind,
  work: (folder: string, newDatabase: NewDatabase) => Promise<void>,
): Promise<void> {
  let made = 0;
  await withTemporaryFolder(async (folder) => {
    if (kind === "sqlite") return work(folder, async () => `sqlite:${join(folder, `${++made}.db`)}`);
    const server = await startPostgres();
    try {
      await work(folder, async () => {
        const name = `verify_${++made}`;
        await server.query(`create database ${name}`);
        return server.url(name);
      });
    } finally {
      await server.remove();
    }
  });
}
