// Makes the responses with email records that are not in the cache.

import { findRecords, type RecordsPage, StaleTimeline } from "../../listing/find-records.ts";
import type { TimelineCache } from "../../listing/timeline/timeline-cache.ts";
import type { Database } from "../../storage/database.ts";
import { paths } from "../paths.ts";
import { encodeBody } from "./content-encoding.ts";
import type { EmailsQuery } from "./emails-query.ts";
import type { EmailsRequest } from "./emails-request.ts";
import { makeEtag, matches } from "./etag.ts";
import type { LimitPageReads } from "./limit-page-reads.ts";
import { linkOf } from "./link-header.ts";
import type { PageBodies } from "./page-bodies.ts";
import type { CachedResponse, ResponseCache } from "./response-cache.ts";

export interface EmailsResponseOptions {
  database: Database;
  /** The public base URL, without a trailing slash. */
  publicUrl: () => string;
  timelines: TimelineCache;
  limitReads: LimitPageReads;
}

/** Where responses are kept, and the memory for their bodies. */
export interface ResponseMemory {
  responses: ResponseCache;
  bodies: PageBodies;
}

const emptyBody = Buffer.alloc(0);

/**
 * Returns the response, and offers it to the cache. Its body is empty if the client already has it; otherwise release it
 * once it was sent.
 *
 * @returns undefined if the organization has changed in the meantime
 */
export async function makeEmailsResponse(
  options: EmailsResponseOptions,
  { responses, bodies }: ResponseMemory,
  request: EmailsRequest,
  now: number,
): Promise<CachedResponse | undefined> {
  const { timelines } = options;
  const { organization } = request;
  const timeline = await timelines.current(organization);
  const { lastSentAt: from, nextSentAt: until } = timeline.around(now + 1);
  const etagAt = (revisionId: number) => {
    const { renderVersion } = organization;
    return makeEtag({ cacheKey: request.cacheKey, revisionId, renderVersion, latestSentAt: from });
  };
  const isCurrent = timeline.revisionId === organization.timelineRevisionId;
  if (isCurrent && request.ifNoneMatch !== undefined) {
    const { revisionId } = organization;
    const etag = etagAt(revisionId);
    if (matches(request.ifNoneMatch, etag)) {
      return { revisionId, from, until, etag, headers: {}, body: emptyBody, rows: 0 };
    }
  }
  const found = await options
    .limitReads(organization.id, async () => {
      const records = await findRecords(options.database, { organization, timeline }, request.query, now);
      return records && { ...records, ...(await encodePage(bodies, records, request)) };
    })
    .catch((error) => {
      if (!(error instanceof StaleTimeline)) throw error;
      timelines.invalidate(organization);
    });
  if (!found) return undefined;
  const { revisionId, totalEntries, body, encoding } = found;
  const etag = etagAt(revisionId);
  const url = options.publicUrl() + paths.api.emails;
  const link = linkOf(url, request.query, Math.ceil(totalEntries / request.query.perPage));
  const headers = {
    ...cachingHeaders(etag),
    "content-type": "application/json; charset=utf-8",
    ...(encoding !== "identity" && { "content-encoding": encoding }),
    ...(link !== undefined && { link }),
  };
  const response = {
    revisionId,
    from,
    until,
    etag,
    headers,
    body,
    rows: rowsOf(request.query, totalEntries),
  };
  responses.offer(request.cacheKey, response);
  return response;
}

async function encodePage(
  bodies: PageBodies,
  { texts, totalEntries }: RecordsPage,
  { query, encoding }: EmailsRequest,
): ReturnType<typeof encodeBody> {
  const { before, after } = envelopeOf(query, totalEntries);
  const plain = bodies.write(before, texts, after);
  const encoded = await encodeBody(plain, encoding);
  if (encoded.body !== plain) bodies.release(plain);
  return encoded;
}

/** The records on a page. */
function rowsOf({ page, perPage }: EmailsQuery, totalEntries: number): number {
  return Math.max(Math.min(perPage, totalEntries - (page - 1) * perPage), 0);
}

/** The JSON around the records of a page. */
function envelopeOf({ page, perPage }: EmailsQuery, totalEntries: number) {
  const meta = JSON.stringify({
    page,
    per_page: perPage,
    total_entries: totalEntries,
    total_pages: Math.ceil(totalEntries / perPage),
  });
  return { before: '{"emails":[', after: `],"meta":${meta}}` };
}

/** Headers of every response, with or without a body. */
export function cachingHeaders(etag: string): Record<string, string> {
  return { etag, "cache-control": "private, no-cache", vary: "Authorization, Accept-Encoding" };
}
