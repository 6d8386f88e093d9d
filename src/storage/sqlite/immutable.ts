// Reads a SQLite file where nothing can be written, not even the files that SQLite keeps beside it.

import { resolve } from "node:path";
import type { DatabaseSync as NodeSqlite } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Kysely, SqliteDialect } from "kysely";
import type { Tables } from "../tables/tables.ts";

/**
 * Opens a file without locks and without its write-ahead log, which must be empty. Node's own SQLite can do this;
 * better-sqlite3 does not accept the URI parameter `immutable` (sqlite.org/uri.html).
 */
export async function connectImmutable(path: string): Promise<Kysely<Tables>> {
  // Imported on demand: older versions of Node print a warning.
  const { DatabaseSync } = await import("node:sqlite");
  const url = pathToFileURL(resolve(path));
  url.search = "?mode=ro&immutable=1";
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapt(new DatabaseSync(url)) }) });
}

function adapt(sqlite: NodeSqlite) {
  return {
    prepare(sql: string) {
      const statement = sqlite.prepare(sql);
      const all = (values: readonly unknown[]) =>
        statement.all(...(values as string[])).map((row) => withBuffers(row));
      return {
        reader: true,
        all,
        iterate: (values: readonly unknown[]) => all(values).values(),
        run: (values: readonly unknown[]) => statement.run(...(values as string[])),
      };
    },
    close: () => sqlite.close(),
  };
}

/** The rest of the program expects buffers, as better-sqlite3 returns them. */
function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Uint8Array)
      row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return row;
}
