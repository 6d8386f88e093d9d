// Records when API keys were used first, and last to the minute: in memory during requests, in the
// database a little later.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { type KeyUse, recordKeyUse } from "../../storage/keys/api-keys.ts";
import { lockOrganization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";

/** User agents are short. What follows says no more about the tool. */
const maxClientLength = 200;

interface KeyRequest {
  /** Milliseconds since 1970. */
  at: number;
  /** The User-Agent header; empty if there is none. */
  client: string;
}

/** One per server. */
export interface KeyUsage {
  /** Notes that a key was used. Synchronous: no request waits for the database. */
  note(organizationId: number, keyId: number, request: KeyRequest): void;
  /** Writes all notes to the database. Those that fail stay in memory. */
  flush(): Promise<void>;
  /** Stops the timers and flushes. */
  stop(): Promise<void>;
}

type PendingUse = KeyUse & { organizationId: number };
type PendingUses = readonly (readonly [keyId: number, use: PendingUse])[];

/** @param afterMs how often first uses are written. Further uses of a key, and those that failed, wait up to a minute. */
export function startKeyUsage({
  database,
  log,
  afterMs,
}: {
  database: Pick<Database, "transactionOf">;
  log: Pick<Logger, "warn" | "debug">;
  afterMs: number;
}): KeyUsage {
  const pending = new Map<number, PendingUse>();
  /** The keys whose use was written, or tried to be, in this minute. */
  const recent = new Set<number>();
  let isFailing = false;
  let lastFlush = Promise.resolve();

  const add = (keyId: number, { organizationId, ...use }: PendingUse) => {
    const others = pending.get(keyId) ?? use;
    const { firstAt, client } = use.firstAt < others.firstAt ? use : others;
    const lastAt = Math.max(use.lastAt, others.lastAt);
    pending.set(keyId, { organizationId, firstAt, client, lastAt });
  };
  const writeAll = async (uses: PendingUses) => {
    for (const [organizationId, ofOne] of Map.groupBy(uses, ([, use]) => use.organizationId)) {
      try {
        await write(database, organizationId, ofOne);
        isFailing = false;
      } catch (error) {
        // A read-only database fails every time; one warning is enough.
        const level = isFailing ? "debug" : "warn";
        log[level](
          { err: error, organization: organizationId },
          "cannot record when keys were used; will retry",
        );
        isFailing = true;
        for (const [keyId, use] of ofOne) add(keyId, use);
      }
      // SQLite writes synchronously: requests go first.
      await nextTurn();
    }
  };
  const writeDue = (isDue: (keyId: number) => boolean) => {
    const due = [...pending].filter(([keyId]) => isDue(keyId));
    for (const [keyId] of due) {
      pending.delete(keyId);
      recent.add(keyId);
    }
    return writeAll(due);
  };
  /** Flushes run one after another. */
  const flush = (isDue: (keyId: number) => boolean = () => true) => {
    if (pending.size > 0) lastFlush = lastFlush.then(() => writeDue(isDue));
    return lastFlush;
  };
  const timers = [
    setInterval(() => void flush((keyId) => !recent.has(keyId)), afterMs),
    setInterval(() => recent.clear(), minuteMs),
  ];
  for (const timer of timers) timer.unref();
  return {
    note: (organizationId, keyId, { at, client }) =>
      add(keyId, {
        organizationId,
        firstAt: at,
        lastAt: at,
        client: client.slice(0, maxClientLength),
      }),
    flush: () => flush(),
    stop() {
      for (const timer of timers) clearInterval(timer);
      return flush();
    },
  };
}

/** Writes the uses of one organization in one transaction. */
function write(
  database: Pick<Database, "transactionOf">,
  organizationId: number,
  uses: PendingUses,
): Promise<void> {
  return database.transactionOf(organizationId, async (scope) => {
    if (!(await lockOrganization(scope))) return;
    for (const [id, use] of uses) await recordKeyUse(scope, id, use);
  });
}
