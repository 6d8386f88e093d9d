// A connection that sends one request after the other, as cheaply as Node can: it looks at the heads of the answers and
// counts the bytes of their bodies. Whatever is not as expected ends the process.

import { once } from "node:events";
import { connect, type Socket } from "node:net";

const bufferBytes = 128 * 1024;
const endOfHead = Buffer.from("\r\n\r\n");

export class Connection {
  /** When the request that is under way was due. */
  dueAt = 0;
  onAnswer: () => void = () => {};
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  readonly #status: number;
  readonly #check: (body: string) => void;
  #isWaiting = false;
  /** Of a head that came in part. */
  #cut: Buffer | undefined;
  #bytesLeft = 0;
  /** The pieces of the first body, until it is complete. */
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
      throw new Error(`${url.host} has closed a connection`);
    });
  }

  /**
   * @param status of every answer
   * @param check looks at the first body, and throws when it is not what it should be
   */
  static async open(url: string, status: number, check: (body: string) => void): Promise<Connection> {
    const connection = new Connection(new URL(url), status, check);
    await once(connection.#socket, "connect");
    return connection;
  }

  /** Sends a request. The one before it has to be answered. */
  ask(request: Buffer): void {
    this.#isWaiting = true;
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.destroy();
  }

  #take(received: Buffer): void {
    let piece = received;
    if (this.#bytesLeft === 0) {
      if (!this.#isWaiting) throw new Error("an answer to no request");
      if (this.#cut) piece = Buffer.concat([this.#cut, piece]);
      const end = piece.indexOf(endOfHead);
      this.#cut = end < 0 ? Buffer.from(piece) : undefined;
      if (end < 0) return;
      this.#bytesLeft = this.#bytesOf(piece.toString("latin1", 0, end));
      piece = piece.subarray(end + endOfHead.length);
    }
    this.#first?.push(Buffer.from(piece));
    this.#bytesLeft -= piece.length;
    if (this.#bytesLeft < 0) throw new Error("an answer is longer than it says");
    if (this.#bytesLeft > 0) return;
    if (this.#first) this.#check(Buffer.concat(this.#first).toString());
    this.#first = undefined;
    this.#isWaiting = false;
    this.onAnswer();
  }

  /** The length of the body. */
  #bytesOf(head: string): number {
    if (!head.startsWith(`HTTP/1.1 ${this.#status} `)) throw new Error(`not ${this.#status}: ${head}`);
    if (this.#status === 304) return 0;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`no Content-Length: ${head}`);
    return Number(length);
  }
}

/** @throws Error when it is no page, or one without emails */
export function checkPage(body: string): void {
  const { emails } = JSON.parse(body) as { emails?: unknown[] };
  if (!emails?.length) throw new Error(`no emails: ${body.slice(0, 1_000)}`);
}
