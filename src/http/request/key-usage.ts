// Records when API keys were used first, and last to the minute, how often by day, and how many rows they read first: in
// memory during requests, in the database a little later.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import { minuteMs } from "../../campaign/calendar/durations.ts";
import { type KeyUse, recordFirstRows, recordKeyUse } from "../../storage/api-keys.ts";
import type { Database } from "../../storage/database.ts";
import { lockOrganization } from "../../storage/organizations.ts";

/** Bounds the memory. A server with more keys in use writes some of them more than once a minute. */
const maxKeys = 100_000;

/** Waits this long before it writes again what could not be written: a read-only database fails every time. */
const retryMs = 30_000;

/** Of a key that cannot be written. Requests of earlier minutes are not counted. */
const maxPendingMinutes = 60;

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

/** @param afterMs how long the first use in a minute waits for others before it is written; further uses wait a minute */
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
  let dueAt = Infinity;
  const flushAfter = (ms: number) => {
    const at = performance.now() + ms;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(async () => {
      // A first use that arrives during the flush gets a timer of its own.
      dueAt = Infinity;
      await pending.flush();
      if (!pending.isEmpty) flushAfter(Math.max(retryMs, afterMs));
    }, ms).unref();
  };
  return {
    note(organizationId, keyId, { at, client }) {
      const minute = at - (at % minuteMs);
      pending.add(organizationId, keyId, { minute, at, client: client.slice(0, maxClientLength) });
      if (minutes.get(keyId) === minute) return flushAfter(minuteMs);
      // A cleared key is at worst written once more.
      if (minutes.size >= maxKeys) minutes.clear();
      minutes.set(keyId, minute);
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

/** The use of one key that the database does not have yet. */
interface PendingUse {
  use?: KeyUse & { requests: Map<number, number> };
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

  add(organizationId: number, keyId: number, { minute, ...request }: KeyRequest & { minute: number }): void {
    const pending = this.#of(organizationId, keyId);
    pending.use ??= { ...request, requests: new Map() };
    if (request.at < pending.use.at) Object.assign(pending.use, request);
    const { requests } = pending.use;
    requests.set(minute, (requests.get(minute) ?? 0) + 1);
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

  /** Adds what could not be written to what came since then. */
  #keep(organizationId: number, keyId: number, { use, rows }: PendingUse): void {
    if (rows !== undefined) this.addRows(organizationId, keyId, rows);
    if (!use) return;
    const pending = this.#of(organizationId, keyId);
    for (const [minute, count] of pending.use?.requests ?? []) {
      use.requests.set(minute, (use.requests.get(minute) ?? 0) + count);
    }
    const minutes = [...use.requests.keys()].sort((a, b) => a - b);
    for (const minute of minutes.slice(0, -maxPendingMinutes)) use.requests.delete(minute);
    pending.use = use;
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
        for (const [keyId, failed] of keys) this.#keep(organization, keyId, failed);
      }
    }
  }
}

/** Writes the uses of one organization in one transaction. */
function write(
  database: Pick<Database, "transaction">,
  organizationId: number,
  keys: ReadonlyMap<number, PendingUse>,
): Promise<void> {
  return database.transaction(async (queries) => {
    const organization = await lockOrganization(queries, organizationId);
    if (!organization) return;
    for (const [id, { use, rows }] of keys) {
      if (use) await recordKeyUse(queries, organization, id, use);
      if (rows !== undefined) await recordFirstRows(queries, organizationId, { id, rows });
    }
  });
}
