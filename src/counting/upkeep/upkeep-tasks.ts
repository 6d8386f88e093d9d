// The background tasks of the upkeep thread. Each does a little at a time. A failure of one does not stop the others.

import { randomUUID } from "node:crypto";
import { AppError } from "../../errors.ts";
import { findOrganizationsWithOutdatedRecords } from "../../storage/campaigns/outdated-records.ts";
import type { Database } from "../../storage/database.ts";
import { acquireLease } from "../../storage/leases.ts";
import { findRetiredLedger } from "../../storage/retired-ledgers.ts";
import { purgeRetiredLedger } from "../campaigns/purge-retired-ledger.ts";
import { renderOutdatedRecords } from "../publish.ts";
import { runDueTasks } from "./due-tasks.ts";

/** Keeps transactions so short that other writers wait about ten milliseconds. */
const recordsPerTransaction = 200;
const dueTasksEveryMs = 60_000;
/** Of several processes, the one with the lease does the upkeep. If it dies, another takes over after this time. */
const leaseMs = 30_000;

export class UpkeepTasks {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #dueTasksRanAt = Number.NEGATIVE_INFINITY;
  /** False at the start: a process that was killed may have left free space behind. */
  #isShrunk = false;
  readonly #holder = randomUUID();
  #leasedUntil = Number.NEGATIVE_INFINITY;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** @returns whether there is more to do now */
  async run(): Promise<boolean> {
    if (this.#database.isShared && !(await this.#attempt(() => this.#hasLease()))) return false;
    const hasMore = [
      await this.#attempt(() => this.#renderOutdatedRecords()),
      await this.#attempt(() => this.#runDueTasks()),
      await this.#attempt(() => this.#purge()),
    ];
    return hasMore.includes(true);
  }

  /** A database that is locked by another writer is no error: the task is retried. */
  async #attempt(task: () => Promise<boolean>): Promise<boolean> {
    try {
      return await task();
    } catch (error) {
      const all = error instanceof AggregateError ? error.errors : [error];
      const isLocked = all.every((each) => each instanceof AppError && each.code === "unavailable");
      if (!isLocked) this.#onError(error);
      return false;
    }
  }

  async #hasLease(): Promise<boolean> {
    const now = performance.now();
    if (now < this.#leasedUntil) return true;
    const lease = { name: "upkeep", holder: this.#holder, ms: leaseMs } as const;
    const isMine = await this.#database.transaction((queries) => acquireLease(queries, lease));
    if (isMine) this.#leasedUntil = now + leaseMs / 2;
    return isMine;
  }

  async #renderOutdatedRecords(): Promise<boolean> {
    let rendered = 0;
    for (const id of await this.#database.snapshot(findOrganizationsWithOutdatedRecords)) {
      rendered += await this.#database.transaction((queries) =>
        renderOutdatedRecords(queries, id, recordsPerTransaction),
      );
    }
    return rendered > 0;
  }

  async #runDueTasks(): Promise<boolean> {
    if (performance.now() - this.#dueTasksRanAt < dueTasksEveryMs) return false;
    this.#dueTasksRanAt = performance.now();
    await runDueTasks(this.#database, Date.now());
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
