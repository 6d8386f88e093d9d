// Statements on a connection of SQLite, each prepared once.

import type Sqlite from "better-sqlite3";
import { SqliteAdapter } from "kysely";

const maxPreparedStatements = 200;

/**
 * Also runs statements on the connection directly. Kysely waits for the connection, which takes about ten promises. Callers
 * need not wait: they have begun the transaction, or no transaction ever runs on the connection.
 */
export class WaitingSqliteAdapter extends SqliteAdapter {
  readonly #database: ReturnType<typeof withPreparedStatements>;

  constructor(database: ReturnType<typeof withPreparedStatements>) {
    super();
    this.#database = database;
  }

  /** @returns the rows; an empty list if the statement only writes */
  run(sql: string, parameters: readonly unknown[]): unknown[] {
    const statement = this.#database.prepare(sql);
    if (statement.reader) return statement.all(...parameters);
    statement.run(...parameters);
    return [];
  }
}

/** Caches prepared statements: parsing one costs more than running it. */
export function withPreparedStatements(sqlite: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement<unknown[]>>();
  return {
    /** Whether the driver has begun a transaction and neither committed nor rolled it back. */
    isInTransaction: false,
    prepare(sql: string) {
      // After SQLite has rolled back automatically, a further statement would be committed alone.
      if (this.isInTransaction && !sqlite.inTransaction) throw new Error("the transaction is over");
      let statement = statements.get(sql);
      if (!statement) {
        if (statements.size >= maxPreparedStatements) statements.clear();
        statement = sqlite.prepare<unknown[]>(sql);
        statements.set(sql, statement);
      }
      return statement;
    },
    close: () => sqlite.close(),
  };
}
