// GET /data_api/v1/emails/changes: everything that changed since a cursor or an instant, with deleted campaigns.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { limitFairly } from "../../limits/limit-fairly.ts";
import { checkHistory, positionAt } from "../../listing/changes-position.ts";
import { type ChangeRecord, findChangesPage, readChangeRecords } from "../../listing/find-changes.ts";
import { paths } from "../../paths.ts";
import { findOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findReader } from "../request/authenticate.ts";
import { serverLimits } from "../request/limits.ts";
import { queryStringOf } from "../request/url.ts";
import { encodeCursor } from "./changes-cursor.ts";
import { parseChangesQuery } from "./changes-query.ts";
import { encodeBody, encodingFor } from "./content-encoding.ts";
import { cachingHeaders, type EmailsOptions } from "./emails.ts";
import { hashToEtag, matches } from "./etag.ts";
import { schemaLink } from "./link-header.ts";

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

/** Pages that are read at once on SQLite. */
const minConcurrency = 2;
/** Connections for key look-ups and health checks, which do not wait behind pages. */
const otherConnections = 2;
const busyMessage = "The service is busy. Try again.";

export function addChanges(app: FastifyInstance, options: EmailsOptions): void {
  // A page of changes takes longer than one of emails, which do not wait for it.
  const inTurn = limitFairly({
    concurrency: Math.max(minConcurrency, options.database.maxWriters - otherConnections),
    maxWaiting: Number.POSITIVE_INFINITY,
    fullMessage: busyMessage,
  });

  app.get(paths.api.changes, async (request, reply) => {
    const organization = await findReader(options, request);
    const { etag, meta, records } = await inTurn(
      { key: String(organization.id), isKnown: true, maxWaitMs: serverLimits.pageWaitMs },
      () => read(request, organization),
    );
    reply.headers(cachingHeaders(etag));
    if (records === undefined) return reply.code(304).send();
    const plain = Buffer.from(JSON.stringify({ emails: records, meta } satisfies ChangesBody));
    const { body, encoding } = await encodeBody(plain, encodingFor(request.headers["accept-encoding"]));
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    const links = [
      schemaLink(options.publicUrl()),
      ...(meta.has_more ? [nextLink(options.publicUrl(), meta)] : []),
    ];
    reply.headers({ link: links.join(", "), "x-per-page": String(meta.per_page) });
    return reply.type("application/json; charset=utf-8").send(body);
  });

  function read(request: FastifyRequest, caller: Organization): Promise<ChangesResponse> {
    return options.database.snapshotOf(caller.id, async (scope) => {
      const organization = await findOrganization(scope);
      if (!organization) throw new AppError("unauthorized");
      return makeResponse(scope, organization, request);
    });
  }
}

/** @throws AppError `bad_request` or `gone` if the position of the query is not valid */
async function makeResponse(
  scope: Scope,
  organization: Organization,
  { url, headers }: FastifyRequest,
): Promise<ChangesResponse> {
  const queryString = queryStringOf(url);
  const { perPage, from } = parseChangesQuery(queryString, organization);
  if ("cursor" in from) await checkHistory(scope, organization, from.cursor);
  // A client that names an instant has seen everything before it.
  const seen = "cursor" in from ? 0 : Math.min(Math.max(from.instant - 1, 0), organization.revision);
  const position = "cursor" in from ? from.cursor : await positionAt(scope, organization, seen);
  const page = await findChangesPage(scope, organization, position, perPage);
  const meta = {
    per_page: perPage,
    has_more: page.hasMore,
    cursor: encodeCursor(organization, page.position),
  };
  // The random ids tell apart what a restored backup replaced, even if a clock was wrong.
  const entries = page.changes.map(({ id, revisionId }) => [id, revisionId]);
  const etag = hashToEtag(JSON.stringify([queryString, organization.id, meta, entries]));
  if (matches(headers["if-none-match"], etag)) return { etag, meta, records: undefined };
  return { etag, meta, records: await readChangeRecords(scope, page.changes) };
}

function nextLink(publicUrl: string, { cursor, per_page }: ChangesResponse["meta"]): string {
  return `<${publicUrl}${paths.api.changes}?cursor=${cursor}&per_page=${per_page}>; rel="next"`;
}
