// A client with a deadline: sends prebuilt requests over keep-alive connections, and gives up on a response that is late.

import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** How requests ended; `late` and `closed` have no response. */
export type Outcome = "good" | "refused" | "late" | "closed";

export interface ClientOptions {
  url: string;
  /** Requests that find all of them in use wait for one, until their deadline. */
  connections: number;
  /** For the response, from when the request was due. */
  deadlineMs: number;
  /** Called once per request. @param ms since the request was due */
  onEnd(outcome: Outcome, dueAt: number, ms: number): void;
}

interface SentRequest {
  dueAt: number;
  bytes: Buffer;
  /** Undefined while it waits for a connection. */
  connection?: Connection;
  isOver: boolean;
}

export class Client {
  readonly #options: ClientOptions;
  /** Connected, and in no use. */
  readonly #idle: Connection[] = [];
  readonly #waiting: SentRequest[] = [];
  /** Unfinished ones, and finished ones among them, by the time they were due. */
  readonly #requests: SentRequest[] = [];
  #isClosing = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Opens all connections, some at a time. */
  async open(): Promise<void> {
    const { connections } = this.#options;
    while (this.#idle.length < connections) {
      const some = Math.min(connectedAtOnce, connections - this.#idle.length);
      const sockets = Array.from({ length: some }, () => this.#connect().socket);
      await Promise.all(sockets.map((socket) => once(socket, "connect")));
    }
  }

  /** Requests are sent in the order in which they are due. */
  send(bytes: Buffer, dueAt: number): void {
    const request: SentRequest = { dueAt, bytes, isOver: false };
    this.#requests.push(request);
    const connection = this.#idle.pop();
    if (connection) this.#start(connection, request);
    else this.#waiting.push(request);
  }

  /** Gives up on requests beyond their deadline: closes their connections, as clients do. */
  expire(now: number): void {
    let expired = 0;
    for (const request of this.#requests) {
      if (now < request.dueAt + this.#options.deadlineMs) break;
      expired += 1;
      this.#end(request, "late", now);
      if (request.connection?.request === request) request.connection.socket.destroy();
    }
    this.#requests.splice(0, expired);
  }

  get isIdle(): boolean {
    return this.#requests.every(({ isOver }) => isOver);
  }

  close(): void {
    this.#isClosing = true;
    for (const { socket } of this.#idle) socket.destroy();
  }

  #connect(): Connection {
    const connection = new Connection(this.#options.url, {
      onConnect: () => this.#startNext(connection),
      onResponse: (status, isLast) => this.#onResponse(connection, status, isLast),
      onClose: () => this.#onClose(connection),
    });
    return connection;
  }

  #start(connection: Connection, request: SentRequest): void {
    request.connection = connection;
    connection.request = request;
    connection.socket.write(request.bytes);
  }

  #onResponse(connection: Connection, status: number, isLast: boolean): void {
    const { request } = connection;
    // The server times out a connection that is unused for long, and closes it.
    if (!request) return;
    connection.request = undefined;
    const isRefused = status === 503;
    if (!isRefused && (status < 200 || status > 299)) throw new Error(`unexpected status ${status}`);
    this.#end(request, isRefused ? "refused" : "good", performance.now());
    if (isLast) connection.socket.end();
    else this.#startNext(connection);
  }

  #startNext(connection: Connection): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (next.isOver) continue;
      this.#start(connection, next);
      return;
    }
    this.#idle.push(connection);
  }

  #onClose(connection: Connection): void {
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (connection.request) this.#end(connection.request, "closed", performance.now());
    if (!this.#isClosing) this.#connect();
  }

  #end(request: SentRequest, outcome: Outcome, now: number): void {
    if (request.isOver) return;
    request.isOver = true;
    this.#options.onEnd(outcome, request.dueAt, now - request.dueAt);
  }
}

const connectedAtOnce = 100;
const bufferBytes = 64 * 1024;
const endOfHeaders = Buffer.from("\r\n\r\n");

/** Parses only the status and the length of responses, so that the client takes little CPU time from the service. */
class Connection {
  readonly socket: Socket;
  request: SentRequest | undefined;
  readonly #onResponse: (status: number, isLast: boolean) => void;
  /** Headers that are not complete. */
  #incomplete: Buffer | undefined;
  #status = 0;
  /** Whether the server closes the connection after the response. */
  #isLast = false;
  #bytesLeft = 0;

  constructor(
    url: string,
    on: { onConnect(): void; onResponse(status: number, isLast: boolean): void; onClose(): void },
  ) {
    this.#onResponse = on.onResponse;
    const { hostname: host, port } = new URL(url);
    const callback = (length: number, buffer: Uint8Array) => {
      this.#take(Buffer.from(buffer.buffer, buffer.byteOffset, length));
      return true;
    };
    const onread = { buffer: sharedBuffer, callback };
    this.socket = connect({ host, port: Number(port), noDelay: true, onread });
    // Its end is the event `close`.
    this.socket.on("error", () => undefined);
    this.socket.on("connect", on.onConnect).on("close", on.onClose);
  }

  #take(received: Buffer): void {
    let chunk = received;
    if (this.#bytesLeft === 0) {
      if (this.#incomplete) chunk = Buffer.concat([this.#incomplete, chunk]);
      const end = chunk.indexOf(endOfHeaders);
      this.#incomplete = end < 0 ? Buffer.from(chunk) : undefined;
      if (end < 0) return;
      const headers = chunk.toString("latin1", 0, end);
      this.#status = Number(headers.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
      this.#isLast = /\r\nconnection: *close/i.test(headers);
      this.#bytesLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(headers)?.[1]);
      chunk = chunk.subarray(end + endOfHeaders.length);
    }
    this.#bytesLeft -= chunk.length;
    if (!(this.#bytesLeft >= 0)) throw new Error("a response has no or a wrong Content-Length");
    if (this.#bytesLeft === 0) this.#onResponse(this.#status, this.#isLast);
  }
}

/** Each read is consumed before the next one, of whichever connection. */
const sharedBuffer = Buffer.allocUnsafe(bufferBytes);
