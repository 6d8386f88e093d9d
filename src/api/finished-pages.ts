// Pages that were answered before, ready to be sent again as long as nothing of their organization has changed.

/** A page as it is sent. */
export interface FinishedPage {
  /** The revision of the organization that it is of. */
  revision: number;
  /** It holds from one instant up to another, at which the next campaign will have been sent. */
  from: number;
  until: number;
  etag: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** What a page takes besides its body, about. */
const bytesBesides = 1_000;

export class FinishedPages {
  readonly #bytesMax: number;
  #bytes = 0;
  /** Those that were asked for last at the end. */
  readonly #pages = new Map<string, FinishedPage>();

  /** @param bytesMax of memory that they may take together; 0 remembers nothing */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** @param name of the organization, the query and the encoding */
  find(name: string, revision: number, now: number): FinishedPage | undefined {
    const page = this.#pages.get(name);
    if (!page || page.revision !== revision || now < page.from || now >= page.until) return undefined;
    this.#pages.delete(name);
    this.#pages.set(name, page);
    return page;
  }

  keep(name: string, page: FinishedPage): void {
    const size = sizeOf(name, page);
    if (size > this.#bytesMax) return;
    this.#forget(name);
    this.#pages.set(name, page);
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
    const page = this.#pages.get(name);
    if (!page) return;
    this.#pages.delete(name);
    this.#bytes -= sizeOf(name, page);
  }
}

function sizeOf(name: string, { body }: FinishedPage): number {
  return body.byteLength + 2 * name.length + bytesBesides;
}
