// Counts within windows of time, for limits on what one sender may do: a window starts with the first use of its key.

import { LRUCache } from "lru-cache";

interface TimeWindowsOptions<State> {
  windowMs: number;
  /** Windows in memory. The least recently used ones are evicted. */
  maxWindows: number;
  /** Returns the state of a new window. */
  create(): State;
  /** Milliseconds since 1970. */
  now(): number;
}

export class TimeWindows<State extends object> {
  readonly #options: TimeWindowsOptions<State>;
  readonly #windows: LRUCache<string, { startedAt: number; state: State }>;

  constructor(options: TimeWindowsOptions<State>) {
    this.#options = options;
    // A limit of entries would allocate room for all of them at the start.
    this.#windows = new LRUCache({ maxSize: options.maxWindows, sizeCalculation: () => 1 });
  }

  /** Returns the state of the current window of a key. A clock that is set back starts a new window. */
  at(key: string): State {
    const { windowMs, create, now } = this.#options;
    const time = now();
    const window = this.#windows.get(key);
    if (window && time >= window.startedAt && time < window.startedAt + windowMs) return window.state;
    const state = create();
    this.#windows.set(key, { startedAt: time, state });
    return state;
  }
}
