// Slows down those who guess passwords: after a few failures each further try has to wait, twice as long each time.

import { isIPv6 } from "node:net";

/** Failures that are free within a window, and the waits after them. */
export const throttling = {
  free: 5,
  windowMs: 15 * 60_000,
  firstWaitMs: 5_000,
  waitMsMax: 15 * 60_000,
  /** Accounts, and addresses, that are remembered; the ones that failed the longest ago are forgotten first. */
  rememberedMax: 10_000,
} as const;

interface Failures {
  count: number;
  lastAt: number;
  /** No try before. */
  until: number;
}

/** A try that is allowed: a failure until it is said otherwise, so that many at the same moment are counted as well. */
export interface Try {
  /** The account's failures are forgotten. Those of the address are not: who has an account could clear them at will. */
  succeeded(): void;
  /** Nobody's fault: as if it had not been. */
  undo(): void;
}

/**
 * Counts failures by account and by address, in the memory of the process. Several processes count each for itself, so
 * that so many processes allow so many times as much; and a restart forgets. That is still too slow for guessing.
 */
export class SignInThrottle {
  readonly #now: () => number;
  readonly #failures = { account: new Map<string, Failures>(), address: new Map<string, Failures>() };

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param address undefined where the session says who it is
   * @returns how long to wait in milliseconds, or the try
   */
  begin(account: string, address?: string): number | Try {
    const now = this.#now();
    // What is longer is no email, and is not to fill the memory.
    const keys = [[this.#failures.account, account.slice(0, 300)] as const];
    if (address !== undefined) keys.push([this.#failures.address, networkOf(address)]);
    const waits = keys.map(([failures, key]) => (failures.get(key)?.until ?? 0) - now);
    const wait = Math.max(...waits);
    if (wait > 0) return wait;
    const undos = keys.map(([failures, key]) => fail(failures, key, now));
    return {
      succeeded: () => {
        for (const undo of undos) undo();
        this.#failures.account.delete(keys[0]?.[1] ?? "");
      },
      undo: () => {
        for (const undo of undos) undo();
      },
    };
  }
}

function fail(failures: Map<string, Failures>, key: string, now: number): () => void {
  const { free, windowMs, firstWaitMs, waitMsMax, rememberedMax } = throttling;
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
