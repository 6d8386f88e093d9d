// Single-flight: callers that ask for the same key share one call, but never one that started before they arrived.

import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

/** How long a call delays the next one for its key: on a dead connection it would never end. */
const maxDelayMs = 500;

/**
 * A call starts at the end of the current turn of the event loop, so that all requests read in this turn share it. It
 * also waits for the call in flight for the same key, up to {@link maxDelayMs}. Callers that arrive after the start
 * share the next call, so a result is never older than the request for it.
 *
 * @param keyOf the key under which callers share a call
 */
export function singleFlight<Request, Result>(
  keyOf: (request: Request) => string | number,
  call: (request: Request) => Promise<Result>,
): (request: Request) => Promise<Result> {
  const pending = new Map<string | number, Promise<Result>>();
  const inFlight = new Map<string | number, Promise<unknown>>();
  const start = async (key: string | number, request: Request) => {
    const previous = inFlight.get(key);
    if (previous) await Promise.race([previous, delay(maxDelayMs, undefined, { ref: false })]);
    await nextTurn();
    pending.delete(key);
    const result = call(request);
    const onEnd = () => {
      if (inFlight.get(key) === ended) inFlight.delete(key);
    };
    const ended: Promise<void> = result.then(onEnd, onEnd);
    inFlight.set(key, ended);
    return result;
  };
  return (request) => {
    const key = keyOf(request);
    const shared = pending.get(key) ?? start(key, request);
    pending.set(key, shared);
    return shared;
  };
}
