// Records when API keys were last used, to the hour: in memory during requests, in the database a little later.

import type { Logger } from "pino";
import { hourMs } from "../campaign/calendar/durations.ts";
import { recordKeyUse } from "../storage/api-keys.ts";
import type { Database } from "../storage/database.ts";
import { lockOrganization } from "../storage/organizations.ts";

/** Bounds the memory. A server with more keys in use writes some of them more than once an hour. */
const keysMax = 100_000;

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
  /** Hours by key id, by organization. */
  let pending = new Map<number, Map<number, number>>();
  let isFailing = false;
  let lastFlush = Promise.resolve();
  const addPending = (organizationId: number, keyId: number, hour: number) => {
    const keys = pending.get(organizationId) ?? new Map<number, number>();
    pending.set(organizationId, keys.set(keyId, Math.max(hour, keys.get(keyId) ?? 0)));
  };
  const flushNow = async () => {
    const due = pending;
    pending = new Map();
    for (const [organizationId, keys] of due) {
      try {
        await write(database, organizationId, keys);
        isFailing = false;
      } catch (error) {
        // A read-only database fails every time; one warning is enough.
        const level = isFailing ? "debug" : "warn";
        log[level](
          { err: error, organization: organizationId },
          "cannot record when keys were used; will retry",
        );
        isFailing = true;
        for (const [keyId, hour] of keys) addPending(organizationId, keyId, hour);
      }
    }
  };
  const flush = () => {
    lastFlush = lastFlush.then(flushNow);
    return lastFlush;
  };
  const timer = setInterval(() => void (pending.size > 0 && flush()), everyMs).unref();
  return {
    note(organizationId, keyId, now) {
      const hour = now - (now % hourMs);
      if (hours.get(keyId) === hour) return;
      // A cleared key is at worst written once more. `pending` stays: it is no larger than the number of keys.
      if (hours.size >= keysMax) hours.clear();
      hours.set(keyId, hour);
      addPending(organizationId, keyId, hour);
    },
    flush,
    stop() {
      clearInterval(timer);
      return flush();
    },
  };
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
