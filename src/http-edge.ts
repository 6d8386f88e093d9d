// The edge of HTTP: what Node would answer by itself, without a body, or not bound at all, is answered and bound here.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type ErrorCode, errorBody, errors } from "./errors.ts";

const answers = new WeakMap<Duplex, ServerResponse>();
const waiting = new WeakMap<Duplex, number>();
const refused = new WeakSet<Duplex>();

/**
 * Lets a pipelined request begin only when the answers before it have been handed over, so that a client that sends
 * many requests and reads no answer holds one answer in memory, not all. Node gives a response its socket when its
 * turn has come. A client that sends ever more is cut off.
 */
export async function waitForTurn(
  request: IncomingMessage,
  response: ServerResponse,
  waitingMax: number,
): Promise<void> {
  const { socket } = request;
  answers.set(socket, response);
  if (response.socket !== null) return;
  const ahead = waiting.get(socket) ?? 0;
  if (ahead >= waitingMax) socket.destroy();
  waiting.set(socket, ahead + 1);
  await new Promise((resolve) => response.once("socket", resolve));
  waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
}

/** What the HTTP parser refuses: malformed, too large or too slow. Answered after the answers that are still due. */
export function refuseUnparsed(error: Error & { code?: string }, socket: Socket, log: Logger): void {
  if (error.code === "ECONNRESET" || !socket.writable || refused.has(socket)) {
    if (!refused.has(socket)) socket.destroy();
    return;
  }
  refused.add(socket);
  const code = codeOf(error);
  // Neither the packet nor the reason is logged: they hold what the client sent.
  log.info({ status: errors[code].status, parser: error.code, ip: socket.remoteAddress }, "request refused");
  const due = answers.get(socket);
  if (!due || due.writableFinished || due.destroyed) refuseRaw(socket, code);
  else due.once("finish", () => refuseRaw(socket, code));
}

function codeOf({ code }: { code?: string }): ErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "request_header_fields_too_large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "request_timeout";
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return "payload_too_large";
  return "bad_request";
}

/** Requests that never reach the app: CONNECT, and an Expect that nobody understands. */
export function answerForNode(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    refuseRaw(socket, "method_not_allowed");
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { status } = errors.expectation_failed;
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", connection: "close" });
    response.end(errorBody("expectation_failed"));
  });
}

function refuseRaw(socket: Duplex, code: ErrorCode): void {
  const body = errorBody(code);
  const head = [
    `HTTP/1.1 ${errors[code].status} ${code.replaceAll("_", " ")}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(code === "method_not_allowed" ? ["Allow: GET, HEAD, OPTIONS"] : []),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
