// The database as everything else sees it: transactions, and what differs between one machine and many.

import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Statements within one transaction. */
export type Queries = Kysely<Tables>;

/**
 * When the work of a transaction may be done again from its beginning after a failure that is nobody's fault:
 * - `never`: it has effects elsewhere, such as lines that were printed or a file that was read;
 * - `beforeCommit`: when it is certain that nothing was written (a deadlock, a connection that is lost before the commit);
 * - `idempotent`: even when nobody knows whether the commit was made, because to do it twice changes nothing.
 */
export type Retry = "never" | "beforeCommit" | "idempotent";

export interface Database {
  /**
   * Reads by single statements, each of a state of its own that is no older than its beginning: cheaper than a transaction
   * of which only one statement is wanted. On SQLite nothing else happens before each is done.
   */
  query<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Reads one state of the data: nothing that is written meanwhile is seen. */
  snapshot<Result>(
    work: (queries: Queries) => Promise<Result>,
    retry?: Exclude<Retry, "idempotent">,
  ): Promise<Result>;
  /**
   * Writes all or nothing. When it returns, the change is on disk. An error undoes everything. Who writes what belongs to
   * an organization calls `lockOrganization` first, so that nobody else changes it at the same time.
   *
   * @param retry `beforeCommit` unless it is said otherwise
   * @throws Refusal `unavailable` when the database cannot be written now, or it is not known whether it was
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>, retry?: Retry): Promise<Result>;
  /**
   * Gives freed space back to the disk, a little at a time, and leaves nothing of what was deleted in the log of writes.
   *
   * @returns whether it came to its end; readers may hold it up
   */
  shrink(): Promise<boolean>;
  /**
   * Writes everything anew, so that nothing of what was deleted is left in unused bytes either: SQLite wipes a row
   * where it stands, but not the copies that stay behind when a full page is split; PostgreSQL keeps what was deleted
   * until its place is needed. Writers wait meanwhile.
   *
   * @returns as {@link shrink} does
   */
  vacuum(): Promise<boolean>;
  /** What of {@link vacuum} is done whenever something was deleted on request: on PostgreSQL nothing, it would take too long. */
  wipe(): Promise<boolean>;
  /** Whether processes on other machines may use it as well. */
  isShared: boolean;
  /** Transactions that can write at the same time, each for an organization of its own. */
  writersMax: number;
  /** The migrations that were run when it was opened. */
  migrated: string[];
  close(): Promise<void>;
}

/** Of no concern to the embedded database, but for the first. */
export interface DatabaseOptions {
  /** Whether to refuse an address at which there is none yet, in place of making one there. */
  mustExist?: boolean | undefined;
  /** Connections at the same time. */
  connectionsMax?: number | undefined;
  /** Whether a statement, or a transaction in which nothing happens, may take as long as it likes: commands do, serving not. */
  hasNoTimeouts?: boolean | undefined;
  /** Whether commits may be answered before they are on disk. */
  allowsUnsafeCommits?: boolean | undefined;
}

/** Rows of one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
export const rowsPerStatement = 500;

/** Cuts a list into what goes into one statement. */
export function* chunks<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += rowsPerStatement) {
    yield items.slice(start, start + rowsPerStatement);
  }
}
