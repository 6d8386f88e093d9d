// Keeps the share of an organization in the ingest queue full: one client announces the largest body and never sends it.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { bodyLimits } from "../../../src/http/request/body-limits.ts";

/** `INGEST_QUEUE_BYTES`: one organization may use half of it. */
export const queueBytes = 2 * bodyLimits.events;
/** The server waits longer than this for the body. */
const heldMs = 10_000;
const retryMs = 5;
/** A rejection arrives sooner. */
const acceptedMs = 300;

export class FullQueue {
  readonly #url: URL;
  readonly #key: string;
  #client: { socket: Socket; since: number } | undefined;

  constructor(url: string, key: string) {
    this.#url = new URL(url);
    this.#key = key;
  }

  /** Resolves when the queue has no space for the organization, and has none for a while. */
  async fill(): Promise<void> {
    if (this.#client && performance.now() - this.#client.since < heldMs) return;
    this.release();
    for (let socket = await this.#announce(); ; socket = await this.#announce()) {
      if (socket) {
        this.#client = { socket, since: performance.now() };
        return;
      }
      // The server has not released the space of the previous client yet.
      await pause(retryMs);
    }
  }

  release(): void {
    this.#client?.socket.destroy();
    this.#client = undefined;
  }

  /** @returns undefined if the queue is full; otherwise the server has reserved the space, and waits for the body */
  async #announce(): Promise<Socket | undefined> {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port) });
    // It is closed while the server waits.
    socket.on("error", () => undefined);
    socket.write(
      `POST ${this.#url.pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${this.#key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${bodyLimits.events}\r\n\r\n`,
    );
    // The server rejects the request at once, or waits for its body.
    const isRejected = await Promise.race([
      once(socket, "data").then(() => true),
      pause(acceptedMs).then(() => false),
    ]);
    if (!isRejected) return socket;
    socket.destroy();
    return undefined;
  }
}
