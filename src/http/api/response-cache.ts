// Caches whole responses of the emails endpoint. A cached response is valid for one state of its organization.

import { LRUCache } from "lru-cache";

export interface CachedResponse {
  /** Of the state of the organization that the response shows. */
  revisionId: number;
  /** Valid from this instant until the next campaign is sent. Milliseconds since 1970. */
  from: number;
  until: number;
  etag: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The records in the body. */
  rows: number;
}

/** Approximate memory of an entry besides its key, body and Link header. */
const entryOverheadBytes = 1_000;

/**
 * An LRU cache limited by bytes. A response is admitted when it is offered for the second time, in any revision:
 * otherwise one client that pulls every page would evict what dashboards request again and again.
 */
export class ResponseCache {
  /** "seen" marks a response that was offered once. Undefined if the limit is 0. */
  readonly #entries: LRUCache<string, CachedResponse | "seen"> | undefined;

  /** @param maxBytes of all entries together; 0 caches nothing */
  constructor(maxBytes: number) {
    if (maxBytes === 0) return;
    const sizeCalculation = (entry: CachedResponse | "seen", key: string) => sizeOf(key, entry);
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /** @param key of the organization, the query and the encoding */
  find(key: string, revisionId: number, now: number): CachedResponse | undefined {
    const entry = this.#entries?.get(key);
    if (entry === undefined || entry === "seen") return undefined;
    return entry.revisionId === revisionId && now >= entry.from && now < entry.until ? entry : undefined;
  }

  offer(key: string, response: CachedResponse): void {
    const wasSeen = this.#entries?.has(key) === true;
    this.#entries?.set(key, wasSeen ? { ...response, body: copyOf(response.body) } : "seen");
  }

  /** Approximate memory of all entries. */
  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }
}

function sizeOf(key: string, entry: CachedResponse | "seen"): number {
  const own = entry === "seen" ? 0 : entry.body.length + (entry.headers.link?.length ?? 0);
  return own + 2 * key.length + entryOverheadBytes;
}

/** A plain body is written over once it was sent; a compressed one is a small slice of a large block. */
function copyOf(body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(body.length);
  body.copy(bytes);
  return bytes;
}
