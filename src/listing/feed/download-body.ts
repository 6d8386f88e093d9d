// The bytes of a download on their way from its thread to a client.

import { Readable } from "node:stream";

/**
 * Ends with an error unless {@link complete} is called: a cut download must never look like a whole one. A reader that takes
 * no piece for too long cuts it.
 */
export class DownloadBody extends Readable {
  readonly #pieces: Uint8Array[] = [];
  readonly #onTaken: () => void;
  readonly #onClose: () => void;
  readonly #maxStallMs: number;
  #stallTimer: NodeJS.Timeout | undefined;
  #isWanted = false;
  #isComplete = false;

  /**
   * @param options.maxStallMs for the reader to take a piece that waits
   * @param options.taken is called when another piece may be added
   * @param options.closed is called once, when no more pieces are wanted
   */
  constructor({
    maxStallMs,
    taken,
    closed,
  }: {
    maxStallMs: number;
    taken: () => void;
    closed: () => void;
  }) {
    super();
    this.#maxStallMs = maxStallMs;
    this.#onTaken = taken;
    this.#onClose = closed;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#flow();
  }

  /** No piece follows. */
  complete(): void {
    this.#isComplete = true;
    this.#flow();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#flow();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#stallTimer);
    this.#pieces.length = 0;
    this.#onClose();
    done(error);
  }

  #flow(): void {
    while (this.#isWanted && !this.destroyed) {
      clearTimeout(this.#stallTimer);
      this.#stallTimer = undefined;
      const piece = this.#pieces.shift();
      if (!piece) {
        if (this.#isComplete) this.push(null);
        return;
      }
      this.#onTaken();
      this.#isWanted = this.push(piece);
    }
    if (this.#pieces.length > 0 && !this.destroyed) this.#stallTimer ??= this.#startStallTimer();
  }

  #startStallTimer(): NodeJS.Timeout {
    const seconds = this.#maxStallMs / 1000;
    return setTimeout(() => {
      this.destroy(new Error(`the client took less than a piece of the download in ${seconds} seconds`));
    }, this.#maxStallMs);
  }
}
