// One call for all that ask for the same thing before it begins: as fresh as a call of its own for each, and far cheaper.

import { setTimeout as pause, setImmediate as turnEnd } from "node:timers/promises";

/** A call that takes longer, as on a connection that is dead, does not hold up the next one. In milliseconds. */
const patienceMs = 500;

/**
 * A call begins when everything that has arrived in this turn of the event loop has been read, and not before the one for
 * the same thing that is under way has ended, unless that takes long. Whoever asks until then shares it; whoever asks later waits for the next one.
 *
 * @param nameOf tells what is asked for
 */
export function singleFlight<Asked, Result>(
  nameOf: (asked: Asked) => string | number,
  call: (asked: Asked) => Promise<Result>,
): (asked: Asked) => Promise<Result> {
  const waiting = new Map<string | number, Promise<Result>>();
  const underWay = new Map<string | number, Promise<unknown>>();
  const begin = async (name: string | number, asked: Asked) => {
    const before = underWay.get(name);
    if (before) await Promise.race([before, pause(patienceMs, undefined, { ref: false })]);
    await turnEnd();
    waiting.delete(name);
    const result = call(asked);
    const end = () => {
      if (underWay.get(name) === ended) underWay.delete(name);
    };
    const ended: Promise<void> = result.then(end, end);
    underWay.set(name, ended);
    return result;
  };
  return (asked) => {
    const name = nameOf(asked);
    const shared = waiting.get(name) ?? begin(name, asked);
    waiting.set(name, shared);
    return shared;
  };
}
