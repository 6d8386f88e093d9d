// A client that keeps a copy of all campaigns, from the pages of changes.

import assert from "node:assert/strict";

interface ChangesPage {
  emails: ChangedEmail[];
  meta: { has_more: boolean; cursor: string };
}

type ChangedEmail = Record<string, unknown> & { id: number; updated_at: string; deleted: boolean };

export class CopyingClient {
  readonly copy = new Map<number, ChangedEmail>();
  cursor: string | undefined;
  readonly #get: (query: string) => Promise<ChangesPage>;
  readonly #perPage: number;
  readonly #maxPages: number;

  /**
   * @param get the page for a query string
   * @param options.maxCampaigns how many there may be at the beginning of a pass
   */
  constructor(
    get: (query: string) => Promise<ChangesPage>,
    { perPage, maxCampaigns }: { perPage: number; maxCampaigns: number },
  ) {
    this.#get = get;
    this.#perPage = perPage;
    this.#maxPages = Math.ceil(maxCampaigns / perPage);
  }

  /** Reads pages until nothing is left. A pass has only what changed before it, so it ends whatever changes meanwhile. */
  async readAll(): Promise<void> {
    for (let pages = 1; pages <= this.#maxPages; pages++) if (!(await this.readPage())) return;
    assert.fail(`a pass had more than ${this.#maxPages} pages`);
  }

  /** @returns whether there is another page */
  async readPage(): Promise<boolean> {
    const cursor = this.cursor === undefined ? "" : `&cursor=${this.cursor}`;
    const { emails, meta } = await this.#get(`?per_page=${this.#perPage}${cursor}`);
    for (const email of emails) {
      if (email.deleted) this.copy.delete(email.id);
      else this.copy.set(email.id, email);
    }
    this.cursor = meta.cursor;
    return meta.has_more;
  }

  /** @throws AssertionError if the copy is not that of a client that begins */
  async checkWith(fresh: CopyingClient): Promise<void> {
    // A pass that has begun has only what changed before.
    for (let passes = 0; passes < 2; passes++) await this.readAll();
    await fresh.readAll();
    const byId = ({ copy }: CopyingClient) => [...copy].sort(([a], [b]) => a - b);
    assert.deepEqual(byId(this), byId(fresh), "a copy by changes");
  }
}
