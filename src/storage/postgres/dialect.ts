// How Kysely speaks to PostgreSQL: transactions with their bounds, commits whose outcome may be unknown, and migrations
// that take turns.

import {
  CompiledQuery,
  type Driver,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type TransactionSettings,
} from "kysely";
import type { Pool } from "pg";
import { isConnectionLost, OutcomeUnknown } from "./failures.ts";

/** What a transaction is bounded by, in milliseconds; 0 is without end. */
export interface TransactionBounds {
  statementMs: number;
  /** For a lock that another transaction holds. */
  lockMs: number;
  /** Without any statement. */
  idleMs: number;
}

/**
 * Kysely's dialect, where bounds are set for each transaction: PgBouncer, which gives every transaction another
 * connection, knows no settings of a session.
 */
export class BoundedPostgresDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #bounds: TransactionBounds;

  readonly #onEnd: () => void;

  /** @param onEnd is called when no connection is needed any more */
  constructor(pool: Pool, bounds: TransactionBounds, onEnd: () => void) {
    super({ pool });
    this.#pool = pool;
    this.#bounds = bounds;
    this.#onEnd = onEnd;
  }

  override createDriver(): Driver {
    return new BoundedDriver(this.#pool, this.#bounds, this.#onEnd);
  }

  override createAdapter(): PostgresAdapter {
    return new TurnTakingAdapter();
  }
}

type Connection = Parameters<PostgresDriver["rollbackTransaction"]>[0];

class BoundedDriver extends PostgresDriver {
  readonly #bounds: string;
  /** Connections whose transaction only reads: it does not matter whether it was committed. */
  readonly #reading = new WeakSet<Connection>();

  readonly #onEnd: () => void;

  constructor(pool: Pool, { statementMs, lockMs, idleMs }: TransactionBounds, onEnd: () => void) {
    super({ pool });
    this.#onEnd = onEnd;
    this.#bounds = [
      `set local statement_timeout = ${statementMs}`,
      `set local lock_timeout = ${lockMs}`,
      `set local idle_in_transaction_session_timeout = ${idleMs}`,
    ].join("; ");
  }

  /** In one way to the server and back. */
  override async beginTransaction(
    connection: Connection,
    { isolationLevel = "read committed", accessMode = "read write" }: TransactionSettings,
  ): Promise<void> {
    if (accessMode === "read only") this.#reading.add(connection);
    else this.#reading.delete(connection);
    const begin = `begin isolation level ${isolationLevel} ${accessMode}; ${this.#bounds}`;
    try {
      await connection.executeQuery(CompiledQuery.raw(begin));
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  override async commitTransaction(connection: Connection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      const isUnknown = isConnectionLost(error) && !this.#reading.has(connection);
      throw isUnknown ? new OutcomeUnknown(error) : error;
    }
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    this.#onEnd();
  }

  /** Where that fails, the connection is given up, and the server undoes everything; what led here is what counts. */
  override async rollbackTransaction(connection: Connection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

/** Migrations take turns by a lock of their transaction (see `migrate`): one of a session would outlive it in PgBouncer. */
class TurnTakingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
