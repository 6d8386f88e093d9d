// Limits the memory of long bodies that clients are slow to read, over all connections.

import type { ServerResponse } from "node:http";
import { AppError } from "../../errors.ts";

/** Shorter bodies are not counted: the number of connections limits them. */
const minCountedBytes = 256 * 1024;

export class UnsentBodies {
  readonly #maxBytes: number;
  #bytes = 0;
  /** By organization. Holds no 0. */
  readonly #shares = new Map<number, number>();

  /** @param maxBytes of all bodies together, half of it of one organization; a single body may be longer */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Counts a body until it was handed to the operating system, or its connection closed. Call it before the body is sent.
   *
   * @throws AppError `unavailable` if clients still have to read too many bytes of others
   */
  count(response: ServerResponse, organizationId: number, { length }: { length: number }): void {
    if (length < minCountedBytes || response.closed) return;
    const ownBytes = this.#shares.get(organizationId) ?? 0;
    const isFull = this.#bytes > 0 && this.#bytes + length > this.#maxBytes;
    const isShareFull = ownBytes > 0 && ownBytes + length > this.#maxBytes / 2;
    if (isFull || isShareFull) {
      throw new AppError("unavailable", "Other clients are still reading long pages. Try again.");
    }
    this.#add(organizationId, length);
    response.once("close", () => this.#add(organizationId, -length));
  }

  #add(organizationId: number, bytes: number): void {
    this.#bytes += bytes;
    const share = (this.#shares.get(organizationId) ?? 0) + bytes;
    if (share === 0) this.#shares.delete(organizationId);
    else this.#shares.set(organizationId, share);
  }
}
