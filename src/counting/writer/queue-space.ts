// Backpressure: limits the bytes of request bodies that wait for the writer thread, in total and per organization, and how
// long they wait.

import { AppError } from "../../errors.ts";

/** What one organization has in the queue. */
interface Share {
  bytes: number;
  /** When its waiting batches were added, oldest first, in ms of `performance.now()`. */
  batches: Set<{ addedAt: number }>;
}

const refusal = (why: string) =>
  new AppError("unavailable", `${why} Nothing of this request was saved; try again.`);

export class QueueSpace {
  /** The bytes of all organizations. */
  bytes = 0;
  readonly #maxBytes: number;
  /** The share of each organization by its id. */
  readonly #shares = new Map<number, Share>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * @param maxWaitMs limit on how long the oldest batch of the organization has been waiting
   * @throws AppError `unavailable` if the queue is full, half of it belongs to this organization, or the wait is too long
   */
  reserve(organizationId: number, bytes: number, maxWaitMs = Number.POSITIVE_INFINITY): void {
    const share = this.#share(organizationId);
    // An empty queue accepts a body of any size.
    const isFull = this.bytes > 0 && this.bytes + bytes > this.#maxBytes;
    const isShareFull = share.bytes > 0 && share.bytes + bytes > this.#maxBytes / 2;
    if (isFull || isShareFull) throw refusal("The write queue is full.");
    const [oldest] = share.batches;
    if (oldest !== undefined && performance.now() - oldest.addedAt > maxWaitMs) {
      throw refusal("Older events of the organization have been waiting too long to be written.");
    }
    this.add(organizationId, bytes);
  }

  /** Adds bytes without a check; releases them if negative. */
  add(organizationId: number, bytes: number): void {
    this.bytes += bytes;
    this.#share(organizationId).bytes += bytes;
  }

  /**
   * Notes that a batch of events waits to be written.
   *
   * @returns a function to call when it is written
   */
  noteBatch(organizationId: number): () => void {
    const { batches } = this.#share(organizationId);
    const batch = { addedAt: performance.now() };
    batches.add(batch);
    return () => batches.delete(batch);
  }

  #share(organizationId: number): Share {
    const found = this.#shares.get(organizationId);
    if (found) return found;
    const share = { bytes: 0, batches: new Set<{ addedAt: number }>() };
    this.#shares.set(organizationId, share);
    return share;
  }
}
