// Notes when API keys are used, to the hour: in memory while requests are answered, and in the database a little later.

import type { Logger } from "pino";
import { hourMs } from "../campaign/calendar/durations.ts";
import { recordKeyUse } from "../storage/api-keys.ts";
import type { Database } from "../storage/database.ts";
import { lockOrganization } from "../storage/organizations.ts";

/** Keys that are remembered at the same time; there are more of them only where something is wrong. */
const keysMax = 100_000;

/** Made once for each server. */
export interface KeyUsage {
  /** The key has just been found to be valid. Nothing is written here, and nobody waits. */
  note(organizationId: number, keyId: number, now: number): void;
  /** Writes what is noted and not written yet. What cannot be written is tried again the next time. */
  flush(): Promise<void>;
  /** Writes the last of it. */
  stop(): Promise<void>;
}

/** @param everyMs what was noted is written so often */
export function startKeyUsage({
  database,
  log,
  everyMs,
}: {
  database: Pick<Database, "transaction">;
  log: Pick<Logger, "warn" | "debug">;
  everyMs: number;
}): KeyUsage {
  /** By key, whose ids are those of no other organization: the hour that was noted last, written or not. */
  const hours = new Map<number, number>();
  /** What is to be written: of each organization, by key. */
  let waiting = new Map<number, Map<number, number>>();
  let isFailing = false;
  let lastFlush = Promise.resolve();
  const wait = (organizationId: number, keyId: number, hour: number) => {
    const keys = waiting.get(organizationId) ?? new Map<number, number>();
    waiting.set(organizationId, keys.set(keyId, Math.max(hour, keys.get(keyId) ?? 0)));
  };
  const flushNow = async () => {
    const due = waiting;
    waiting = new Map();
    for (const [organizationId, keys] of due) {
      try {
        await write(database, organizationId, keys);
        isFailing = false;
      } catch (error) {
        // One that may only read fails each time: to say it once is enough.
        const level = isFailing ? "debug" : "warn";
        log[level](
          { err: error, organization: organizationId },
          "when keys were used could not be noted yet",
        );
        isFailing = true;
        for (const [keyId, hour] of keys) wait(organizationId, keyId, hour);
      }
    }
  };
  const flush = () => {
    lastFlush = lastFlush.then(flushNow);
    return lastFlush;
  };
  const timer = setInterval(() => void (waiting.size > 0 && flush()), everyMs).unref();
  return {
    note(organizationId, keyId, now) {
      const hour = now - (now % hourMs);
      if (hours.get(keyId) === hour) return;
      // What is forgotten here is noted once more at worst. What waits stays: there is no more of it than there are keys.
      if (hours.size >= keysMax) hours.clear();
      hours.set(keyId, hour);
      wait(organizationId, keyId, hour);
    },
    flush,
    stop() {
      clearInterval(timer);
      return flush();
    },
  };
}

/** In one transaction; twice comes to the same. */
function write(
  database: Pick<Database, "transaction">,
  organizationId: number,
  keys: ReadonlyMap<number, number>,
): Promise<void> {
  const idsOfHours = Map.groupBy(keys.keys(), (keyId) => keys.get(keyId) as number);
  return database.transaction(async (queries) => {
    if (!(await lockOrganization(queries, organizationId))) return;
    for (const [hour, ids] of idsOfHours) await recordKeyUse(queries, organizationId, { ids, hour });
  }, "idempotent");
}
