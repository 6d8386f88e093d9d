// Closes the connection that node:cluster forgets when a process ends before it has taken it.

import type { Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";

const readAgainMs = 10;

/**
 * node:cluster hands a process one connection at a time, and keeps it open until the process has answered. If the process
 * ends first, no process reads the connection, so no time limit closes it: the client waits forever. This does what node
 * leaves undone: it reports that the process is gone, and answers for it, which closes the connection.
 */
export function closeLostConnection(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process) as (...given: unknown[]) => boolean;
  /** The number of the last message that handed over a connection. node ignores a second answer to it. */
  let handedOver: number | undefined;
  process.send = (message: { seq?: number }, connection?: unknown, ...options: unknown[]) => {
    if (connection) handedOver = message.seq;
    return send(message, connection, ...options);
  };
  worker.once("exit", async () => {
    // Until then, answers of the process may be unread.
    while (worker.isConnected()) await delay(readAgainMs);
    process.emit("disconnect");
    process.emit("internalMessage", { cmd: "NODE_CLUSTER", ack: handedOver, accepted: true });
  });
}
