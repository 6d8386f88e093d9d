// Graceful shutdown: no response is cut off.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { connectionOf, pendingResponse } from "./connections.ts";

/**
 * Replaces how Node closes idle connections when the app closes. Node treats a connection as idle once the response is
 * written, even when the client has not read it yet, and cuts it.
 */
export function shutDownGracefully(server: Server): void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.closeIdleConnections = () => {
    for (const socket of sockets) {
      const pending = pendingResponse(socket);
      // A client that goes on sending a rejected body does not delay the shutdown.
      if (connectionOf(socket).isLingering) socket.destroy();
      else if (pending) pending.once("finish", () => socket.destroySoon());
      else socket.destroySoon();
    }
  };
}
