// Compares a response of the emails endpoint with the oracle: status, body byte for byte, and links to other pages.

import assert from "node:assert/strict";
import type { Response } from "../../support/world.ts";
import { expectedBody, findMatches, type KnownOrganization } from "./expected-page.ts";
import type { RandomQuery } from "./random-query.ts";

/** What a client saw when it sent the query before. */
export interface Seen {
  query: RandomQuery;
  etag: string;
  body: string;
}

/** Longer links are left out, so that they fit into a header. */
const maxQueryLength = 700;

/** @throws AssertionError if the response to an invalid query is not an error that names the parameter */
export function checkInvalid({ text, invalid }: RandomQuery, { status, body }: Response): void {
  assert.equal(status, 400, text);
  assert.deepEqual(Object.keys(body), ["error", "error_message"]);
  assert.equal(body.error, "bad_request");
  assert.ok(
    invalid.some((name) => body.error_message.includes(name)),
    `${text}: ${body.error_message}`,
  );
}

/** @param earlier its ETag was sent. A 304 means that the body is still the same. */
export function checkValid(
  organization: KnownOrganization,
  query: RandomQuery,
  now: number,
  { status, text, headers }: Response,
  earlier?: Seen,
): Seen {
  const matches = findMatches(organization, query.filters, now);
  const body = expectedBody(organization, matches, query);
  const what = `organization ${organization.id}, ${organization.timeZone}, ?${query.text}`;
  if (earlier && status === 304) assert.equal(earlier.body, body, `304: ${what}`);
  else {
    assert.equal(status, 200, `${what}: ${text}`);
    assert.equal(text, body, what);
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
    checkLinks(query, Math.ceil(matches.length / query.perPage), linksOf(headers));
  }
  return { query, etag: headers.get("etag") ?? "", body };
}

/** The links by relation (RFC 8288). */
export function linksOf(headers: Headers): Map<string, URL> {
  const links = (headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return new Map([...links].map(([, url = "", relation = ""]) => [relation, new URL(url)]));
}

/** The filters of the links are checked by following them. */
function checkLinks({ text, page, perPage }: RandomQuery, totalPages: number, links: Map<string, URL>): void {
  if (text.length > maxQueryLength) return;
  const expected = {
    first: 1,
    ...(page > 1 && totalPages > 0 && { prev: Math.min(page - 1, totalPages) }),
    ...(page < totalPages && { next: page + 1 }),
    ...(totalPages > 0 && { last: totalPages }),
  };
  const shown = [...links].map(([relation, { searchParams }]) => {
    assert.equal(searchParams.get("per_page"), String(perPage), text);
    return [relation, Number(searchParams.get("page"))];
  });
  assert.deepEqual(Object.fromEntries(shown), expected, text);
}
