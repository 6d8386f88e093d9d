// Limits HTTP pipelining: requests that a client sends on one connection before it has read earlier responses.

import type { IncomingMessage, ServerResponse } from "node:http";
import { connectionOf } from "./connections.ts";

/**
 * Begins a pipelined request only after the earlier responses were sent. A client that sends many requests and reads
 * no response then holds one response in memory, not all of them. When more than `maxWaiting` requests wait, the
 * connection closes after the last response that is due.
 *
 * @param begin called synchronously unless an earlier response is pending
 */
export function limitPipelining(
  { socket }: IncomingMessage,
  response: ServerResponse,
  maxWaiting: number,
  begin: () => void,
): void {
  const connection = connectionOf(socket);
  if (connection.waiting >= maxWaiting) {
    if (!connection.isRejected) connection.response?.once("finish", () => socket.destroySoon());
    connection.isRejected = true;
    socket.pause();
    return;
  }
  connection.response = response;
  // Node assigns the socket to a response when its turn has come.
  if (response.socket !== null) {
    begin();
    return;
  }
  connection.waiting++;
  response.once("socket", () => {
    connection.waiting--;
    // Node emits the event in the middle of assigning the socket.
    queueMicrotask(begin);
  });
}
