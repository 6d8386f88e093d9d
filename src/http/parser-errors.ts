// JSON errors for requests that never reach the app. Node's own answers to them have no body.

import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type ErrorCode, errorBody, errors } from "../errors.ts";
import { connectionOf, pendingResponse } from "./connections.ts";
import { requestIdOf } from "./request-log.ts";

/** Answers a request that the HTTP parser rejects as malformed, too large or too slow, after the responses that are due. */
export function answerParserError(error: Error & { code?: string }, socket: Socket, log: Logger): void {
  const connection = connectionOf(socket);
  if (connection.isRejected) return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  connection.isRejected = true;
  const code = codeOf(error);
  // The raw packet and the reason are not logged: they hold what the client sent, which may be a key.
  const requestId = randomUUID();
  const { status } = errors[code];
  log.info(
    { request_id: requestId, status, parser: error.code, ip: socket.remoteAddress },
    "request rejected by the parser",
  );
  const pending = pendingResponse(socket);
  const sendNow = () => sendRawError(socket, code, requestId);
  if (!pending) sendNow();
  else if (pending.req.complete) pending.once("finish", sendNow);
  // The body that this response waits for never arrives.
  else if (pending.headersSent) socket.destroy();
  else if (pending.socket) sendNow();
  else pending.once("socket", sendNow);
}

function codeOf({ code }: { code?: string }): ErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "request_header_fields_too_large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "request_timeout";
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return "payload_too_large";
  return "bad_request";
}

/** Answers CONNECT, and lets the app answer an Expect header that Node would answer without a body. */
export function answerNodeErrors(server: Server, log: Logger): void {
  server.on("connect", ({ method, headers }: IncomingMessage, socket: Socket) => {
    socket.on("error", () => socket.destroy());
    const requestId = requestIdOf(headers["x-request-id"]);
    const { status } = errors.method_not_allowed;
    log.info({ request_id: requestId, method, status, ip: socket.remoteAddress }, "request");
    sendRawError(socket, "method_not_allowed", requestId);
  });
  server.on("checkExpectation", (...exchange) => server.emit("request", ...exchange));
}

/** For a rejected client to read the error. Then the socket is destroyed, even if the client keeps it open. */
const maxRejectedMs = 5_000;

function sendRawError(socket: Duplex, code: ErrorCode, requestId: string): void {
  const { status } = errors[code];
  const body = errorBody(code);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "x-content-type-options: nosniff",
    `date: ${new Date().toUTCString()}`,
    ...(code === "method_not_allowed" ? ["allow: GET, HEAD, OPTIONS"] : []),
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), maxRejectedMs).unref();
}
