// GET /data_api/v1/emails: the email records of the caller's organization, page by page (specification 4.1).

import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { ApiKey } from "../api-key.ts";
import { apiKeyOf, authenticate } from "../authenticate.ts";
import { findRecords } from "../listing/find-records.ts";
import { noteForLog } from "../request-log.ts";
import { findLatestSentAt } from "../storage/campaigns.ts";
import type { Database, Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import type { Replica } from "../storage/replica.ts";
import { type ContentEncoding, encodeBody, encodingFor } from "./content-encoding.ts";
import { type EmailsQuery, parseEmailsQuery } from "./emails-query.ts";

export const emailsPath = "/data_api/v1/emails";

export interface EmailsOptions {
  database: Database;
  replica?: Replica | undefined;
  region: string;
  /** The address under which clients reach the service, without a slash at its end. */
  publicUrl: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface Answer {
  status: 200 | 304;
  body: string;
  etag: string;
  link?: string | undefined;
}

export function addEmails(app: FastifyInstance, options: EmailsOptions): void {
  app.get(emailsPath, async (request, reply) => {
    const encoding = encodingFor(request.headers["accept-encoding"]);
    const key = apiKeyOf(request.raw, options.region);
    const answer = await readFor(options, key, async (queries, organization): Promise<Answer> => {
      noteForLog(request, { organization: organization.id });
      const now = options.now();
      const query = parseEmailsQuery(queryStringOf(request.url), organization.timeZone);
      const latestSentAt = await findLatestSentAt(queries, organization.id, now + 1);
      const etag = etagOf(organization, latestSentAt, query, encoding);
      if (matches(request.headers["if-none-match"], etag)) {
        return { status: 304, body: "", etag };
      }
      const { records, totalEntries } = await findRecords(queries, organization, query, now);
      const meta = {
        page: query.page,
        per_page: query.perPage,
        total_entries: totalEntries,
        total_pages: Math.ceil(totalEntries / query.perPage),
      };
      const body = `{"emails":[${records.join(",")}],"meta":${JSON.stringify(meta)}}`;
      return { status: 200, body, etag, link: linkOf(options.publicUrl(), query, meta.total_pages) };
    });
    reply.code(answer.status).header("etag", answer.etag).header("cache-control", "private, no-cache");
    reply.header("vary", "Authorization, Accept-Encoding");
    if (answer.status === 304) return reply.send();
    const packed = await encodeBody(answer.body, encoding);
    if (packed.encoding !== "identity") reply.header("content-encoding", packed.encoding);
    if (answer.link !== undefined) reply.header("link", answer.link);
    reply.type("application/json; charset=utf-8");
    return reply.send(packed.bytes);
  });
}

/**
 * Organization, totals and records are read from one state of the data. The key is looked up in the primary; from a
 * replica comes the rest, where it is at least as new as what the primary says.
 */
async function readFor(
  { database, replica }: EmailsOptions,
  key: ApiKey,
  work: (queries: Queries, organization: Organization) => Promise<Answer>,
): Promise<Answer> {
  if (replica) {
    const asOf = await database.read((queries) => authenticate(queries, key, "read"));
    const answer = await replica.read(asOf, work);
    if (answer) return answer;
  }
  return database.read(async (queries) => work(queries, await authenticate(queries, key, "read")));
}

function queryStringOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

/**
 * Weak, from all that decides the answer: the organization's state, the query, and which campaigns have been sent by
 * now (a campaign whose time comes changes the answer without any change of the data).
 */
function etagOf(
  { id, revision, rendering }: Organization,
  latestSentAt: number,
  query: EmailsQuery,
  encoding: ContentEncoding,
): string {
  const state = JSON.stringify([id, revision, rendering, latestSentAt, query, encoding]);
  return `W/"${createHash("sha256").update(state).digest("base64url").slice(0, 27)}"`;
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = etag.slice(2);
  return ifNoneMatch.split(",").some((each) => ["*", etag, opaque].includes(each.trim()));
}

/** Proxies and clients accept heads of a few kilobytes; a filter of hundreds of tags would fill them several times. */
const linkLengthMax = 4_000;

/** Where the other pages are (RFC 8288), with the same filters; only the next one, or none, where that is too long. */
function linkOf(publicUrl: string, query: EmailsQuery, totalPages: number): string | undefined {
  const link = (relation: string, page: number) => {
    const parameters = new URLSearchParams([
      ...query.filters,
      ["page", String(page)],
      ["per_page", String(query.perPage)],
    ]);
    const queryString = parameters.toString().replaceAll("%2C", ",");
    return `<${publicUrl}${emailsPath}?${queryString}>; rel="${relation}"`;
  };
  const next = query.page < totalPages ? [link("next", query.page + 1)] : [];
  const all = [
    link("first", 1),
    ...(query.page > 1 && totalPages > 0 ? [link("prev", Math.min(query.page - 1, totalPages))] : []),
    ...next,
    ...(totalPages > 0 ? [link("last", totalPages)] : []),
  ];
  return [all, next]
    .map((links) => links.join(", "))
    .find((text) => text !== "" && text.length <= linkLengthMax);
}
