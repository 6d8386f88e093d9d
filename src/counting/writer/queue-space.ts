// Backpressure: limits the bytes of request bodies that wait for the writer thread, in total and per organization, and how
// long they wait.

import { AppError } from "../../errors.ts";

/** What one organization has in the queue. */
interface Share {
  bytes: number;
  /** How long a queued byte takes, by the latest job that had to wait for others. */
  msPerByte: number;
}

/** A job that took less did not wait long, and most of its time is that of a commit, however few bytes it has. */
const minMeasuredMs = 200;

export class QueueSpace {
  readonly #maxBytes: number;
  #bytes = 0;
  /** By organization. Holds no empty share. */
  readonly #shares = new Map<number, Share>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * @param maxWaitMs limit on the estimated time until the body is written
   * @throws AppError `unavailable` if the queue is full, half of it belongs to this organization, or the wait is too long
   */
  reserve(organizationId: number, bytes: number, maxWaitMs = Number.POSITIVE_INFINITY): void {
    const { bytes: ownBytes, msPerByte } = this.#shares.get(organizationId) ?? { bytes: 0, msPerByte: 0 };
    // An empty queue accepts a body of any size.
    const isFull = this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes;
    const isShareFull = ownBytes > 0 && ownBytes + bytes > this.#maxBytes / 2;
    if (isFull || isShareFull || ownBytes * msPerByte > maxWaitMs) {
      throw new AppError(
        "unavailable",
        "The write queue is full. Nothing of this request was saved; try again.",
      );
    }
    this.add(organizationId, bytes);
  }

  /**
   * Adds bytes without a check; releases them if negative.
   *
   * @returns all bytes of the organization
   */
  add(organizationId: number, bytes: number): number {
    this.#bytes += bytes;
    const share = this.#shares.get(organizationId) ?? { bytes: 0, msPerByte: 0 };
    share.bytes += bytes;
    if (share.bytes > 0) this.#shares.set(organizationId, share);
    else this.#shares.delete(organizationId);
    return share.bytes;
  }

  /**
   * Notes how long a job took to be written.
   *
   * @param bytes of its organization that were in the queue when it was added, its own included
   */
  noteWritten(organizationId: number, bytes: number, ms: number): void {
    const share = this.#shares.get(organizationId);
    if (share) share.msPerByte = ms < minMeasuredMs ? 0 : ms / bytes;
  }
}
