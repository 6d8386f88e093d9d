// Records when API keys were used first, and last to the minute, and how many rows they read first: in memory during
// requests, in the database a little later.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { recordFirstRows, recordKeyUse } from "../../storage/api-keys.ts";
import type { Database } from "../../storage/database.ts";
import { lockOrganization } from "../../storage/organizations.ts";

/** Bounds the memory. A server with more keys in use writes some of them more than once a minute. */
const maxKeys = 100_000;

/** Waits this long before it writes again what could not be written: a read-only database fails every time. */
const retryMs = 30_000;

/** User agents are short. What follows says no more about the tool. */
const maxClientLength = 200;

interface KeyRequest {
  /** Milliseconds since 1970. */
  at: number;
  /** Its User-Agent header; empty if there is none. */
  client: string;
}

/** One per server. */
export interface KeyUsage {
  /** Notes that a key was used. Synchronous: no request waits for the database. */
  note(organizationId: number, keyId: number, request: KeyRequest): void;
  /** Notes the rows that a key read. Only the first ones are kept. */
  noteRows(organizationId: number, keyId: number, rows: number): void;
  /** Writes pending notes to the database. Those that fail stay pending. */
  flush(): Promise<void>;
  /** Stops the timer and flushes. */
  stop(): Promise<void>;
}

/** @param afterMs how long the first use in a minute waits for others before it is written */
export function startKeyUsage({
  database,
  log,
  afterMs,
}: {
  database: Pick<Database, "transaction">;
  log: Pick<Logger, "warn" | "debug">;
  afterMs: number;
}): KeyUsage {
  /** The minute noted last, by key id. Key ids are unique across organizations. */
  const minutes = new Map<number, number>();
  /** The keys whose rows were noted. */
  const withRows = new Set<number>();
  const pending = new PendingUses(database, log);
  let timer: NodeJS.Timeout | undefined;
  const flushAfter = (ms: number) => {
    timer ??= setTimeout(async () => {
      await pending.flush();
      timer = undefined;
      if (!pending.isEmpty) flushAfter(Math.max(retryMs, afterMs));
    }, ms).unref();
  };
  return {
    note(organizationId, keyId, { at, client }) {
      const minute = at - (at % minuteMs);
      if (minutes.get(keyId) === minute) return;
      // A cleared key is at worst written once more. `pending` stays: it is no larger than the number of keys.
      if (minutes.size >= maxKeys) minutes.clear();
      minutes.set(keyId, minute);
      pending.add(organizationId, keyId, { minute, at, client: client.slice(0, maxClientLength) });
      flushAfter(afterMs);
    },
    noteRows(organizationId, keyId, rows) {
      if (withRows.has(keyId)) return;
      if (withRows.size >= maxKeys) withRows.clear();
      withRows.add(keyId);
      pending.addRows(organizationId, keyId, rows);
      flushAfter(afterMs);
    },
    flush: () => pending.flush(),
    stop() {
      clearTimeout(timer);
      return pending.flush();
    },
  };
}

/** The first use of a key, and the latest minute of its use. */
interface KeyUse extends KeyRequest {
  minute: number;
}

/** The use of one key that is not in the database yet. */
interface PendingUse {
  use?: KeyUse;
  rows?: number;
}

/** Uses that are not in the database yet. */
class PendingUses {
  readonly #database: Pick<Database, "transaction">;
  readonly #log: Pick<Logger, "warn" | "debug">;
  /** By key id, by organization. */
  #uses = new Map<number, Map<number, PendingUse>>();
  #isFailing = false;
  #lastFlush = Promise.resolve();

  constructor(database: Pick<Database, "transaction">, log: Pick<Logger, "warn" | "debug">) {
    this.#database = database;
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#uses.size === 0;
  }

  add(organizationId: number, keyId: number, use: KeyUse): void {
    const pending = this.#of(organizationId, keyId);
    const other = pending.use ?? use;
    const first = other.at < use.at ? other : use;
    pending.use = { ...first, minute: Math.max(use.minute, other.minute) };
  }

  addRows(organizationId: number, keyId: number, rows: number): void {
    this.#of(organizationId, keyId).rows ??= rows;
  }

  #of(organizationId: number, keyId: number): PendingUse {
    const keys = this.#uses.get(organizationId) ?? new Map<number, PendingUse>();
    const pending = keys.get(keyId) ?? {};
    this.#uses.set(organizationId, keys.set(keyId, pending));
    return pending;
  }

  /** Flushes run one after another. */
  flush(): Promise<void> {
    this.#lastFlush = this.#lastFlush.then(() => this.#flushNow());
    return this.#lastFlush;
  }

  async #flushNow(): Promise<void> {
    const due = this.#uses;
    this.#uses = new Map();
    for (const [index, [organization, keys]] of [...due].entries()) {
      // SQLite writes synchronously: requests go first.
      if (index > 0) await nextTurn();
      try {
        await write(this.#database, organization, keys);
        this.#isFailing = false;
      } catch (error) {
        // A read-only database fails every time; one warning is enough.
        const level = this.#isFailing ? "debug" : "warn";
        this.#log[level]({ err: error, organization }, "cannot record when keys were used; will retry");
        this.#isFailing = true;
        for (const [keyId, { use, rows }] of keys) {
          if (use) this.add(organization, keyId, use);
          if (rows !== undefined) this.addRows(organization, keyId, rows);
        }
      }
    }
  }
}

/** Writes the uses of one organization in one idempotent transaction. */
function write(
  database: Pick<Database, "transaction">,
  organizationId: number,
  keys: ReadonlyMap<number, PendingUse>,
): Promise<void> {
  return database.transaction(async (queries) => {
    if (!(await lockOrganization(queries, organizationId))) return;
    for (const [id, { use, rows }] of keys) {
      if (use) await recordKeyUse(queries, organizationId, { id, ...use });
      if (rows !== undefined) await recordFirstRows(queries, organizationId, { id, rows });
    }
  }, "idempotent");
}
