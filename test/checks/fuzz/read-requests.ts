// Fuzzed requests that read: the paths and parameters of the OpenAPI document, and OData.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { paths } from "../../../src/paths.ts";
import type { Random } from "../../support/histories.ts";
import { randomCondition } from "../../support/random-filter.ts";
import type { FuzzedOrganization } from "./fuzzed-organization.ts";
import { credential, type MakeRequest, methods } from "./fuzzed-request.ts";
import { changeToken, encodeOddly, oddSegment } from "./random-text.ts";

interface Documented {
  content?: Record<string, { schema: { $ref: string } }>;
}

interface OpenApiDocument {
  paths: Record<
    string,
    {
      get: {
        parameters?: { name: string; in: "query" | "path"; example?: unknown }[];
        responses: Record<string, Documented & { $ref?: string }>;
      };
    }
  >;
  components: { responses: Record<string, Documented> };
}

export const openApi: OpenApiDocument = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../..", "docs/openapi.json"), "utf8"),
);

const usualValues = "1 2 10 100 1,2,3 2026-01-05 2026-01-05T09:00:00Z 2026-01-05T09:00:00%2B02:00".split(" ");

export function queryString(random: Random, names: readonly string[], values = usualValues): string {
  const pairs = Array.from({ length: random.between(0, random.chance(2) ? 500 : 4) }, () => {
    const name = random.chance(90) && names.length > 0 ? random.pick(names) : oddSegment(random);
    const value = random.chance(50) ? random.pick(values) : oddSegment(random);
    return random.chance(95) ? `${name}=${value}` : name;
  });
  return pairs.length === 0 ? "" : `?${pairs.join(random.chance(95) ? "&" : ";")}`;
}

const oddNumbers = ["", "0", "1", "-1", "1.5", "!", "NaN", "zzzzzzzzzzz", "z".repeat(300)];

/** A cursor with other numbers. */
function changeNumbers(random: Random, { cursor }: FuzzedOrganization): string {
  const numbers = cursor.split(".");
  for (let times = random.between(0, 2); times > 0; times--) {
    const at = random.between(0, numbers.length - 1);
    numbers.splice(at, random.between(0, 1), random.pick(oddNumbers));
  }
  return encodeURIComponent(numbers.join("."));
}

/** Any path of the document, with its parameters and those of others. */
export const documentedRequest: MakeRequest = (random, organization) => {
  const { read, ingest, csvLink, cursor } = organization;
  const documentedPath = random.pick(Object.keys(openApi.paths));
  const parameters = openApi.paths[documentedPath]?.get.parameters ?? [];
  const names = parameters.filter((each) => each.in === "query").map(({ name }) => name);
  const cursors = names.includes("cursor")
    ? [cursor, cursor, changeToken(random, cursor), changeNumbers(random, organization)]
    : [];
  // Most parameters of other paths are refused.
  const allNames = random.chance(80)
    ? names
    : [...names, "tag_ids[]", "tag_ids[0]", "PAGE", "page", "cursor"];
  const query = queryString(random, allNames, [...usualValues, ...cursors]);
  const usual = cursors.length > 0 && random.chance(50);
  const key = random.chance(20) ? csvLink : changeToken(random, csvLink);
  const method = random.chance(96) ? "GET" : random.pick(methods);
  const headers = credential(random, read, ingest);
  if (random.chance(10))
    headers.push(["accept-encoding", random.pick(["gzip", "br", "gzip, br", "identity"])]);
  const path = documentedPath.replace("{key}", key);
  // Another key may lead to another path.
  const isDocumented = path === documentedPath && (method === "GET" || method === "HEAD");
  return {
    interface: /\.(csv|ndjson|parquet|xlsx)$/.test(documentedPath) ? "download" : "program",
    ...(isDocumented && { documentedPath }),
    method,
    target: path + (usual ? `?cursor=${random.pick(cursors)}&per_page=${random.between(1, 3)}` : query),
    headers,
  };
};

const odataResources = [
  ...["", "/", "/$metadata", "/emails", "/emails(1)", "/emails/$count", "/tags", "/email_tags"],
  ...["/email_links", "/email_hours", "/email_groups", "/emails(1)/subject", "/$batch", "/x", "/a/b/c"],
];
const odataOptions = [
  ..."$select $filter $filter $filter $orderby $top $skip $count $skiptoken $format".split(" "),
  ..."$expand $search $apply $Filter filter @p x".split(" "),
];
const odataValues = [
  ...["0", "1", "10", "true", "json", "id", "id,subject", "*", "id desc", "sent_at,id", "email_id"],
  ...["updated_at", "id eq 1", "tags/any(t:t/name eq 'x')", "length(subject) eq 1", "WzEsIngiXQ.x"],
];

export const odataRequest: MakeRequest = (random, { read, ingest }) => {
  const { text } = randomCondition({ random, rows: [] });
  const values = [...odataValues, text, text, changeToken(random, text)];
  const query = queryString(
    random,
    odataOptions,
    values.map((each) => encodeOddly(random, each)),
  );
  const end = random.chance(10) ? `/${oddSegment(random)}` : "";
  const headers = credential(random, read, ingest);
  if (random.chance(10)) headers.push(["prefer", `odata.maxpagesize=${random.between(0, 3)}`]);
  if (random.chance(5)) headers.push(["odata-maxversion", random.pick(["4.0", "3.0", "x"])]);
  const method = random.chance(96) ? "GET" : random.pick(methods);
  return {
    interface: "odata",
    method,
    target: paths.odata.root + random.pick(odataResources) + end + query,
    headers,
  };
};
