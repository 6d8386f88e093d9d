// GET /data_api/v1/emails: the email records of the caller's organization, with pagination (specification 4.1).

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiKey } from "../../access/api-key.ts";
import { AppError } from "../../errors.ts";
import { singleFlight } from "../../limits/single-flight.ts";
import {
  findRecords,
  findRecordsInTransaction,
  type OrganizationTimeline,
  type RecordsPage,
  StaleTimeline,
} from "../../listing/find-records.ts";
import type { TimelineCache } from "../../listing/timeline/timeline-cache.ts";
import type { JsonEnvelope } from "../../storage/campaigns/rendered-records.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { Replica } from "../../storage/postgres/replica.ts";
import { type AuthenticateOptions, authenticate } from "../authenticate.ts";
import { apiKeyOf } from "../credentials.ts";
import { paths } from "../paths.ts";
import { addToLog } from "../request-log.ts";
import { type ContentEncoding, encodeBody, encodingFor } from "./content-encoding.ts";
import { type EmailsQuery, parseEmailsQuery } from "./emails-query.ts";
import { etagOf, matches } from "./etag.ts";
import { linkOf } from "./link-header.ts";
import { type CachedResponse, ResponseCache } from "./response-cache.ts";

export interface EmailsOptions extends AuthenticateOptions {
  replica?: Replica | undefined;
  region: string;
  /** The public base URL, without a trailing slash. */
  publicUrl: () => string;
  /** Maximum bytes of the response cache. */
  memory: { pages: number };
  timelines: TimelineCache;
}

/** An organization that changes this often while one page is read has a problem of its own. */
const attemptsMax = 20;

export function addEmails(app: FastifyInstance, options: EmailsOptions): void {
  const { database, replica, memory, timelines } = options;
  const responses = new ResponseCache(memory.pages);
  // Requests that arrive together share one query for their key. It starts after they arrived, so a deleted key is
  // rejected by the very next request.
  const findCaller = singleFlight(
    ({ text }: ApiKey) => text,
    (key) => authenticate(options, key, "read"),
  );

  // Hot path: a callback route. Most responses are cached, and an async handler would cost more than finding one.
  app.get(paths.api.emails, (request, reply) => {
    const key = apiKeyOf(request.raw, options.region);
    findCaller(key)
      .then((organization) => {
        addToLog(request, { organization: organization.id });
        const parsed = parseRequest(request, organization);
        const now = options.now();
        const cached = responses.find(parsed.cacheKey, organization.revision, now);
        return cached ? send(reply, parsed, cached) : sendNew(request, reply, key, parsed, now);
      })
      .catch((error) => reply.send(error));
  });

  async function sendNew(
    request: FastifyRequest,
    reply: FastifyReply,
    key: ApiKey,
    parsed: EmailsRequest,
    now: number,
  ): Promise<void> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const response = await makeResponse(parsed, now);
      if (response) return send(reply, parsed, response);
      parsed = parseRequest(request, await findCaller(key));
      now = options.now();
    }
    throw new AppError("unavailable", "The records change faster than they can be read. Try again.");
  }

  /** Returns undefined if the organization has changed in the meantime. */
  async function makeResponse(parsed: EmailsRequest, now: number): Promise<CachedResponse | undefined> {
    const { organization, query, encoding } = parsed;
    const timeline = await timelines.current(organization);
    const { before: from, from: until } = timeline.around(now + 1);
    const etag = etagOfResponse(parsed, organization.revision, from);
    const isCurrent = timeline.revision === organization.timelineRevision;
    if (isCurrent && matches(parsed.ifNoneMatch, etag)) {
      return { revision: organization.revision, from, until, etag, headers: {}, body: "" };
    }
    const records = await find({ organization, timeline }, query, now).catch((error) => {
      if (!(error instanceof StaleTimeline)) throw error;
      timelines.invalidate(organization);
    });
    if (!records) return undefined;
    const { revision, totalEntries } = records;
    const encoded = await encodeBody(records.body, encoding);
    const link = linkOf(
      options.publicUrl() + paths.api.emails,
      query,
      Math.ceil(totalEntries / query.perPage),
    );
    const ownEtag = etagOfResponse(parsed, revision, from);
    const headers = {
      ...cachingHeaders(ownEtag),
      "content-type": "application/json; charset=utf-8",
      ...(encoded.encoding !== "identity" && { "content-encoding": encoded.encoding }),
      ...(link !== undefined && { link }),
    };
    const response = { revision, from, until, etag: ownEtag, headers, body: encoded.body };
    responses.offer(parsed.cacheKey, response);
    return response;
  }

  /** Reads from the replica if it is up to date, else from the primary. */
  async function find(
    listed: OrganizationTimeline,
    query: EmailsQuery,
    now: number,
  ): Promise<RecordsPage | undefined> {
    const { id, revision, secret, renderVersion } = listed.organization;
    const envelopeFor = (totalEntries: number) => envelopeOf(query, totalEntries);
    const found = await replica?.read({ id, revision, secret }, async (queries, organization) =>
      organization.renderVersion === renderVersion
        ? findRecordsInTransaction(queries, { ...listed, organization }, query, now, envelopeFor)
        : undefined,
    );
    return found ?? findRecords(database, listed, query, now, envelopeFor);
  }
}

/** A parsed request, with the organization as it was when the key was found. */
interface EmailsRequest {
  organization: Organization;
  query: EmailsQuery;
  encoding: ContentEncoding;
  ifNoneMatch: string | undefined;
  /** Equal for requests with the same organization, query and encoding. */
  cacheKey: string;
}

function parseRequest(request: FastifyRequest, organization: Organization): EmailsRequest {
  const { url, headers } = request;
  const start = url.indexOf("?");
  const query = parseEmailsQuery(start < 0 ? "" : url.slice(start + 1), organization.timeZone);
  const encoding = encodingFor(headers["accept-encoding"]);
  const filters = query.filters.length > 0 ? JSON.stringify(query.filters) : "";
  const cacheKey = `${organization.id} ${encoding} ${query.page} ${query.perPage} ${filters}`;
  return { organization, query, encoding, cacheKey, ifNoneMatch: headers["if-none-match"] };
}

/**
 * Hashes everything that determines the response: the request, the state of the organization, and the campaigns sent by
 * now. A campaign whose send time comes changes the response without a change of the data.
 */
function etagOfResponse(
  { cacheKey, organization }: EmailsRequest,
  revision: number,
  latestSentAt: number,
): string {
  return etagOf(`${cacheKey} ${revision} ${organization.renderVersion} ${latestSentAt}`);
}

function envelopeOf({ page, perPage }: EmailsQuery, totalEntries: number): JsonEnvelope {
  const meta = JSON.stringify({
    page,
    per_page: perPage,
    total_entries: totalEntries,
    total_pages: Math.ceil(totalEntries / perPage),
  });
  return { before: '{"emails":[', after: `],"meta":${meta}}` };
}

function send(
  reply: FastifyReply,
  { ifNoneMatch }: EmailsRequest,
  { etag, headers, body }: CachedResponse,
): void {
  if (matches(ifNoneMatch, etag)) reply.code(304).headers(cachingHeaders(etag)).send();
  else reply.headers(headers).send(body);
}

/** Headers of every response, with or without a body. */
function cachingHeaders(etag: string): Record<string, string> {
  return { etag, "cache-control": "private, no-cache", vary: "Authorization, Accept-Encoding" };
}
