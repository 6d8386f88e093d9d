// Records when API keys were last used, to the hour: in memory during requests, in the database a little later.

import type { Logger } from "pino";
import { hourMs } from "../campaign/calendar/durations.ts";
import { recordKeyUse } from "../storage/api-keys.ts";
import type { Database } from "../storage/database.ts";
import { lockOrganization } from "../storage/organizations.ts";

/** Bounds the memory. A server with more keys in use writes some of them more than once an hour. */
const maxKeys = 100_000;

/** One per server. */
export interface KeyUsage {
  /** Notes that a key was used. Synchronous: no request waits for the database. */
  note(organizationId: number, keyId: number, now: number): void;
  /** Writes pending notes to the database. Those that fail stay pending. */
  flush(): Promise<void>;
  /** Stops the timer and flushes. */
  stop(): Promise<void>;
}

/** @param everyMs interval between two flushes */
export function startKeyUsage({
  database,
  log,
  everyMs,
}: {
  database: Pick<Database, "transaction">;
  log: Pick<Logger, "warn" | "debug">;
  everyMs: number;
}): KeyUsage {
  /** The hour noted last, by key id. Key ids are unique across organizations. */
  const hours = new Map<number, number>();
  const pending = new PendingHours(database, log);
  const timer = setInterval(() => void (!pending.isEmpty && pending.flush()), everyMs).unref();
  return {
    note(organizationId, keyId, now) {
      const hour = now - (now % hourMs);
      if (hours.get(keyId) === hour) return;
      // A cleared key is at worst written once more. `pending` stays: it is no larger than the number of keys.
      if (hours.size >= maxKeys) hours.clear();
      hours.set(keyId, hour);
      pending.add(organizationId, keyId, hour);
    },
    flush: () => pending.flush(),
    stop() {
      clearInterval(timer);
      return pending.flush();
    },
  };
}

/** Hours of use that are not in the database yet. */
class PendingHours {
  readonly #database: Pick<Database, "transaction">;
  readonly #log: Pick<Logger, "warn" | "debug">;
  /** Hours by key id, by organization. */
  #hours = new Map<number, Map<number, number>>();
  #isFailing = false;
  #lastFlush = Promise.resolve();

  constructor(database: Pick<Database, "transaction">, log: Pick<Logger, "warn" | "debug">) {
    this.#database = database;
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  add(organizationId: number, keyId: number, hour: number): void {
    const keys = this.#hours.get(organizationId) ?? new Map<number, number>();
    this.#hours.set(organizationId, keys.set(keyId, Math.max(hour, keys.get(keyId) ?? 0)));
  }

  /** Flushes run one after another. */
  flush(): Promise<void> {
    this.#lastFlush = this.#lastFlush.then(() => this.#flushNow());
    return this.#lastFlush;
  }

  async #flushNow(): Promise<void> {
    const due = this.#hours;
    this.#hours = new Map();
    for (const [organization, keys] of due) {
      try {
        await write(this.#database, organization, keys);
        this.#isFailing = false;
      } catch (error) {
        // A read-only database fails every time; one warning is enough.
        const level = this.#isFailing ? "debug" : "warn";
        this.#log[level]({ err: error, organization }, "cannot record when keys were used; will retry");
        this.#isFailing = true;
        for (const [keyId, hour] of keys) this.add(organization, keyId, hour);
      }
    }
  }
}

/** Writes the hours of one organization in one idempotent transaction. */
function write(
  database: Pick<Database, "transaction">,
  organizationId: number,
  keys: ReadonlyMap<number, number>,
): Promise<void> {
  const idsByHour = Map.groupBy(keys.keys(), (keyId) => keys.get(keyId) as number);
  return database.transaction(async (queries) => {
    if (!(await lockOrganization(queries, organizationId))) return;
    for (const [hour, ids] of idsByHour) await recordKeyUse(queries, organizationId, { ids, hour });
  }, "idempotent");
}
