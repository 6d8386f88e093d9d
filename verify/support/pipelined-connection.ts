// A connection that sends several requests before it has read the response to the first (HTTP/1.1 pipelining).

import { connect, type Socket } from "node:net";
import { type Answer, AnswerParser } from "./http-answers.ts";

const timeoutSeconds = 10;

/** Requests that were written together. */
interface Exchange {
  methods: readonly string[];
  answers: Answer[];
  resolve(answers: Answer[]): void;
  reject(error: Error): void;
  /** Of this process: a stopped one does not wait. */
  waitedSeconds: number;
}

export class PipelinedConnection {
  readonly #socket: Socket;
  readonly #parser = new AnswerParser();
  /** In the order of the requests: the server is answering the first. */
  readonly #exchanges: Exchange[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(url: string) {
    const { hostname: host, port } = new URL(url);
    this.#socket = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    this.#socket.on("data", (bytes: Buffer) => this.#read(bytes));
    this.#socket.on("end", () => this.#socket.destroy());
    // A closed connection follows, and `send` resolves with the responses that arrived.
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => this.#finish());
    this.#timer = setInterval(() => this.#checkTime(), 1_000);
  }

  /**
   * Writes requests at once, and resolves with their responses: fewer if the server closes the connection before.
   *
   * @param methods of the requests in these bytes
   * @throws Error if the responses do not arrive within 10 s, or are malformed
   */
  send(bytes: string | Buffer, methods: readonly string[]): Promise<Answer[]> {
    return new Promise((resolve, reject) => {
      this.#exchanges.push({ methods, answers: [], resolve, reject, waitedSeconds: 0 });
      if (!this.#socket.destroyed) this.#socket.write(bytes);
      else this.#finish();
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#parser.push(bytes);
    try {
      for (let exchange = this.#exchanges[0]; exchange; exchange = this.#exchanges[0]) {
        const answer = this.#parser.next(exchange.methods[exchange.answers.length] ?? "");
        if (!answer) return;
        exchange.answers.push(answer);
        if (exchange.answers.length < exchange.methods.length) continue;
        this.#exchanges.shift();
        exchange.resolve(exchange.answers);
      }
      if (!this.#parser.isEmpty) throw new Error("a response without a request");
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #checkTime(): void {
    const [exchange] = this.#exchanges;
    if (!exchange || ++exchange.waitedSeconds <= timeoutSeconds) return;
    const { answers, methods } = exchange;
    const got = `${answers.length} of ${methods.length} responses`;
    this.#fail(new Error(`got ${got} within ${timeoutSeconds} s`));
  }

  #fail(error: Error): void {
    for (const { reject } of this.#exchanges.splice(0)) reject(error);
    this.#socket.destroy();
  }

  /** The connection is closed: resolves with the responses that arrived. */
  #finish(): void {
    clearInterval(this.#timer);
    for (const { resolve, answers } of this.#exchanges.splice(0)) resolve(answers);
  }
}
