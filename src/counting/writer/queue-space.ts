// Backpressure: limits the bytes of request bodies that wait for the writer thread, in total and per organization.

import { AppError } from "../../errors.ts";

export class QueueSpace {
  readonly #maxBytes: number;
  #bytes = 0;
  readonly #bytesOfOrganizations = new Map<number, number>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws AppError `unavailable` if the queue is full, or half of it belongs to this organization */
  reserve(organizationId: number, bytes: number): void {
    const ownBytes = this.#bytesOfOrganizations.get(organizationId) ?? 0;
    // An empty queue accepts a body of any size.
    const isFull = this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes;
    if (isFull || (ownBytes > 0 && ownBytes + bytes > this.#maxBytes / 2)) {
      throw new AppError(
        "unavailable",
        "The write queue is full. Nothing of this request was saved; try again.",
      );
    }
    this.add(organizationId, bytes);
  }

  /** Adds bytes without a check; releases them if negative. */
  add(organizationId: number, bytes: number): void {
    this.#bytes += bytes;
    const ownBytes = (this.#bytesOfOrganizations.get(organizationId) ?? 0) + bytes;
    if (ownBytes > 0) this.#bytesOfOrganizations.set(organizationId, ownBytes);
    else this.#bytesOfOrganizations.delete(organizationId);
  }
}
