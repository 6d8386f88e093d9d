// Kysely's SQLite dialect with our changes: writers wait without blocking the process, and each statement is prepared once.

import type Sqlite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
} from "kysely";
import { WaitingSqliteAdapter, withPreparedStatements } from "../queries/sqlite-adapter.ts";
import type { Turns } from "./turns.ts";

export class WaitingSqliteDialect extends SqliteDialect {
  readonly #driver: SqliteDriver;
  readonly #adapter: WaitingSqliteAdapter;

  /** @param turns of a connection that writes */
  constructor(sqlite: Sqlite.Database, turns?: Turns) {
    const database = withPreparedStatements(sqlite);
    super({ database });
    this.#adapter = new WaitingSqliteAdapter(database);
    this.#driver = turns ? new WritingDriver(sqlite, database, turns) : new SqliteDriver({ database });
  }

  override createDriver(): SqliteDriver {
    return this.#driver;
  }

  override createAdapter(): SqliteAdapter {
    return this.#adapter;
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new OpaqueParameterCompiler();
  }
}

/**
 * Writes parameters as `+?`. SQLite plans joins and orders by the value of a bare parameter, and then plans the statement
 * again at every binding, which takes several times as long as a lookup by key. The plus hides the value.
 */
class OpaqueParameterCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }
}

/** Takes the write lock at `begin`: a transaction that starts by reading cannot wait for it later. */
class WritingDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  readonly #database: ReturnType<typeof withPreparedStatements>;
  readonly #turns: Turns;

  constructor(sqlite: Sqlite.Database, database: ReturnType<typeof withPreparedStatements>, turns: Turns) {
    super({ database });
    this.#sqlite = sqlite;
    this.#database = database;
    this.#turns = turns;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#turns.wait(() => connection.executeQuery(CompiledQuery.raw("begin immediate")));
    this.#database.isInTransaction = true;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#database.isInTransaction = false;
  }

  /** On a full disk SQLite has already rolled back; a second rollback would hide that error behind its own. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#database.isInTransaction = false;
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}
