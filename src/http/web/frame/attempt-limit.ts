// The rate limit of attempts to sign in, to confirm a password and to add a user: after a few failures each further attempt
// has to wait, twice as long every time.

import { LRUCache } from "lru-cache";
import { minuteMs } from "../../../campaign/calendar/durations.ts";
import { networkOf } from "../../request/network-of.ts";

export const attemptLimits = {
  /** Failures within a window before waits begin. */
  free: {
    /** One account from one network. */
    pair: 5,
    /** One account from anywhere. Higher, so that strangers cannot easily lock out its owner. */
    account: 25,
    /** One network. Higher, because a whole company may share an IP address. */
    network: 20,
    /** One session, in which no stranger can interfere. */
    session: 5,
    /** One account from all devices from which its user signed in before: strangers cannot lock them out. */
    devices: 5,
    /** One organization whose admins add users: a failure tells whether an email is used in the deployment. */
    organization: 5,
  },
  windowMs: 15 * minuteMs,
  firstWaitMs: 5_000,
  maxWaitMs: 15 * minuteMs,
  /** Entries per kind. The least recently failed ones are evicted. */
  maxEntries: 10_000,
} as const;

interface Failures {
  count: number;
  lastAt: number;
  /** When the next attempt is allowed. */
  until: number;
}

type LimitKind = keyof typeof attemptLimits.free;
type FailureCache = LRUCache<string, Failures>;

/** An allowed attempt. It counts as a failure until it is settled, so that parallel attempts count as well. */
interface Attempt {
  /** Clears the failures of the account, not those of the network: the owner of one account could clear them at will. */
  succeeded(): void;
  /** Takes the attempt back: it neither failed nor succeeded. */
  undo(): void;
}

/**
 * Counts failed attempts in memory. Each process counts separately and a restart clears the counts, which is still too
 * slow for guessing passwords.
 */
export class AttemptLimit {
  readonly #now: () => number;
  readonly #failures: Record<LimitKind, FailureCache> = {
    pair: newCache(),
    account: newCache(),
    network: newCache(),
    session: newCache(),
    devices: newCache(),
    organization: newCache(),
  };

  /** @param now whole milliseconds of a clock that is never set, because that would change waits */
  constructor(now = () => Math.floor(performance.now())) {
    this.#now = now;
  }

  /**
   * Starts an attempt to sign in.
   *
   * @param isKnownDevice whether it comes from a known device of the account: these are limited separately
   * @returns the attempt, or how long to wait in milliseconds
   */
  startSignIn(account: string, ipAddress: string, isKnownDevice = false): number | Attempt {
    // Longer text is not an email, and must not fill the memory.
    const email = account.slice(0, 300);
    if (isKnownDevice) return this.#start({ devices: email });
    const network = networkOf(ipAddress);
    return this.#start({ pair: `${network} ${email}`, account: email, network });
  }

  /** Starts an attempt to confirm the password inside a session. */
  startPasswordCheck(session: string): number | Attempt {
    return this.#start({ session });
  }

  /** Starts an attempt to add a user to an organization. Callers take it back if it does not fail with a conflict. */
  startAddingUser(organizationId: number): number | Attempt {
    return this.#start({ organization: String(organizationId) });
  }

  #start(keys: Partial<Record<LimitKind, string>>): number | Attempt {
    const now = this.#now();
    const entries = Object.entries(keys) as [LimitKind, string][];
    const waits = entries.map(([kind, key]) => (this.#failures[kind].peek(key)?.until ?? 0) - now);
    const wait = Math.max(...waits);
    if (wait > 0) return wait;
    const undos = entries.map(([kind, key]) =>
      addFailure(this.#failures[kind], key, now, attemptLimits.free[kind]),
    );
    const undo = () => {
      for (const each of undos) each();
    };
    return {
      undo,
      succeeded: () => {
        undo();
        for (const [kind, key] of entries) if (kind !== "network") this.#failures[kind].delete(key);
      },
    };
  }
}

/** Limited by size, because a limit of entries allocates room for all of them at the start, of which most are never used. */
function newCache(): FailureCache {
  return new LRUCache({ maxSize: attemptLimits.maxEntries, sizeCalculation: () => 1 });
}

/** Adds a failure. @returns a function that takes it back */
function addFailure(failures: FailureCache, key: string, now: number, free: number): () => void {
  const { windowMs, firstWaitMs, maxWaitMs } = attemptLimits;
  const before = failures.peek(key);
  const isExpired = !before || now - Math.max(before.lastAt, before.until) > windowMs;
  const count = isExpired ? 1 : before.count + 1;
  const wait = count < free ? 0 : Math.min(firstWaitMs * 2 ** Math.min(count - free, 30), maxWaitMs);
  failures.set(key, { count, lastAt: now, until: now + wait });
  return () => {
    const after = failures.peek(key);
    if (!after) return;
    if (after.count <= 1) failures.delete(key);
    else failures.set(key, { ...after, count: after.count - 1, until: isExpired ? 0 : before.until });
  };
}
