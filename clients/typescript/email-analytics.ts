// A client of the API of email-analytics: pages, downloads and changes. It has no dependencies, and runs in Node, Deno and
// browsers.

import { Download, type DownloadFormat } from "./download.ts";
import { EmailAnalyticsError } from "./email-analytics-error.ts";
import type { Email, FeedRecord } from "./records.ts";
import { Requester, type RequesterOptions } from "./requester.ts";

export { Download, type DownloadFormat } from "./download.ts";
export { type ClientErrorCode, EmailAnalyticsError } from "./email-analytics-error.ts";
export type { Email, ErrorCode, FeedRecord, Tag } from "./records.ts";

const emailsPath = "/data_api/v1/emails";
/** The most that a page may have. */
const perPage = 100;
const pageTimeoutMs = 120_000;

export interface Filters {
  /** Only campaigns sent at or after this time. A text is in a format of the API, such as `2025-01-31`. */
  sentAfter?: Date | string | undefined;
  /** Only campaigns sent at or before this time. */
  sentBefore?: Date | string | undefined;
  /** Only campaigns with any of these tags. An empty list is no filter. */
  tagIds?: readonly number[] | undefined;
}

interface Abortable {
  /** Aborts requests and waits. */
  signal?: AbortSignal | undefined;
}

/** A campaign that was added or reads differently, or one to delete from the copy. */
export type Change = (FeedRecord & { deleted: false }) | { id: number; updated_at: string; deleted: true };

export interface ChangesPage {
  emails: Change[];
  /** Store it with the copy, in the same transaction: the next changes follow from it. */
  cursor: string;
}

export class EmailAnalytics {
  readonly #requester: Requester;

  /** @throws TypeError if the address or the key cannot be one */
  constructor(options: RequesterOptions) {
    this.#requester = new Requester(options);
  }

  /**
   * The campaigns as the emails endpoint has them, newest first, page by page. Without `sentBefore`, they end at the time of
   * the call, because a campaign that is sent meanwhile would move the records of later pages.
   *
   * @throws EmailAnalyticsError `list_changed` if campaigns were deleted, or added for the past, between two pages
   */
  async *emails({ signal, ...filters }: Filters & Abortable = {}): AsyncGenerator<Email, void, undefined> {
    const query = queryOf({ ...filters, sentBefore: filters.sentBefore ?? new Date() });
    let total: number | undefined;
    for (let page = 1, pages = 1; page <= pages; page++) {
      query.set("page", String(page));
      query.set("per_page", String(perPage));
      const { emails, meta } = await this.#getPage<EmailsBody>(emailsPath, query, signal);
      total ??= meta.total_entries;
      if (meta.total_entries !== total) throw listChanged();
      yield* emails;
      pages = meta.total_pages;
    }
  }

  /**
   * What reads differently since a cursor, page by page; without a cursor, everything.
   *
   * @throws EmailAnalyticsError `gone` if the cursor is no longer valid: start again with a download
   */
  async *changes(cursor?: string, { signal }: Abortable = {}): AsyncGenerator<ChangesPage, void, undefined> {
    let from = cursor;
    for (let hasMore = true; hasMore; ) {
      const query = new URLSearchParams(from === undefined ? {} : { cursor: from });
      const { emails, meta } = await this.#getPage<ChangesBody>(`${emailsPath}/changes`, query, signal);
      yield { emails, cursor: meta.cursor };
      from = meta.cursor;
      hasMore = meta.has_more;
    }
  }

  /** All campaigns as they are at one moment, in one response, newest first. A download that is cut is an error of its stream. */
  async download(
    format: DownloadFormat,
    { signal, ...filters }: Filters & Abortable = {},
  ): Promise<Download> {
    const response = await this.#requester.response({
      path: `${emailsPath}.${format}`,
      query: queryOf(filters),
      signal,
    });
    return new Download(format, response, signal);
  }

  #getPage<Body>(path: string, query: URLSearchParams, signal: AbortSignal | undefined): Promise<Body> {
    return this.#requester.page({ path, query, signal, timeoutMs: pageTimeoutMs }) as Promise<Body>;
  }
}

interface EmailsBody {
  emails: Email[];
  meta: { total_entries: number; total_pages: number };
}

interface ChangesBody {
  emails: Change[];
  meta: { has_more: boolean; cursor: string };
}

function queryOf({ sentAfter, sentBefore, tagIds }: Filters): URLSearchParams {
  // The API has no fractions of a second.
  const textOf = (time: Date | string) =>
    typeof time === "string" ? time : time.toISOString().replace(/\.\d+Z$/, "Z");
  return new URLSearchParams({
    ...(sentAfter !== undefined && { sent_after: textOf(sentAfter) }),
    ...(sentBefore !== undefined && { sent_before: textOf(sentBefore) }),
    ...(tagIds !== undefined && { tag_ids: tagIds.join(",") }),
  });
}

const listChanged = () =>
  new EmailAnalyticsError("list_changed", "Campaigns were deleted or added between two pages. Start again.");
