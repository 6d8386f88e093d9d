// Limits the memory of long bodies that clients are slow to read, over all connections.

import type { ServerResponse } from "node:http";
import { AppError } from "../../errors.ts";

/** Shorter bodies are not counted: the number of connections limits them. */
const minCountedBytes = 256 * 1024;

export class UnsentBodies {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes of all bodies together; a single body may be longer */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Counts a body until it was handed to the operating system, or its connection closed. Call it before the body is sent.
   *
   * @throws AppError `unavailable` if clients still have to read too many bytes of others
   */
  count(response: ServerResponse, { length }: { length: number }): void {
    if (length < minCountedBytes || response.closed) return;
    if (this.#bytes > 0 && this.#bytes + length > this.#maxBytes) {
      throw new AppError("unavailable", "Other clients are still reading long pages. Try again.");
    }
    this.#bytes += length;
    response.once("close", () => {
      this.#bytes -= length;
    });
  }
}
