// Kysely's PostgreSQL dialect with our changes: timeouts per transaction, and commits with an unknown outcome.

import {
  CompiledQuery,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type TransactionSettings,
} from "kysely";
import type { Pool } from "pg";
import { mayBeCommitted, OutcomeUnknown } from "./failures.ts";

/** Timeouts of a transaction in milliseconds; 0 is none. */
export interface TransactionTimeouts {
  statementMs: number;
  /** The longest wait for a lock of another transaction. */
  lockMs: number;
  /** The longest time between two statements. */
  idleMs: number;
}

/**
 * Sets timeouts in each transaction instead of the session: PgBouncer may give every transaction another connection.
 */
export class TimeoutPostgresDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #timeouts: TransactionTimeouts;

  readonly #onEnd: () => void;

  /** @param onEnd is called after the pool has ended */
  constructor(pool: Pool, timeouts: TransactionTimeouts, onEnd: () => void) {
    super({ pool });
    this.#pool = pool;
    this.#timeouts = timeouts;
    this.#onEnd = onEnd;
  }

  override createDriver(): Driver {
    return new TimeoutDriver(this.#pool, this.#timeouts, this.#onEnd);
  }
}

type PostgresConnection = Parameters<PostgresDriver["rollbackTransaction"]>[0];

class TimeoutDriver extends PostgresDriver {
  readonly #timeouts: string;
  /** Connections in a read-only transaction, whose commit has no outcome. */
  readonly #reading = new WeakSet<PostgresConnection>();

  readonly #onEnd: () => void;

  constructor(pool: Pool, { statementMs, lockMs, idleMs }: TransactionTimeouts, onEnd: () => void) {
    super({ pool });
    this.#onEnd = onEnd;
    this.#timeouts = [
      `set local statement_timeout = ${statementMs}`,
      `set local lock_timeout = ${lockMs}`,
      `set local idle_in_transaction_session_timeout = ${idleMs}`,
    ].join("; ");
  }

  /** Sends `begin` and the timeouts in a single round trip. */
  override async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel = "read committed", accessMode = "read write" }: TransactionSettings,
  ): Promise<void> {
    if (accessMode === "read only") this.#reading.add(connection);
    else this.#reading.delete(connection);
    const begin = `begin isolation level ${isolationLevel} ${accessMode}; ${this.#timeouts}`;
    try {
      await connection.executeQuery(CompiledQuery.raw(begin));
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  override async commitTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      const isUnknown = mayBeCommitted(error) && !this.#reading.has(connection);
      throw isUnknown ? new OutcomeUnknown(error) : error;
    }
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    this.#onEnd();
  }

  /** If the rollback fails, the connection is closed and the server rolls back. The original error matters more. */
  override async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}
