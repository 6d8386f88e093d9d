// Fuzzed requests that read: pages, changes, downloads, CSV links, OData and the metric contract.

import { signNumbers } from "../../src/http/api/changes-cursor.ts";
import { paths } from "../../src/http/paths.ts";
import type { Random } from "../../test/support/histories.ts";
import { randomCondition } from "../odata/random-filter.ts";
import type { FuzzedOrganization } from "./fuzzed-organization.ts";
import { type Header, toRequest, type UnnumberedRequest } from "./fuzzed-request.ts";
import { changeToken, encodeOddly, oddText } from "./random-text.ts";

const parameters = [
  "page",
  "per_page",
  "sent_after",
  "sent_before",
  "tag_ids",
  "tag_ids[]",
  "tag_ids[0]",
  "PAGE",
  "x",
];
const usualValues = [
  "1",
  "2",
  "10",
  "100",
  "1,2,3",
  "2026-01-05",
  "2026-01-05T09:00:00Z",
  "2026-01-05T09:00:00%2B02:00",
];
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY"];

export function queryString(random: Random, names = parameters, values = usualValues): string {
  const pairs = Array.from({ length: random.between(0, random.chance(2) ? 500 : 4) }, () => {
    const name = random.chance(90) ? random.pick(names) : encodeOddly(random, oddText(random));
    const value = random.chance(50) ? random.pick(values) : encodeOddly(random, oddText(random));
    return random.chance(95) ? `${name}=${value}` : name;
  });
  return pairs.length === 0 ? "" : `?${pairs.join(random.chance(95) ? "&" : ";")}`;
}

/** The right key of the scope, mostly. @param wrong of another scope */
export function credential(random: Random, right: string, wrong: string): Header[] {
  const way = random.between(1, 30);
  if (way === 1) return [];
  if (way === 2) return [["authorization", `Bearer ${wrong}`]];
  if (way === 3) return [["authorization", `Bearer ${changeToken(random, right)}`]];
  if (way === 4) return [["bearer_auth", right]];
  if (way === 5) return [["authorization", `Basic ${Buffer.from(`x:${right}`).toString("base64")}`]];
  return [["authorization", `Bearer ${right}`]];
}

type Request = (random: Random, organization: FuzzedOrganization) => UnnumberedRequest;

export const emailsRequest: Request = (random, organization) =>
  readRequest(random, organization, { path: paths.api.emails, query: queryString(random) });

export const changesRequest: Request = (random, organization) => {
  const way = random.between(1, 10);
  const cursor =
    way <= 6
      ? organization.cursor
      : way === 7
        ? changeToken(random, organization.cursor)
        : changeNumbers(random, organization);
  // Most parameters of pages are refused.
  const names = random.chance(80) ? ["cursor", "updated_after", "per_page"] : parameters;
  const query = queryString(random, names, [...usualValues, cursor]);
  const usual = random.chance(50) ? `?cursor=${cursor}&per_page=${random.between(1, 3)}` : query;
  return readRequest(random, organization, { path: paths.api.changes, query: usual });
};

const oddNumbers = ["", "0", "1", "-1", "1.5", "!", "NaN", "zzzzzzzzzzz", "z".repeat(300)];

/** A cursor with other numbers under a valid signature, so that they reach the parser. */
function changeNumbers(random: Random, { cursor, secret }: FuzzedOrganization): string {
  const numbers = cursor.split(".").slice(1, -1);
  for (let times = random.between(0, 2); times > 0; times--) {
    const at = random.between(0, numbers.length - 1);
    numbers.splice(at, random.between(0, 1), random.pick(oddNumbers));
  }
  return encodeURIComponent(signNumbers(numbers.slice(0, random.between(5, 12)), secret));
}

export const metricContractRequest: Request = (random, organization) =>
  readRequest(random, organization, { path: paths.api.metricContract, query: queryString(random) });

export const downloadRequest: Request = (random, organization) => {
  if (random.chance(30)) return linkRequest(random, organization);
  const path = paths.api[random.pick(["csv", "ndjson", "parquet"] as const)];
  const query = random.chance(30) ? "" : queryString(random);
  return readRequest(random, organization, { path, query, kind: "download" });
};

const linkRequest: Request = (random, { csvLink }) => {
  const link = random.chance(20) ? csvLink : changeToken(random, csvLink);
  return toRequest(random, {
    interface: "download",
    method: random.chance(90) ? "GET" : random.pick(methods),
    target: `${paths.api.csvLinks}${link}.csv${random.chance(80) ? "" : queryString(random)}`,
  });
};

const odataResources = [
  ...[
    "",
    "/",
    "/$metadata",
    "/emails",
    "/emails(1)",
    "/emails/$count",
    "/tags",
    "/email_tags",
    "/email_links",
  ],
  ...["/email_hours", "/emails(1)/subject", "/$batch", "/x", "/a/b/c"],
];
const odataOptions = [
  ...[
    "$select",
    "$filter",
    "$filter",
    "$filter",
    "$orderby",
    "$top",
    "$skip",
    "$count",
    "$skiptoken",
    "$format",
  ],
  ...["$expand", "$search", "$apply", "$Filter", "filter", "@p", "x"],
];
const odataValues = [
  ...[
    "0",
    "1",
    "10",
    "true",
    "json",
    "id",
    "id,subject",
    "*",
    "id desc",
    "sent_at,id",
    "email_id",
    "updated_at",
  ],
  ...["id eq 1", "tags/any(t:t/name eq 'x')", "length(subject) eq 1", "WzEsIngiXQ.x"],
];

export const odataRequest: Request = (random, { read, ingest }) => {
  const { text } = randomCondition({ random, rows: [] });
  const filters = [text, text, changeToken(random, text)].map((each) => encodeOddly(random, each));
  const end = random.chance(10) ? `/${encodeOddly(random, oddText(random))}` : "";
  const headers = credential(random, read, ingest);
  if (random.chance(10)) headers.push(["prefer", `odata.maxpagesize=${random.between(0, 3)}`]);
  if (random.chance(5)) headers.push(["odata-maxversion", random.pick(["4.0", "3.0", "x"])]);
  return toRequest(random, {
    interface: "odata",
    method: random.chance(96) ? "GET" : random.pick(methods),
    target: `${paths.odata.root}${random.pick(odataResources)}${end}${queryString(random, odataOptions, [...odataValues, ...filters])}`,
    headers,
  });
};

function readRequest(
  random: Random,
  { read, ingest }: FuzzedOrganization,
  { path, query, kind = "program" }: { path: string; query: string; kind?: "program" | "download" },
): UnnumberedRequest {
  const method = random.chance(96) ? "GET" : random.pick(methods);
  const headers = credential(random, read, ingest);
  if (random.chance(10))
    headers.push(["accept-encoding", random.pick(["gzip", "br", "gzip, br", "identity"])]);
  const request = { interface: kind, method, target: path + query, headers };
  const isRead = method === "GET" || method === "HEAD";
  return toRequest(random, { ...request, ...(isRead && { documentedPath: path }) });
}
