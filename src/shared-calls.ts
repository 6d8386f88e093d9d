// One call for all that ask for the same thing before it begins: as fresh as a call of its own for each, and far cheaper.

import { setImmediate as turnEnd } from "node:timers/promises";

/**
 * A call begins when everything that has arrived in this turn of the event loop has been read, and not before the one for
 * the same thing that is under way has ended. Whoever asks until then shares it; whoever asks later waits for the next one.
 *
 * @param nameOf tells what is asked for
 */
export function shareCalls<Asked, Result>(
  nameOf: (asked: Asked) => string | number,
  call: (asked: Asked) => Promise<Result>,
): (asked: Asked) => Promise<Result> {
  const waiting = new Map<string | number, Promise<Result>>();
  const underWay = new Map<string | number, Promise<unknown>>();
  const begin = async (name: string | number, asked: Asked) => {
    await underWay.get(name);
    await turnEnd();
    waiting.delete(name);
    const result = call(asked);
    const ended = result.then(
      () => underWay.delete(name),
      () => underWay.delete(name),
    );
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
