// Graceful shutdown: clients learn that their connection closes, and no response is cut off.

import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { connectionOf, pendingResponse } from "./connections.ts";
import type { ServerLimits } from "./server-limits.ts";

/**
 * Replaces how Node closes connections when the app closes. For `drainMs`, the next response on each connection carries
 * `Connection: close`. Then idle connections close, and the others after their response. Node alone would treat a
 * connection as idle once the response is written, even when the client has not read it yet, and cut it.
 */
export function shutDownGracefully(
  app: FastifyInstance,
  { drainMs, lingeringSilenceMs }: Pick<ServerLimits, "drainMs" | "lingeringSilenceMs">,
): void {
  const sockets = new Set<Socket>();
  let isStopping = false;
  app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (isStopping) {
      const isLast = connectionOf(request.raw.socket).response === reply.raw;
      if (isLast) reply.header("connection", "close");
      // Fastify adds the header to every response, although pipelined requests wait.
      else reply.raw.removeHeader("connection");
    }
    done();
  });
  const closeConnections = () => {
    for (const socket of sockets) {
      const pending = pendingResponse(socket);
      if (pending) pending.once("finish", () => socket.destroySoon());
      else socket.destroySoon();
    }
    // A client that goes on sending a rejected body does not delay the shutdown.
    setTimeout(() => {
      for (const socket of sockets) if (connectionOf(socket).isLingering) socket.destroy();
    }, lingeringSilenceMs).unref();
  };
  // Node and Fastify both call this when the server stops listening.
  app.server.closeIdleConnections = () => {
    if (isStopping) return;
    isStopping = true;
    // Requests that have arrived by then are read in the turns after the timer, and answered.
    setTimeout(() => setImmediate(() => setImmediate(closeConnections)), sockets.size > 0 ? drainMs : 0);
  };
}
