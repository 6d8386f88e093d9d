// An open-loop load: requests are sent at fixed times, however long the responses take.

import type { Connection } from "./connection.ts";

/**
 * A request that finds no free connection waits for one, so that a slow server gets no fewer of them. The connections take
 * turns: the server closes one that sends nothing.
 *
 * @returns how many requests were answered
 */
export function openLoop(
  connections: readonly Connection[],
  next: () => Buffer,
  { rate, isOver }: { rate: number; isOver: () => boolean },
): Promise<number> {
  const idle = [...connections];
  const startedAt = performance.now();
  let sent = 0;
  return new Promise((resolve) => {
    const send = () => {
      const due = isOver() ? 0 : ((performance.now() - startedAt) / 1000) * rate;
      while (sent < due) {
        const connection = idle.shift();
        if (!connection) break;
        sent += 1;
        connection.send(next());
      }
      if (isOver() && idle.length === connections.length) resolve(sent);
      else setTimeout(send, 1);
    };
    for (const connection of connections) connection.onResponse = () => void idle.push(connection);
    send();
  });
}
