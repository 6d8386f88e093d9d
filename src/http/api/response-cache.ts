// Pages that are asked for again and again, ready to be sent as long as nothing of their organization has changed.

/** A page as it is sent. */
export interface CachedResponse {
  /** The revision of the organization that it is of. */
  revision: number;
  /** It holds from one instant up to another, at which the next campaign will have been sent. */
  from: number;
  until: number;
  etag: string;
  headers: Record<string, string>;
  /**
   * Text until it is remembered: it is sent as quickly, and is gone sooner. The collector of garbage takes bytes for so much
   * memory that it would look for more of it all the time.
   */
  body: string | Buffer;
}

/** What a page takes besides its body and the addresses of other pages, about. */
const bytesBesides = 1_000;

/**
 * A page is remembered when it is offered for the second time, in whatever state: a pull of everything would otherwise push
 * out what dashboards ask for.
 */
export class ResponseCache {
  readonly #bytesMax: number;
  #bytes = 0;
  /** Those that were asked for last at the end; "offered" stands for one that was offered once. */
  readonly #pages = new Map<string, CachedResponse | "offered">();

  /** @param bytesMax of memory that they may take together; 0 remembers nothing */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** @param name of the organization, the query and the encoding */
  find(name: string, revision: number, now: number): CachedResponse | undefined {
    const page = this.#pages.get(name);
    if (page === undefined || page === "offered") return undefined;
    if (page.revision !== revision || now < page.from || now >= page.until) return undefined;
    this.#pages.delete(name);
    this.#pages.set(name, page);
    return page;
  }

  offer(name: string, page: CachedResponse): void {
    const isKnown = this.#pages.has(name);
    const entry = isKnown ? { ...page, body: toBytes(page.body) } : "offered";
    this.#forget(name);
    const size = sizeOf(name, entry);
    if (size > this.#bytesMax) return;
    this.#pages.set(name, entry);
    this.#bytes += size;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#forget(oldest);
    }
  }

  /** The memory that they take, about. */
  get bytes(): number {
    return this.#bytes;
  }

  #forget(name: string): void {
    const entry = this.#pages.get(name);
    if (entry === undefined) return;
    this.#pages.delete(name);
    this.#bytes -= sizeOf(name, entry);
  }
}

function sizeOf(name: string, entry: CachedResponse | "offered"): number {
  const own = entry === "offered" ? 0 : entry.body.length + (entry.headers.link?.length ?? 0);
  return own + 2 * name.length + bytesBesides;
}

/** In memory of their own: what was packed is a small part of a large block, which would be kept with it. */
function toBytes(body: string | Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  if (typeof body === "string") bytes.write(body);
  else body.copy(bytes);
  return bytes;
}
