// A closed-loop load: the rate follows the responses of the server.

import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "./connection.ts";

/** How often the time is extended if there is no response. */
const maxExtensions = 20;

/**
 * Each connection sends the next request after a response.
 *
 * @param next the next request
 * @param note is called with the number of responses after the warm-up, and at the end
 */
export async function closedLoop(
  connections: readonly Connection[],
  next: () => Buffer,
  { warmupMs, ms, note }: { warmupMs: number; ms: number; note: (responses: number) => void },
): Promise<void> {
  let responses = 0;
  let isOver = false;
  const ended = connections.map(
    (connection) =>
      new Promise<void>((resolve) => {
        connection.onResponse = () => {
          responses += 1;
          if (isOver) resolve();
          else connection.send(next());
        };
        connection.send(next());
      }),
  );
  await pause(warmupMs);
  const before = responses;
  note(before);
  await pause(ms);
  // On an overloaded computer the first response can take longer.
  for (let extension = 0; responses === before && extension < maxExtensions; extension++) await pause(ms);
  note(responses);
  isOver = true;
  await Promise.all(ended);
}
