// GET /data_api/v1/emails: the email records of the caller's organization, with pagination (specification 4.1).

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { embeddedTagFields } from "../../campaign/feed/feed-tables.ts";
import { singleFlight } from "../../limits/single-flight.ts";
import type { IndexCache, IndexedPage } from "../../listing/index/index-cache.ts";
import { paths } from "../../paths.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { type AuthenticateOptions, authenticate } from "../request/authenticate.ts";
import { type ApiCaller, callerOf } from "../request/credentials.ts";
import { addToLog } from "../request/log.ts";
import { queryStringOf } from "../request/url.ts";
import { type ContentEncoding, encodeBody, encodingFor } from "./content-encoding.ts";
import { type EmailsQuery, parseEmailsQuery } from "./emails-query.ts";
import { hashToEtag, matches } from "./etag.ts";
import { linkOf } from "./link-header.ts";
import { ignoredHeader } from "./query-parameters.ts";

export interface EmailsOptions extends AuthenticateOptions {
  region: string;
  /** The public base URL, without a trailing slash. */
  publicUrl: () => string;
  index: IndexCache;
}

export function addEmails(app: FastifyInstance, options: EmailsOptions): void {
  // Requests that arrive together share one query for their key. It starts after they arrived, so a deleted key is
  // rejected by the very next request.
  const findCaller = singleFlight(
    ({ key }: ApiCaller) => key.text,
    (caller) => authenticate(options, caller, "read"),
  );

  app.get(paths.api.emails, async (request, reply) => {
    const { organization } = await findCaller(callerOf(request.raw, options.region));
    addToLog(request, { organization: organization.id });
    const { headers } = request;
    const encoding = encodingFor(headers["accept-encoding"]);
    const query = parseEmailsQuery(queryStringOf(request.url), organization.timeZone);
    reply.headers(ignoredHeader(query.ignored));
    const etag = etagOf(organization, query, encoding, organization.revisionId);
    if (matches(headers["if-none-match"], etag)) return notModified(reply, etag);
    const found = await findPage(options.index, request, organization, query);
    const foundEtag = etagOf(organization, found.query, encoding, found.page.revisionId);
    if (matches(headers["if-none-match"], foundEtag)) return notModified(reply, foundEtag);
    return sendPage(reply, {
      ...found,
      encoding,
      etag: foundEtag,
      url: options.publicUrl() + paths.api.emails,
    });
  });
}

/** Finds the page of a query. If the time zone changed meanwhile, the dates of the query mean other instants. */
async function findPage(
  index: IndexCache,
  request: FastifyRequest,
  organization: Organization,
  query: EmailsQuery,
): Promise<{ query: EmailsQuery; page: IndexedPage }> {
  const page = await index.page(organization, query, query);
  if (page.timeZone === organization.timeZone) return { query, page };
  const changed = { ...organization, timeZone: page.timeZone, revisionId: page.revisionId };
  return findPage(index, request, changed, parseEmailsQuery(queryStringOf(request.url), page.timeZone));
}

/** Sends a page as slices of memory: a copy of each page would take as long as everything else. */
async function sendPage(
  reply: FastifyReply,
  {
    query,
    page,
    encoding,
    etag,
    url,
  }: { query: EmailsQuery; page: IndexedPage; encoding: ContentEncoding; etag: string; url: string },
): Promise<FastifyReply> {
  const totalPages = Math.ceil(page.total / query.perPage);
  const meta = {
    page: query.page,
    per_page: query.perPage,
    total_entries: page.total,
    total_pages: totalPages,
  };
  const pieces = [
    Buffer.from('{"emails":['),
    ...(query.fields ? [Buffer.from(pickFields(page.slices, query.fields))] : page.slices),
    Buffer.from(`],"meta":${JSON.stringify(meta)}}`),
  ];
  const link = linkOf(url, query, totalPages);
  reply.headers({ ...cachingHeaders(etag), "content-type": "application/json; charset=utf-8" });
  reply.header("x-per-page", String(query.perPage));
  if (link !== undefined) reply.header("link", link);
  if (encoding !== "identity") {
    const encoded = await encodeBody(Buffer.concat(pieces), encoding);
    if (encoded.encoding !== "identity") reply.header("content-encoding", encoded.encoding);
    return reply.send(encoded.body);
  }
  const { raw } = reply;
  reply
    .header(
      "content-length",
      pieces.reduce((sum, { length }) => sum + length, 0),
    )
    .hijack();
  raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  raw.cork();
  for (const piece of pieces) raw.write(piece);
  raw.end();
  raw.uncork();
  return reply;
}

/** The records with these fields alone, and tags with theirs. */
function pickFields(slices: readonly Uint8Array[], fields: readonly string[]): string {
  const records = JSON.parse(`[${Buffer.concat(slices)}]`);
  return JSON.stringify(records, [...fields, ...Object.keys(embeddedTagFields)]).slice(1, -1);
}

function notModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.code(304).headers(cachingHeaders(etag)).send();
}

/** Returns the ETag of a page: the same for requests with the same organization, state, query and encoding. */
function etagOf(
  { id }: Organization,
  { page, perPage, filters }: EmailsQuery,
  encoding: ContentEncoding,
  revisionId: number,
): string {
  return hashToEtag(JSON.stringify([id, encoding, page, perPage, filters, revisionId]));
}

/** Headers of every response, with or without a body. */
export function cachingHeaders(etag: string): Record<string, string> {
  return { etag, "cache-control": "private, no-cache", vary: "Authorization, Accept-Encoding, Origin" };
}
