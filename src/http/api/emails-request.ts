// A parsed request for email records: its query, the encoding of its response and its cache key.

import type { FastifyRequest } from "fastify";
import type { Organization } from "../../storage/organizations.ts";
import { queryStringOf } from "../request-url.ts";
import { type ContentEncoding, encodingFor } from "./content-encoding.ts";
import { type EmailsQuery, parseEmailsQuery } from "./emails-query.ts";

export interface EmailsRequest {
  /** As it was when the key was found. */
  organization: Organization;
  query: EmailsQuery;
  encoding: ContentEncoding;
  ifNoneMatch: string | undefined;
  /** Equal for requests with the same organization, query and encoding. */
  cacheKey: string;
}

/** @throws AppError `bad_request` if a parameter is not valid */
export function parseEmailsRequest(request: FastifyRequest, organization: Organization): EmailsRequest {
  const { url, headers } = request;
  const query = parseEmailsQuery(queryStringOf(url), organization.timeZone);
  const encoding = encodingFor(headers["accept-encoding"]);
  const filters = query.filters.length > 0 ? JSON.stringify(query.filters) : "";
  const cacheKey = `${organization.id} ${encoding} ${query.page} ${query.perPage} ${filters}`;
  return { organization, query, encoding, cacheKey, ifNoneMatch: headers["if-none-match"] };
}
