// Slows down those who guess passwords: after a few failures each further try has to wait, twice as long each time.

import { isIPv6 } from "node:net";
import { minuteMs } from "../../../campaign/calendar/durations.ts";

/** Failures that are free within a window, and the waits after them. */
export const throttling = {
  free: {
    /** Of an account from one network. */
    pair: 5,
    /** Of an account from anywhere: more, so that strangers do not keep its owner out so easily. */
    account: 25,
    /** Of a network: more, since a whole company may be behind one address. */
    network: 20,
    /** Of an open session, with which nobody else interferes. */
    session: 5,
  },
  windowMs: 15 * minuteMs,
  firstWaitMs: 5_000,
  waitMsMax: 15 * minuteMs,
  /** Accounts, and addresses, that are remembered; the ones that failed the longest ago are forgotten first. */
  rememberedMax: 10_000,
} as const;

interface Failures {
  count: number;
  lastAt: number;
  /** No try before. */
  until: number;
}

type Kind = keyof typeof throttling.free;

/** A try that is allowed: a failure until it is said otherwise, so that many at the same moment are counted as well. */
export interface Try {
  /** The account's failures are forgotten. Those of the network are not: who has an account could clear them at will. */
  succeeded(): void;
  /** Nobody's fault: as if it had not been. */
  undo(): void;
}

/**
 * Counts failures by account and by network, in the memory of the process. Several processes count each for itself, so
 * that so many processes allow so many times as much; and a restart forgets. That is still too slow for guessing.
 */
export class SignInRateLimit {
  readonly #now: () => number;
  readonly #failures: Record<Kind, Map<string, Failures>> = {
    pair: new Map(),
    account: new Map(),
    network: new Map(),
    session: new Map(),
  };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns how long to wait in milliseconds, or the try */
  begin(account: string, address: string): number | Try {
    // What is longer is no email, and is not to fill the memory.
    const email = account.slice(0, 300);
    const network = networkOf(address);
    return this.#begin({ pair: `${network} ${email}`, account: email, network });
  }

  /** Where a session says already who it is. */
  beginWithin(session: string): number | Try {
    return this.#begin({ session });
  }

  #begin(names: Partial<Record<Kind, string>>): number | Try {
    const now = this.#now();
    const keys = Object.entries(names) as [Kind, string][];
    const waits = keys.map(([kind, key]) => (this.#failures[kind].get(key)?.until ?? 0) - now);
    const wait = Math.max(...waits);
    if (wait > 0) return wait;
    const undos = keys.map(([kind, key]) => fail(this.#failures[kind], key, now, throttling.free[kind]));
    return {
      succeeded: () => {
        for (const undo of undos) undo();
        for (const [kind, key] of keys) if (kind !== "network") this.#failures[kind].delete(key);
      },
      undo: () => {
        for (const undo of undos) undo();
      },
    };
  }
}

function fail(failures: Map<string, Failures>, key: string, now: number, free: number): () => void {
  const { windowMs, firstWaitMs, waitMsMax, rememberedMax } = throttling;
  const before = failures.get(key);
  const isOver = !before || now - Math.max(before.lastAt, before.until) > windowMs;
  const count = isOver ? 1 : before.count + 1;
  const wait = count < free ? 0 : Math.min(firstWaitMs * 2 ** Math.min(count - free, 30), waitMsMax);
  // A map keeps the order in which keys came: the first one failed the longest ago.
  failures.delete(key);
  failures.set(key, { count, lastAt: now, until: now + wait });
  if (failures.size > rememberedMax) failures.delete(failures.keys().next().value ?? "");
  return () => {
    const after = failures.get(key);
    if (!after) return;
    if (after.count <= 1) failures.delete(key);
    else failures.set(key, { ...after, count: after.count - 1, until: isOver ? 0 : before.until });
  };
}

/** Whoever has an address of IPv6 has a whole network of them: its first 64 bits. */
export function networkOf(address: string): string {
  const plain = address.split("%", 1)[0] ?? "";
  if (!isIPv6(plain)) return address.slice(0, 100);
  const [head = "", tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
  const isMapped = groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff";
  return isMapped ? groups.slice(6).join(":") : groups.slice(0, 4).join(":");
}
