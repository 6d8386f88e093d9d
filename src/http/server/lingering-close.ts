// Lingering close: a client that is still sending can read its answer before the connection ends (RFC 9112, section 9.6).

import type { Server } from "node:http";
import { Socket } from "node:net";
import type { ServerLimits } from "../request/limits.ts";
import { connectionOf } from "./connections.ts";

type LingeringLimits = Pick<ServerLimits, "lingeringMs" | "lingeringSilenceMs" | "lingeringBytes">;

/**
 * Replaces `destroySoon`, which closes a connection after its last response. Closing a connection with unread input
 * resets it, and the reset discards the response that the client has not read yet.
 */
export function closeLingering(server: Server, limits: LingeringLimits): void {
  server.on("connection", (socket: Socket) => {
    socket.destroySoon = () => {
      const connection = connectionOf(socket);
      if (connection.isLingering) return;
      const isSending = connection.isRejected || connection.response?.req.complete === false;
      if (isSending && socket.readable && socket.writable) {
        connection.isLingering = true;
        discardInput(socket, limits);
      } else {
        Socket.prototype.destroySoon.call(socket);
      }
    };
  });
}

/** Ends the response, then reads and discards until the client closes its side or a limit is reached. */
function discardInput(socket: Socket, limits: LingeringLimits): void {
  let bytes = 0;
  // The HTTP parser, which would go on to the next request.
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limits.lingeringBytes) socket.destroy();
  });
  socket.once("end", () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), limits.lingeringMs);
  socket.once("close", () => clearTimeout(timer));
  socket.setTimeout(limits.lingeringSilenceMs, () => socket.destroy());
  socket.end();
  // The parser may have stopped the operating system's reads. An empty chunk starts them again, `resume` alone does not.
  socket.push("");
  socket.resume();
}
