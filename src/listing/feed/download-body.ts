// The bytes of a download on their way from its thread to a client.

import { Readable } from "node:stream";

/** Ends with an error unless {@link complete} is called: a cut download must never look like a whole one. */
export class DownloadBody extends Readable {
  readonly #pieces: Uint8Array[] = [];
  readonly #onTaken: () => void;
  readonly #onClose: () => void;
  #isWanted = false;
  #isComplete = false;
  /** The rows of the whole download; undefined before its end, and if it has no list of rows. */
  rows: number | undefined;

  /**
   * @param events.taken is called when another piece may be added
   * @param events.closed is called once, when no more pieces are wanted
   */
  constructor({ taken, closed }: { taken: () => void; closed: () => void }) {
    super();
    this.#onTaken = taken;
    this.#onClose = closed;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#flow();
  }

  /** No piece follows. */
  complete(rows: number | undefined): void {
    this.rows = rows;
    this.#isComplete = true;
    this.#flow();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#flow();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#pieces.length = 0;
    this.#onClose();
    done(error);
  }

  #flow(): void {
    while (this.#isWanted && !this.destroyed) {
      const piece = this.#pieces.shift();
      if (!piece) {
        if (this.#isComplete) this.push(null);
        return;
      }
      this.#onTaken();
      this.#isWanted = this.push(piece);
    }
  }
}
