// The database as the rest of the program sees it: queries, snapshots and transactions on either SQLite or PostgreSQL.

import type { Queries } from "./queries.ts";
import type { Scope } from "./scope.ts";

/**
 * When a failed transaction may be retried from its start:
 * - `never`: it has effects elsewhere, such as printed lines or a file that was read;
 * - `beforeCommit`: if nothing was committed for certain (a deadlock, a connection lost before the commit);
 * - `idempotent`: even if the outcome of the commit is unknown, because running it twice changes nothing.
 */
export type Retry = "never" | "beforeCommit" | "idempotent";

/** Undefined is what only the other kind of database has. */
export interface DatabaseUse {
  bytes: number;
  /** The write-ahead log of a SQLite file. */
  logBytes?: number;
  /** The free space on the disk of a SQLite file. */
  freeBytes?: number;
  /** The connections to a PostgreSQL server; `waiting` counts statements without a connection. */
  connections?: { used: number; idle: number; waiting: number };
}

/** What SQLite and PostgreSQL do in their own way. */
export interface UnscopedDatabase {
  /**
   * Runs single read statements, each in its own transaction: cheaper than a snapshot of one statement. On SQLite nothing
   * else runs until the statement is done.
   */
  query<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Runs reads that all see the same state of the data. */
  snapshot<Result>(
    work: (queries: Queries) => Promise<Result>,
    retry?: Exclude<Retry, "idempotent">,
  ): Promise<Result>;
  /**
   * Runs a transaction that writes; an error rolls it back. When it returns, the change is on disk. Transactions that
   * write rows of an organization call `lockOrganization` first.
   *
   * @param retry default `beforeCommit`
   * @throws AppError `unavailable` if the database cannot be written now, or the outcome of the commit is unknown
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>, retry?: Retry): Promise<Result>;
  /**
   * Returns free pages to the disk in small steps and empties the write-ahead log, which still has deleted rows.
   *
   * @returns false if readers prevented it from finishing
   */
  shrink(): Promise<boolean>;
  /**
   * Rewrites the whole database, so that unused bytes keep no deleted data: SQLite leaves copies behind when it splits a
   * page, PostgreSQL keeps dead rows until it needs the space. Blocks writers.
   *
   * @returns as {@link shrink}
   */
  vacuum(): Promise<boolean>;
  /** {@link vacuum} after a deletion that someone requested; nothing on PostgreSQL, where it would take too long. */
  wipe(): Promise<boolean>;
  /**
   * Why a SQLite file can only be read now, as a public message; undefined if it can be written. It tries to write, and to
   * open the file again for writing, as every transaction does.
   */
  writeProblem(): string | undefined;
  /** What the database uses. */
  measureUse(): Promise<DatabaseUse>;
  /** Whether processes on other hosts can use the database too. */
  isShared: boolean;
  /** Transactions that can write at the same time, each for a different organization. */
  maxWriters: number;
  /** The migrations that ran when it was opened. */
  migrated: string[];
  close(): Promise<void>;
}

/** Most work is of one organization: its callbacks get the queries of that one. */
export interface Database extends UnscopedDatabase {
  /** {@link query} of an organization. */
  queryOf<Result>(organizationId: number, work: (scope: Scope) => Promise<Result>): Promise<Result>;
  /** {@link snapshot} of an organization. */
  snapshotOf<Result>(
    organizationId: number,
    work: (scope: Scope) => Promise<Result>,
    retry?: Exclude<Retry, "idempotent">,
  ): Promise<Result>;
  /** {@link transaction} of an organization. */
  transactionOf<Result>(
    organizationId: number,
    work: (scope: Scope) => Promise<Result>,
    retry?: Retry,
  ): Promise<Result>;
}

/** SQLite uses only the first two. */
export interface DatabaseOptions {
  /** Fails if the database does not exist, instead of creating it. */
  mustExist?: boolean | undefined;
  /** Takes more memory to write many rows. Commands do so too. */
  writesMuch?: boolean | undefined;
  /** Size of the connection pool. */
  maxConnections?: number | undefined;
  /** For commands, not for serving: no limit on how long a statement or an idle transaction takes. */
  isCommand?: boolean | undefined;
  /** No limit on how long a transaction is idle: for one whose records go to a client that may read slowly. */
  mayPause?: boolean | undefined;
  /** Accepts a server that acknowledges commits before they are on disk. */
  allowsUnsafeCommits?: boolean | undefined;
}

/** Rows per statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
export const rowsPerStatement = 500;

/** Splits a list into pieces. */
export function* chunks<Item>(items: readonly Item[], size = rowsPerStatement): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Splits a list that arrives bit by bit into pieces. */
export async function* asyncChunks<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size = rowsPerStatement,
): AsyncGenerator<readonly Item[]> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
