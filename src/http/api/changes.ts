// GET /data_api/v1/emails/changes: everything that changed since a cursor or an instant, with deleted campaigns.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { checkHistory } from "../../listing/changes-position.ts";
import { type ChangeRecord, findChangesPage, readChangeRecords } from "../../listing/find-changes.ts";
import type { Queries } from "../../storage/database.ts";
import { findOrganization, type Organization } from "../../storage/organizations.ts";
import { authenticate } from "../authenticate.ts";
import { callerOf } from "../credentials.ts";
import { paths } from "../paths.ts";
import { addToLog } from "../request-log.ts";
import { queryStringOf } from "../request-url.ts";
import { encodeCursor } from "./changes-cursor.ts";
import { parseChangesQuery } from "./changes-query.ts";
import { encodeBody, encodingFor } from "./content-encoding.ts";
import type { EmailsOptions } from "./emails.ts";
import { cachingHeaders } from "./emails-response.ts";
import { hashToEtag, matches } from "./etag.ts";
import { limitPageReads } from "./limit-page-reads.ts";

/** The body of a page. */
export interface ChangesBody {
  emails: ChangeRecord[];
  meta: { per_page: number; has_more: boolean; cursor: string };
}

interface ChangesResponse {
  etag: string;
  meta: ChangesBody["meta"];
  /** Undefined if the client has them already. */
  records: ChangeRecord[] | undefined;
}

export function addChanges(app: FastifyInstance, options: EmailsOptions): void {
  // Its own limit, on SQLite two pages: a page of changes takes longer than one of emails, which do not wait for it.
  const limitReads = limitPageReads(options.database.maxWriters);

  app.get(paths.api.changes, async (request, reply) => {
    const { organization, noteRows } = await authenticate(
      options,
      callerOf(request.raw, options.region),
      "read",
    );
    addToLog(request, { organization: organization.id });
    const { etag, meta, records } = await limitReads(organization.id, () => read(request, organization));
    reply.headers(cachingHeaders(etag));
    if (records === undefined) return reply.code(304).send();
    noteRows?.(records.length);
    const plain = Buffer.from(JSON.stringify({ emails: records, meta } satisfies ChangesBody));
    const { body, encoding } = await encodeBody(plain, encodingFor(request.headers["accept-encoding"]));
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    if (meta.has_more) reply.header("link", nextLink(options.publicUrl(), meta));
    return reply.type("application/json; charset=utf-8").send(body);
  });

  function read(request: FastifyRequest, caller: Organization): Promise<ChangesResponse> {
    return options.database.snapshot(async (queries) => {
      const organization = await findOrganization(queries, caller.id);
      if (!organization) throw new AppError("unauthorized");
      return makeResponse(queries, organization, request, options.now());
    });
  }
}

/** @throws AppError `bad_request` or `gone` if the position of the query is not valid */
async function makeResponse(
  queries: Queries,
  organization: Organization,
  { url, headers }: FastifyRequest,
  now: number,
): Promise<ChangesResponse> {
  const queryString = queryStringOf(url);
  const query = parseChangesQuery(queryString, organization, now);
  if (query.hasCursor) await checkHistory(queries, organization, query.position, now);
  const page = await findChangesPage(queries, organization, query.position, { limit: query.perPage, now });
  const meta = {
    per_page: query.perPage,
    has_more: page.hasMore,
    cursor: encodeCursor(organization, page.position),
  };
  // The next cursor has the time of the request. A client with the same changes may go on from its older cursor.
  const state = [
    organization.id,
    organization.historyId,
    organization.renderVersion,
    query.perPage,
    page.hasMore,
  ];
  const entries = page.changes.map(({ id, updatedAt, sentAt }) => [id, updatedAt, sentAt]);
  const etag = hashToEtag(JSON.stringify([queryString, state, entries]));
  if (matches(headers["if-none-match"], etag)) return { etag, meta, records: undefined };
  return { etag, meta, records: await readChangeRecords(queries, organization, page.changes) };
}

function nextLink(publicUrl: string, { cursor, per_page }: ChangesResponse["meta"]): string {
  return `<${publicUrl}${paths.api.changes}?cursor=${cursor}&per_page=${per_page}>; rel="next"`;
}
