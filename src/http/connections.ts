// The edge of HTTP: what Node would answer by itself, without a body, or not bound at all, is answered and bound here.

import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { type ErrorCode, errorBody, errors } from "../errors.ts";

/** What is known of a connection. */
interface Connection {
  /** To its last request. */
  answer: ServerResponse | undefined;
  /** Requests that wait for the answer to an earlier one. */
  waiting: number;
  /** Nothing more of what it sends is answered. */
  isRefused: boolean;
}

const connections = new WeakMap<Duplex, Connection>();

function connectionOf(socket: Duplex): Connection {
  let connection = connections.get(socket);
  if (!connection) {
    connection = { answer: undefined, waiting: 0, isRefused: false };
    connections.set(socket, connection);
  }
  return connection;
}

/** A refused client gets so long to read why; then its connection is gone, whatever it does. */
const refusedMsMax = 5_000;

/**
 * Lets a pipelined request begin only when the answers before it have been handed over, so that a client that sends
 * many requests and reads no answer holds one answer in memory, not all. Node gives a response its socket when its
 * turn has come. Of a client that sends ever more, no more is answered: its connection ends with the last due answer.
 *
 * @param begin called at once where no answer is due before this one, as is usual: a promise would cost every request
 */
export function limitPipelining(
  { socket }: IncomingMessage,
  response: ServerResponse,
  waitingMax: number,
  begin: () => void,
): void {
  const connection = connectionOf(socket);
  if (connection.waiting >= waitingMax) {
    if (!connection.isRefused) connection.answer?.once("finish", () => socket.destroySoon());
    connection.isRefused = true;
    socket.pause();
    return;
  }
  connection.answer = response;
  if (response.socket !== null) {
    begin();
    return;
  }
  connection.waiting++;
  response.once("socket", () => {
    connection.waiting--;
    // Node is still handing the socket over.
    queueMicrotask(begin);
  });
}

/** What the HTTP parser refuses: malformed, too large or too slow. Answered after the answers that are still due. */
export function answerParserError(error: Error & { code?: string }, socket: Socket, log: Logger): void {
  const connection = connectionOf(socket);
  if (connection.isRefused) return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  connection.isRefused = true;
  const code = codeOf(error);
  // Neither the packet nor the reason is logged: they hold what the client sent.
  const requestId = randomUUID();
  const { status } = errors[code];
  log.info(
    { request_id: requestId, status, parser: error.code, ip: socket.remoteAddress },
    "request refused",
  );
  const due = dueAnswer(socket);
  const refuseNow = () => sendRawError(socket, code, requestId);
  if (!due) refuseNow();
  else if (due.req.complete) due.once("finish", refuseNow);
  // The body that it would answer never comes; only the answers to the requests before it are still due.
  else if (due.headersSent) socket.destroy();
  else if (due.socket) refuseNow();
  else due.once("socket", refuseNow);
}

function codeOf({ code }: { code?: string }): ErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "request_header_fields_too_large";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "request_timeout";
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return "payload_too_large";
  return "bad_request";
}

/** Requests that never reach the app: CONNECT, and an Expect that nobody understands. */
export function answerNodeErrors(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    sendRawError(socket, "method_not_allowed");
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const body = errorBody("expectation_failed");
    response.writeHead(errors.expectation_failed.status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      connection: "close",
    });
    response.end(body);
  });
}

/**
 * When the server stops, it listens no more; the next answer on each connection says that it is the last one; then
 * idle connections are closed, and the others as soon as their answer has been handed over. Node takes a connection
 * for idle once an answer was written, even when the client has not read it yet, and would cut it.
 */
export function shutDownGracefully(app: FastifyInstance, drainMs: number): void {
  const sockets = new Set<Socket>();
  let isStopping = false;
  app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (isStopping && connections.get(request.raw.socket)?.answer === reply.raw) {
      reply.header("connection", "close");
    }
    done();
  });
  const closeConnections = () => {
    for (const socket of sockets) {
      const due = dueAnswer(socket);
      if (due) due.once("finish", () => socket.destroySoon());
      else socket.destroySoon();
    }
  };
  // Called when the server stops listening, by Node and by Fastify.
  app.server.closeIdleConnections = () => {
    if (isStopping) return;
    isStopping = true;
    // What has arrived by then is read in the turns after the timer, and answered.
    setTimeout(() => setImmediate(() => setImmediate(closeConnections)), sockets.size > 0 ? drainMs : 0);
  };
}

/** The last answer of a connection, unless it has been handed over. */
function dueAnswer(socket: Duplex): ServerResponse | undefined {
  const last = connections.get(socket)?.answer;
  return last && !last.writableFinished && !last.destroyed ? last : undefined;
}

function sendRawError(socket: Duplex, code: ErrorCode, requestId: string = randomUUID()): void {
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
  setTimeout(() => socket.destroy(), refusedMsMax).unref();
}
