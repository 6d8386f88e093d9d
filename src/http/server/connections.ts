// What the server knows about each open connection, for parser errors and closing.

import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

interface ConnectionState {
  /** The response to its last request. */
  response: ServerResponse | undefined;
  /** The server answers no further request on this connection. */
  isRejected: boolean;
  /** The last response was sent, and the server discards what the client still sends. */
  isLingering: boolean;
}

const connections = new WeakMap<Duplex, ConnectionState>();

export function connectionOf(socket: Duplex): ConnectionState {
  let connection = connections.get(socket);
  if (!connection) {
    connection = { response: undefined, isRejected: false, isLingering: false };
    connections.set(socket, connection);
  }
  return connection;
}

/** Returns the last response of a connection, unless it was handed to the operating system completely. */
export function pendingResponse(socket: Duplex): ServerResponse | undefined {
  const last = connections.get(socket)?.response;
  return last && !last.writableFinished && !last.destroyed ? last : undefined;
}
