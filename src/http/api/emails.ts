// GET /data_api/v1/emails: the email records of the caller's organization, page by page (specification 4.1).

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
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { Replica } from "../../storage/postgres/replica.ts";
import { apiKeyOf, authenticate } from "../authenticate.ts";
import type { KeyUsage } from "../key-usage.ts";
import { addToLog } from "../request-log.ts";
import { type ContentEncoding, encodeBody, encodingFor } from "./content-encoding.ts";
import { type EmailsQuery, parseEmailsQuery } from "./emails-query.ts";
import { etagOf, matches } from "./etag.ts";
import { linkOf } from "./link-header.ts";
import { type CachedResponse, ResponseCache } from "./response-cache.ts";

export const emailsPath = "/data_api/v1/emails";

export interface EmailsOptions {
  database: Database;
  replica?: Replica | undefined;
  region: string;
  keyUsage: KeyUsage;
  /** The address under which clients reach the service, without a slash at its end. */
  publicUrl: () => string;
  /** Bytes of memory for the pages that are remembered between requests. */
  memory: { pages: number };
  timelines: TimelineCache;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** An organization is changed so often while one page of it is found only where something is wrong. */
const attemptsMax = 20;

export function addEmails(app: FastifyInstance, options: EmailsOptions): void {
  const { database, replica, memory, timelines, keyUsage } = options;
  const pages = new ResponseCache(memory.pages);
  // One look-up for all requests with the key that have arrived before it: a deleted key is refused by the next request.
  const lookUp = singleFlight(
    ({ text }: ApiKey) => text,
    async (key) => {
      const { organization, keyId } = await database.query((queries) => authenticate(queries, key, "read"));
      keyUsage.note(organization.id, keyId, options.now());
      return organization;
    },
  );

  // With callbacks: nearly every page is at hand, and a promise of Fastify's would cost it more than it takes to be found.
  app.get(emailsPath, (request, reply) => {
    const key = apiKeyOf(request.raw, options.region);
    lookUp(key)
      .then((organization) => {
        addToLog(request, { organization: organization.id });
        const asked = readAsked(request, organization);
        const now = options.now();
        const page = pages.find(asked.name, organization.revision, now);
        return page ? send(reply, asked, page) : answerAnew(request, reply, key, asked, now);
      })
      .catch((error) => reply.send(error));
  });

  async function answerAnew(
    request: FastifyRequest,
    reply: FastifyReply,
    key: ApiKey,
    asked: EmailsRequest,
    now: number,
  ): Promise<void> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const page = await makePage(asked, now);
      if (page) return send(reply, asked, page);
      asked = readAsked(request, await lookUp(key));
      now = options.now();
    }
    throw new AppError("unavailable", "The records are being changed faster than they can be read.");
  }

  /** Undefined where the organization has changed meanwhile. */
  async function makePage(asked: EmailsRequest, now: number): Promise<CachedResponse | undefined> {
    const { organization, query, encoding } = asked;
    const timeline = await timelines.current(organization);
    const { before: from, from: until } = timeline.around(now + 1);
    const etag = etagOfPage(asked, organization.revision, from);
    const isSameState = timeline.revision === organization.timelineRevision;
    if (isSameState && matches(asked.ifNoneMatch, etag)) {
      return { revision: organization.revision, from, until, etag, headers: {}, body: "" };
    }
    const records = await find({ organization, timeline }, query, now).catch((error) => {
      if (!(error instanceof StaleTimeline)) throw error;
      timelines.invalidate(organization);
    });
    if (!records) return undefined;
    const { revision, totalEntries } = records;
    const packed = await encodeBody(records.body, encoding);
    const link = linkOf(options.publicUrl() + emailsPath, query, Math.ceil(totalEntries / query.perPage));
    const ownTag = etagOfPage(asked, revision, from);
    const headers = {
      ...headersOf(ownTag),
      "content-type": "application/json; charset=utf-8",
      ...(packed.encoding !== "identity" && { "content-encoding": packed.encoding }),
      ...(link !== undefined && { link }),
    };
    const page = { revision, from, until, etag: ownTag, headers, body: packed.body };
    pages.offer(asked.name, page);
    return page;
  }

  /** From a replica, where it is up to date; else from the primary. */
  async function find(
    listed: OrganizationTimeline,
    query: EmailsQuery,
    now: number,
  ): Promise<RecordsPage | undefined> {
    const { id, revision, secret, renderVersion } = listed.organization;
    const frameOf = (totalEntries: number) => frame(query, totalEntries);
    const found = await replica?.read({ id, revision, secret }, async (queries, organization) =>
      organization.renderVersion === renderVersion
        ? findRecordsInTransaction(queries, { ...listed, organization }, query, now, frameOf)
        : undefined,
    );
    return found ?? findRecords(database, listed, query, now, frameOf);
  }
}

/** What a caller asks for, of an organization as it was when the key was looked up. */
interface EmailsRequest {
  organization: Organization;
  query: EmailsQuery;
  encoding: ContentEncoding;
  ifNoneMatch: string | undefined;
  /** The same for those who ask for the same. */
  name: string;
}

function readAsked(request: FastifyRequest, organization: Organization): EmailsRequest {
  const { url, headers } = request;
  const start = url.indexOf("?");
  const query = parseEmailsQuery(start < 0 ? "" : url.slice(start + 1), organization.timeZone);
  const encoding = encodingFor(headers["accept-encoding"]);
  const filters = query.filters.length > 0 ? JSON.stringify(query.filters) : "";
  const name = `${organization.id} ${encoding} ${query.page} ${query.perPage} ${filters}`;
  return { organization, query, encoding, name, ifNoneMatch: headers["if-none-match"] };
}

/**
 * From all that decides the answer: besides what is asked for, the organization's state, and which campaigns have been sent
 * by now (a campaign whose time comes changes the answer without any change of the data).
 */
function etagOfPage({ name, organization }: EmailsRequest, revision: number, latestSentAt: number): string {
  return etagOf(`${name} ${revision} ${organization.renderVersion} ${latestSentAt}`);
}

function frame({ page, perPage }: EmailsQuery, totalEntries: number): JsonEnvelope {
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
  if (matches(ifNoneMatch, etag)) reply.code(304).headers(headersOf(etag)).send();
  else reply.headers(headers).send(body);
}

/** Those of every answer, with or without a body. */
function headersOf(etag: string): Record<string, string> {
  return { etag, "cache-control": "private, no-cache", vary: "Authorization, Accept-Encoding" };
}
