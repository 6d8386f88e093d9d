// Limits how many tasks run at once; waiting callers take turns (fair queuing), so that no caller makes all others wait.

import { AppError } from "../errors.ts";

export interface Caller {
  /** Callers with the same key share their turns. */
  key: string;
  /** Known and unknown callers take turns as well, and wait in queues of their own. */
  isKnown: boolean;
  /** The task is refused if its turn has not come by then. */
  maxWaitMs?: number | undefined;
  /** The task leaves the queue when it aborts, with its reason as the error. */
  signal?: AbortSignal | undefined;
}

interface Waiting {
  start(): void;
  refuse(error: unknown): void;
}

/**
 * @param options.maxOfCaller tasks of one caller that run at once; by default, all of them
 * @param options.maxWaiting tasks in the queue of the known callers, and in that of the unknown ones
 * @returns a function that runs a task when it is the caller's turn
 * @throws AppError `unavailable` if the queue is full and no caller has more tasks in it. If another caller has more, the
 *   newest of those is refused instead. Also if a task waits longer than its caller accepts.
 */
export function limitFairly({
  concurrency,
  maxOfCaller = concurrency,
  maxWaiting,
  fullMessage,
}: {
  concurrency: number;
  maxOfCaller?: number;
  maxWaiting: number;
  /** The public message of the error. */
  fullMessage: string;
}) {
  const [known, unknown] = [new TurnQueue(), new TurnQueue()];
  let [next, other] = [known, unknown];
  let active = 0;
  const running = new Map<string, number>();
  const mayRun = (key: string) => (running.get(key) ?? 0) < maxOfCaller;
  const addRunning = (key: string, added: 1 | -1) => {
    const count = (running.get(key) ?? 0) + added;
    if (count > 0) running.set(key, count);
    else running.delete(key);
  };
  const refusal = () => new AppError("unavailable", fullMessage);
  const waitForTurn = ({ key, isKnown, maxWaitMs, signal }: Caller): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = isKnown ? known : unknown;
    let timer: NodeJS.Timeout | undefined;
    const giveUp = (error: unknown) => {
      queue.remove(key, task);
      task.refuse(error);
    };
    const onAbort = () => giveUp(signal?.reason);
    const stopWaiting = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const task: Waiting = {
      start() {
        stopWaiting();
        addRunning(key, 1);
        resolve();
      },
      refuse(error) {
        stopWaiting();
        reject(error);
      },
    };
    if (maxWaitMs !== undefined) timer = setTimeout(() => giveUp(refusal()), maxWaitMs);
    signal?.addEventListener("abort", onAbort);
    queue.add(key, task);
    if (queue.size > maxWaiting) queue.removeFromLongest()?.refuse(refusal());
    return promise;
  };
  const startNext = () => {
    const task = next.take(mayRun) ?? other.take(mayRun);
    [next, other] = [other, next];
    if (task) task.start();
    else active -= 1;
  };
  return async <Result>(caller: Caller, task: () => Promise<Result>): Promise<Result> => {
    caller.signal?.throwIfAborted();
    if (active < concurrency && mayRun(caller.key)) {
      active += 1;
      addRunning(caller.key, 1);
    } else await waitForTurn(caller);
    try {
      return await task();
    } finally {
      addRunning(caller.key, -1);
      startNext();
    }
  };
}

/** A queue in which keys take turns. */
class TurnQueue {
  /** The tasks of each key, oldest first. The first key is the next in turn. */
  readonly #tasks = new Map<string, Set<Waiting>>();
  size = 0;

  add(key: string, task: Waiting): void {
    const tasks = this.#tasks.get(key);
    if (tasks) tasks.add(task);
    else this.#tasks.set(key, new Set([task]));
    this.size += 1;
  }

  /** Removes the oldest task of the first key that may run one. The key moves to the end. */
  take(mayRun: (key: string) => boolean): Waiting | undefined {
    for (const [key, tasks] of this.#tasks) {
      if (!mayRun(key)) continue;
      const [oldest] = tasks;
      this.#tasks.delete(key);
      this.#tasks.set(key, tasks);
      if (oldest) this.remove(key, oldest);
      return oldest;
    }
    return undefined;
  }

  /** Removes a task that is in the queue. */
  remove(key: string, task: Waiting): void {
    const tasks = this.#tasks.get(key);
    if (!tasks?.delete(task)) return;
    if (tasks.size === 0) this.#tasks.delete(key);
    this.size -= 1;
  }

  /** Removes the newest task of the key that has the most; of several such keys, the one that is last in turn. */
  removeFromLongest(): Waiting | undefined {
    let [longestKey, longest] = ["", new Set<Waiting>()];
    for (const [key, tasks] of this.#tasks) {
      if (tasks.size >= longest.size) [longestKey, longest] = [key, tasks];
    }
    const newest = [...longest].at(-1);
    if (newest) this.remove(longestKey, newest);
    return newest;
  }
}
