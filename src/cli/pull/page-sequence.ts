// The pages of one pull: verifies that each is a page, and that together they are one state of the hosted service.

import { quote } from "../../campaign/fields/quote.ts";
import type { FileEntry } from "../../counting/import/mapping/file-entry.ts";
import { AppError } from "../../errors.ts";

interface HostedPage {
  emails: unknown[];
  meta: PageMeta;
}

/** A pull keeps them in memory until it has all of them. */
const maxCampaigns = 1_000_000;

const metaFields = ["page", "per_page", "total_entries", "total_pages"] as const;
type PageMeta = Record<(typeof metaFields)[number], number>;

export class PageSequence {
  /** The records of each page that has been added. */
  readonly #records: unknown[][] = [];
  #first: PageMeta | undefined;
  readonly #pageOfId = new Map<unknown, number>();

  /** How many pages have been added. */
  get pages(): number {
    return this.#records.length;
  }

  /** 0 before the first page. */
  get totalPages(): number {
    return this.#first?.total_pages ?? 0;
  }

  get isComplete(): boolean {
    // A service may say that an empty list has no page.
    return this.#first !== undefined && this.pages >= this.#first.total_pages;
  }

  has(campaignId: number): boolean {
    return this.#pageOfId.has(campaignId);
  }

  async *entries(): AsyncGenerator<FileEntry> {
    for (const [index, emails] of this.#records.entries()) {
      yield* emails.map((record, at) => ({ where: `page ${index + 1}, emails[${at}]`, record }));
    }
  }

  /**
   * Adds the next page.
   *
   * @returns its records
   * @throws AppError `unavailable` if the body is not a page, `conflict` if it does not fit the pages before it
   */
  add(body: unknown): unknown[] {
    const page = toPage(body);
    const number = this.pages + 1;
    const first = this.#first ?? page.meta;
    if (first.total_entries > maxCampaigns) {
      throw notAPage(`it is one of ${first.total_entries} campaigns, and pull takes ${maxCampaigns}`);
    }
    checkMeta(page.meta, first, number);
    checkLength(page, number);
    for (const id of idsOf(page)) {
      const earlier = this.#pageOfId.get(id);
      if (earlier !== undefined)
        throw changed(`campaign ${id} is on page ${earlier} and again on page ${number}`);
      this.#pageOfId.set(id, number);
    }
    this.#first = first;
    this.#records.push(page.emails);
    return page.emails;
  }
}

/** A record without an ID is an error of the import, which names all of them. */
function idsOf({ emails }: HostedPage): unknown[] {
  return emails.map((email) => (email as { id?: unknown } | null)?.id).filter((id) => typeof id === "number");
}

function toPage(body: unknown): HostedPage {
  const { emails, meta } = (typeof body === "object" && body !== null ? body : {}) as Partial<HostedPage>;
  if (!Array.isArray(emails) || typeof meta !== "object" || meta === null) {
    throw notAPage(`it has no "emails" and "meta"`);
  }
  for (const field of metaFields) {
    const value: unknown = meta[field];
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
      throw notAPage(`meta.${field} is ${quote(value)}, not a whole number`);
    }
  }
  return { emails, meta };
}

function checkMeta(meta: PageMeta, first: PageMeta, number: number): void {
  if (meta.page !== number) {
    throw changed(
      `page ${meta.page} came instead of page ${number}; a cache in between may ignore the query`,
    );
  }
  for (const field of ["total_entries", "total_pages", "per_page"] as const) {
    if (meta[field] !== first[field]) {
      throw changed(`meta.${field} was ${first[field]} on page 1 and is ${meta[field]} on page ${number}`);
    }
  }
}

function checkLength({ emails, meta }: HostedPage, number: number): void {
  const { per_page, total_entries, total_pages } = meta;
  const pages = total_entries === 0 ? 0 : Math.ceil(total_entries / per_page);
  if (total_pages !== pages && !(total_entries === 0 && total_pages === 1)) {
    throw notAPage(`${total_entries} campaigns are not ${total_pages} pages of ${per_page}`);
  }
  const expected = Math.max(Math.min(per_page, total_entries - (number - 1) * per_page), 0);
  if (emails.length !== expected) {
    throw changed(`page ${number} has ${emails.length} campaigns instead of ${expected}`);
  }
}

const notAPage = (why: string) =>
  new AppError("unavailable", `The answer of the hosted service is not a page of campaigns: ${why}.`);

const changed = (what: string) =>
  new AppError(
    "conflict",
    `The list of the hosted service changed during the pull: ${what}. Nothing was saved. Run pull again.`,
  );
