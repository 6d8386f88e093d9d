// Limits HTTP pipelining: requests that a client sends on one connection before it has read earlier responses.

import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { connectionOf } from "./connections.ts";

/** Waiting requests that begin in one turn of the event loop, of all connections: about a millisecond of work. */
const maxBegunPerTurn = 20;

/**
 * Returns a listener that begins a pipelined request only after the earlier responses were sent. A client that sends
 * many requests and reads no response then holds one response in memory, not all of them. Waiting requests begin a few
 * in a turn, and those of all connections alternate, so that they do not delay clients that send one request at a time.
 * When more than `maxWaiting` requests of a connection wait, it closes after the last response that is due.
 *
 * @param begin called synchronously unless an earlier response is pending
 */
export function limitPipelining(begin: RequestListener, maxWaiting: number): RequestListener {
  const inTurn = takeTurns(maxBegunPerTurn);
  return (request, response) => {
    const { socket } = request;
    const connection = connectionOf(socket);
    if (connection.waiting >= maxWaiting) {
      if (!connection.isRejected) connection.response?.once("finish", () => socket.destroySoon());
      connection.isRejected = true;
      stopParsing(socket);
      return;
    }
    connection.response = response;
    // Node assigns the socket to a response when its turn has come.
    if (response.socket !== null) {
      begin(request, response);
      return;
    }
    connection.waiting++;
    response.once("socket", () => {
      connection.waiting--;
      inTurn(() => {
        if (!socket.destroyed) begin(request, response);
      });
    });
  };
}

/** Returns a function that runs tasks in their order, at most so many in a turn of the event loop. */
function takeTurns(maxPerTurn: number): (task: () => void) => void {
  const tasks: (() => void)[] = [];
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || tasks.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      for (const task of tasks.splice(0, maxPerTurn)) task();
      schedule();
    });
  };
  return (task) => {
    tasks.push(task);
    schedule();
  };
}

/**
 * Makes the HTTP parser fail at the next request. Otherwise Node reads on, and creates objects for all requests that a
 * client sends: up to 3,600 for each 64 KiB.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } };
  if (parser) parser.onIncoming = () => -1;
  socket.pause();
}
