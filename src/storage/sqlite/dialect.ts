// How Kysely speaks to the embedded database: writers take turns without holding up their process, changes of the schema
// can be undone, and each statement is prepared once.

import { setTimeout as pause } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
} from "kysely";
import { AppError } from "../../errors.ts";

/** How long a writer waits for another one, and how often it looks. */
export const busyTimeoutMs = 30_000;
export const retryEveryMs = 5;
const preparedStatementsMax = 200;

/** Kysely's SQLite dialect, with transactions that writers queue for and schema changes that can be undone. */
export class QueuedSqliteDialect extends SqliteDialect {
  readonly #driver: SqliteDriver;

  constructor(sqlite: Sqlite.Database, purpose: "reading" | "writing") {
    const database = withPreparedStatements(sqlite);
    super({ database });
    this.#driver =
      purpose === "writing" ? new WritingDriver(sqlite, database) : new SqliteDriver({ database });
  }

  override createDriver(): SqliteDriver {
    return this.#driver;
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSchemaAdapter();
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new LastingQueryCompiler();
  }
}

/**
 * SQLite looks at a bare parameter when it plans joins and orders, and from then on plans the statement anew whenever the
 * parameter is bound, which takes several times as long as a look-up by a key. A plus before it keeps it from looking.
 */
class LastingQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }
}

/** A writer takes its turn when it begins: one that began by reading would be refused where it must wait. */
class WritingDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  readonly #database: ReturnType<typeof withPreparedStatements>;

  constructor(sqlite: Sqlite.Database, database: ReturnType<typeof withPreparedStatements>) {
    super({ database });
    this.#sqlite = sqlite;
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await retryWhileBusy(() => connection.executeQuery(CompiledQuery.raw("begin immediate")));
    this.#database.isWithin = true;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#database.isWithin = false;
  }

  /** On a full disk SQLite has already undone everything; to ask again would hide its error behind another. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#database.isWithin = false;
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Does what only one writer can do at a time; who waits for it does not hold up its own process. */
export async function retryWhileBusy(work: () => Promise<unknown>): Promise<void> {
  const giveUpAt = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
      if (performance.now() > giveUpAt) {
        throw new AppError(
          "unavailable",
          "another process is writing to the database; try again when it is done",
        );
      }
    }
    await pause(retryEveryMs);
  }
}

class TransactionalSchemaAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Parsing a statement costs more than running it, so each is prepared once. */
function withPreparedStatements(sqlite: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement<unknown[]>>();
  return {
    /** Whether a transaction has begun that was neither committed nor undone by us. */
    isWithin: false,
    prepare(sql: string) {
      // After an error SQLite may have undone it by itself; whatever came now would stand alone.
      if (this.isWithin && !sqlite.inTransaction) throw new Error("the transaction is over");
      let statement = statements.get(sql);
      if (!statement) {
        if (statements.size >= preparedStatementsMax) statements.clear();
        statement = sqlite.prepare<unknown[]>(sql);
        statements.set(sql, statement);
      }
      return statement;
    },
    close: () => sqlite.close(),
  };
}
