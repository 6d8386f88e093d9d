// A keep-alive connection that uses as little CPU time as possible: it parses only the headers that it needs and counts the
// bytes of the body. An unexpected response ends the process.

import { once } from "node:events";
import { connect, type Socket } from "node:net";

const bufferBytes = 128 * 1024;
const endOfHeaders = Buffer.from("\r\n\r\n");

export class Connection {
  onResponse: () => void = () => {};
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  readonly #status: number;
  readonly #check: (body: string) => void;
  #isWaiting = false;
  /** Incomplete headers. */
  #incomplete: Buffer | undefined;
  #bytesLeft = 0;
  /** The chunks of the first body, until it is complete. */
  #first: Buffer[] | undefined = [];

  private constructor(url: URL, status: number, check: (body: string) => void) {
    this.#status = status;
    this.#check = check;
    const callback = (length: number) => {
      this.#take(this.#buffer.subarray(0, length));
      return true;
    };
    const onread = { buffer: this.#buffer, callback };
    this.#socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true, onread });
    this.#socket.on("close", () => {
      throw new Error(`${url.host} closed a connection`);
    });
  }

  /**
   * @param status the expected status of every response
   * @param check throws if the first body is not as expected
   */
  static async open(url: string, status: number, check: (body: string) => void): Promise<Connection> {
    const connection = new Connection(new URL(url), status, check);
    await once(connection.#socket, "connect");
    return connection;
  }

  /** Sends a request. The previous one must have its response. */
  send(request: Buffer): void {
    this.#isWaiting = true;
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.destroy();
  }

  #take(received: Buffer): void {
    let chunk = received;
    if (this.#bytesLeft === 0) {
      if (!this.#isWaiting) throw new Error("a response without a request");
      if (this.#incomplete) chunk = Buffer.concat([this.#incomplete, chunk]);
      const end = chunk.indexOf(endOfHeaders);
      this.#incomplete = end < 0 ? Buffer.from(chunk) : undefined;
      if (end < 0) return;
      this.#bytesLeft = this.#bodyLength(chunk.toString("latin1", 0, end));
      chunk = chunk.subarray(end + endOfHeaders.length);
    }
    this.#first?.push(Buffer.from(chunk));
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft < 0) throw new Error("a response is longer than its Content-Length");
    if (this.#bytesLeft > 0) return;
    if (this.#first) this.#check(Buffer.concat(this.#first).toString());
    this.#first = undefined;
    this.#isWaiting = false;
    this.onResponse();
  }

  /** @returns the length of the body */
  #bodyLength(headers: string): number {
    if (!headers.startsWith(`HTTP/1.1 ${this.#status} `)) throw new Error(`not ${this.#status}: ${headers}`);
    const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
    if (length === undefined) throw new Error(`no Content-Length: ${headers}`);
    return Number(length);
  }
}

/** @throws Error if the body is not a page, or has no campaigns */
export function checkPage(body: string): void {
  const { emails } = JSON.parse(body) as { emails?: unknown[] };
  if (!emails?.length) throw new Error(`no campaigns: ${body.slice(0, 1_000)}`);
}
