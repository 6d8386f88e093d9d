// The background tasks of the upkeep thread. Each does a little at a time. A failure of one does not stop the others.

import { randomUUID } from "node:crypto";
import { hourMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { findRetiredLedger } from "../../storage/ledgers/retired-ledgers.ts";
import { acquireLease } from "../../storage/organizations/leases.ts";
import type { Database } from "../../storage/queries/database.ts";
import { finishAbandonedLists } from "../audience/save-recipients.ts";
import { purgeRetiredLedger } from "../campaigns/purge-retired-ledger.ts";
import { finishAbandonedImports } from "../import/continue-import.ts";
import { publishAllDue } from "../publish.ts";
import { runDueTasks } from "./due-tasks.ts";

/** Only the process with the lease does the upkeep. If it dies, another takes over after this time. */
const leaseMs = 30_000;

/** The clocks of a process. */
interface Clocks {
  /** The wall clock, in milliseconds since 1970. */
  now(): number;
  /** The monotonic clock: milliseconds since any moment. No one can set it. */
  monotonic(): number;
}

export class UpkeepTasks {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #clocks: Clocks;
  /** When the due tasks run next, by the monotonic clock like all times kept here. */
  #dueTasksAt = Number.NEGATIVE_INFINITY;
  /** False at the start: a process that was killed may have left free space behind. */
  #isShrunk = false;
  readonly #holder = randomUUID();
  #leasedUntil = Number.NEGATIVE_INFINITY;
  /** The tasks whose last attempt failed. */
  readonly #failing = new Set<string>();

  constructor(
    database: Database,
    onError: (error: unknown) => void,
    clocks: Clocks = { now: Date.now, monotonic: () => performance.now() },
  ) {
    this.#database = database;
    this.#onError = onError;
    this.#clocks = clocks;
  }

  /** @returns whether there is more to do now */
  async run(): Promise<boolean> {
    if (this.#database.isShared && !(await this.#attempt("lease", () => this.#hasLease()))) return false;
    const isDue = this.#clocks.monotonic() >= this.#dueTasksAt;
    const hasMore = [
      await this.#attempt("publish", () => publishAllDue(this.#database, this.#clocks.now())),
      await this.#attempt("large work", () => this.#finishLargeWork()),
      isDue && (await this.#attempt("due tasks", () => this.#runDueTasks())),
      await this.#attempt("purge", () => this.#purge()),
    ];
    return hasMore.includes(true);
  }

  /** Whether a task could not do its work, and will be retried. */
  get isFailing(): boolean {
    return this.#failing.size > 0;
  }

  /** A database that is locked by another writer is no error: the task is retried. */
  async #attempt(name: string, task: () => Promise<boolean>): Promise<boolean> {
    try {
      const hasMore = await task();
      this.#failing.delete(name);
      return hasMore;
    } catch (error) {
      const all = error instanceof AggregateError ? error.errors : [error];
      const isLocked = all.every((each) => each instanceof AppError && each.code === "unavailable");
      if (!isLocked) this.#onError(error);
      // A clock that is ahead: after a quiet day it may well be right.
      if (!(error instanceof AppError && error.code === "conflict")) this.#failing.add(name);
      return false;
    }
  }

  async #hasLease(): Promise<boolean> {
    const now = this.#clocks.monotonic();
    if (now < this.#leasedUntil) return true;
    const lease = { name: "upkeep", holder: this.#holder, ms: leaseMs } as const;
    const isMine = await this.#database.transaction((queries) => acquireLease(queries, lease));
    if (isMine) this.#leasedUntil = now + leaseMs / 2;
    return isMine;
  }

  async #runDueTasks(): Promise<boolean> {
    const monotonic = this.#clocks.monotonic();
    this.#dueTasksAt = monotonic + minuteMs;
    try {
      await runDueTasks(this.#database, this.#clocks.now());
    } catch (error) {
      // The clock is too far ahead: the log says so once an hour.
      if (error instanceof AppError && error.code === "conflict") this.#dueTasksAt = monotonic + hourMs;
      throw error;
    }
    return false;
  }

  /** Goes on with what other processes have left. */
  async #finishLargeWork(): Promise<boolean> {
    const errors = [
      ...(await finishAbandonedImports(this.#database, this.#clocks.now())),
      ...(await finishAbandonedLists(this.#database, this.#clocks.now())),
    ];
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("; "));
    return false;
  }

  /** Deletes retired ledgers, then returns the free space to the disk. */
  async #purge(): Promise<boolean> {
    if (await this.#database.snapshot(findRetiredLedger)) {
      this.#isShrunk = false;
      return this.#database.transaction(purgeRetiredLedger);
    }
    if (!this.#isShrunk) this.#isShrunk = await this.#database.shrink();
    return false;
  }
}
