// Sends raw bytes to a server, like a client that breaks the rules of HTTP.

import { connect, type Socket } from "node:net";

export interface RawConnection {
  socket: Socket;
  /** Everything the server has sent so far. */
  received(): string;
  /** Resolves with everything the server sent, once it has closed the connection. */
  closed: Promise<string>;
}

export function rawConnection(port: number): RawConnection {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  const pieces: Buffer[] = [];
  const received = () => Buffer.concat(pieces).toString("latin1");
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  const closed = new Promise<string>((resolve) => {
    socket.on("end", () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(received()));
  });
  return { socket, received, closed };
}

/** Sends bytes and returns everything the server sends until it closes the connection. */
export async function rawRequest(port: number, bytes: string): Promise<string> {
  const connection = rawConnection(port);
  connection.socket.write(Buffer.from(bytes, "latin1"));
  return connection.closed;
}

export interface RawResponse {
  status: number;
  head: string;
  body: { error: string; error_message: string };
}

/** Parses the only response in the text that a server sent. */
export function parseAnswer(text: string): RawResponse {
  const [head = "", body = ""] = text.split(/\r\n\r\n/s, 2);
  return { status: Number(head.slice(9, 12)), head, body: JSON.parse(body) };
}
