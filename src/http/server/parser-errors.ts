// JSON errors for requests that never reach the app. Node's own answers to them have no body.

import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { type ErrorCode, errorBody, errors } from "../../errors.ts";
import { STATUS_CODES } from "../node-http.ts";
import { connectionOf, pendingResponse } from "./connections.ts";

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
  // The raw packet and the reason are not logged: they hold what the client sent, which may be a key. Nor is the IP
  // address: it may be that of a reader, whose program opened a connection ahead of time.
  const requestId = randomUUID();
  const { status } = errors[code];
  log.info({ request_id: requestId, status, parser: error.code }, "request rejected by the parser");
  const pending = pendingResponse(socket);
  const sendNow = () => sendRawError(socket, code, requestId);
  if (!pending) sendNow();
  else if (pending.req.complete) pending.once("finish", sendNow);
  // The body that this response waits for never arrives.
  else if (pending.headersSent) socket.destroy();
  else if (pending.socket) endWithError(pending, code, requestId);
  else pending.once("socket", sendNow);
}

function codeOf({ code }: { code?: string }): ErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "request_header_fields_too_large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "request_timeout";
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return "payload_too_large";
  return "bad_request";
}

/** Answers the request of a response. This releases the memory reserved for its body. */
function endWithError(response: ServerResponse, code: ErrorCode, requestId: string): void {
  const body = errorBody(code);
  response.writeHead(errors[code].status, headersOf(body, requestId)).end(body);
}

/** Answers on a connection without a request. */
function sendRawError(socket: Socket, code: ErrorCode, requestId: string): void {
  // The last response had `Connection: close`.
  if (!socket.writable) return;
  const { status } = errors[code];
  const body = errorBody(code);
  const headers = { ...headersOf(body, requestId), date: new Date().toUTCString() };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  socket.destroySoon();
}

function headersOf(body: string, requestId: string): Record<string, string | number> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    connection: "close",
  };
}
