// The files of tools that are no programs: the requests in them get what the tools need.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "js-yaml";
import { feedFieldNames } from "../../../src/campaign/feed/feed-fields.ts";
import { key, service, textOf } from "../../support/connectors.ts";
import { readCsvCells } from "../../support/feed-records.ts";
import { pick } from "../../support/pick.ts";

const authorization = `Bearer ${key}`;

/** @returns the cells of a CSV file, whose first row is the header */
async function requestCsv(url: string): Promise<(string | null)[][]> {
  const response = await fetch(url, { headers: { authorization, connection: "close" } });
  assert.equal(response.status, 200, url);
  return readCsvCells(new Uint8Array(await response.arrayBuffer()));
}

test("each panel of Grafana gets the columns that it names, in the selected time range", async () => {
  const { panels } = JSON.parse(textOf("grafana/dashboard.json")) as { panels: GrafanaPanel[] };
  assert.equal(panels.length, 5);
  const rowsOf = new Map<string, (string | null)[][]>();
  for (const { datasource, targets } of panels) {
    assert.deepEqual(datasource, { type: "yesoreyeram-infinity-datasource", uid: "email-analytics" });
    for (const { url, type, parser, columns } of targets) {
      assert.deepEqual([type, parser], ["csv", "backend"]);
      const filled = url
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
        .replace("${__from:date:iso}", "2025-01-01T00:00:00.000Z")
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
        .replace("${__to:date:iso}", "2025-12-31T23:59:59.999Z");
      const [header, ...rows] = rowsOf.get(filled) ?? (await requestCsv(filled));
      rowsOf.set(filled, [header ?? [], ...rows]);
      const found = columns.map(({ selector }) => selector).filter((selector) => !header?.includes(selector));
      assert.deepEqual(found, []);
      const seen = rows.map(([id]) => id);
      assert.deepEqual(seen, ["2"]);
    }
  }
});

test("the panels of Grafana with a rate leave out campaigns in which one of its counts is missing", () => {
  const { panels } = JSON.parse(textOf("grafana/dashboard.json")) as { panels: GrafanaPanel[] };
  const rates = panels.flatMap(({ transformations = [] }) => {
    const divided = transformations.find(({ options }) => options.binary?.operator === "/")?.options.binary;
    return divided ? [{ divided, first: transformations[0] }] : [];
  });
  assert.equal(rates.length, 3);
  for (const { divided, first } of rates) {
    const isNull = (fieldName: string) => ({ fieldName, config: { id: "isNull", options: {} } });
    const filters = [divided.left, divided.right].map(isNull);
    assert.deepEqual(first, { id: "filterByValue", options: { filters, type: "exclude", match: "any" } });
  }
});

interface GrafanaPanel {
  datasource: object;
  transformations?: {
    id: string;
    options: { binary?: { left: string; operator: string; right: string } };
  }[];
  targets: { url: string; type: string; parser: string; columns: { selector: string }[] }[];
}

test("the data source of Grafana allows the service and takes the key from the environment", () => {
  const { datasources } = load(textOf("grafana/datasource.yaml")) as {
    datasources: Record<string, unknown>[];
  };
  const [{ uid, jsonData, secureJsonData } = {}] = datasources;
  assert.deepEqual(
    { uid, jsonData, secureJsonData },
    {
      uid: "email-analytics",
      jsonData: { auth_method: "bearerToken", allowedHosts: [service.url] },
      secureJsonData: { bearerToken: "$EMAIL_ANALYTICS_KEY" },
    },
  );
});

test("the workflow of n8n downloads a period and connects its nodes", async () => {
  const { nodes, connections } = JSON.parse(textOf("n8n/workflow.json")) as {
    nodes: {
      name: string;
      parameters: { url?: string; queryParameters?: { parameters: { name: string }[] } };
    }[];
    connections: Record<string, { main: { node: string }[][] }>;
  };
  const [trigger, download, extract] = nodes;
  const found = [trigger, download].map((node) => connections[node?.name ?? ""]?.main[0]?.[0]?.node);
  assert.deepEqual(found, [download?.name, extract?.name]);
  const { url = "", queryParameters } = download?.parameters ?? {};
  const names = queryParameters?.parameters.map(({ name }) => name) ?? [];
  const rows = await requestCsv(`${url}?${names.map((name) => `${name}=2025-01-01`).join("&")}`);
  assert.deepEqual([names, rows.length], [["sent_after"], 2]);
});

test("Airbyte reads changes page by page, goes on from the last time, and knows every field", async () => {
  const manifest = load(textOf("airbyte/manifest.yaml")) as AirbyteManifest;
  const [stream] = manifest.streams;
  assert.ok(stream);
  const { properties } = stream.schema_loader.schema;
  assert.deepEqual(Object.keys(properties), [...feedFieldNames, "deleted"]);
  // Pages of one, so that there are several.
  stream.retriever.requester.request_parameters.per_page = "1";
  const first = await syncAirbyte(stream, stream.incremental_sync.start_datetime.datetime);
  assert.deepEqual(pick(first, "id"), [1, 2]);
  for (const name of Object.keys(first[0] ?? {})) assert.ok(properties[name], name);
  const cursor = String(first.at(-1)?.[stream.incremental_sync.cursor_field]);
  const again = await syncAirbyte(stream, `${cursor.slice(0, 19)}Z`);
  assert.deepEqual(
    pick(again, "id"),
    first.filter(({ updated_at }) => String(updated_at) >= cursor.slice(0, 19)).map(({ id }) => id),
  );
  assert.deepEqual(await syncAirbyte(stream, "2100-01-01T00:00:00Z"), []);
});

interface AirbyteStream {
  retriever: {
    requester: {
      url_base: string;
      path: string;
      authenticator: { api_token: string };
      request_parameters: Record<string, string>;
    };
    record_selector: { extractor: { field_path: string[] } };
    paginator: {
      page_token_option: { field_name: string };
      pagination_strategy: { cursor_value: string; stop_condition: string };
    };
  };
  incremental_sync: { cursor_field: string; start_datetime: { datetime: string } };
  schema_loader: { schema: { properties: Record<string, unknown> } };
}
interface AirbyteManifest {
  streams: AirbyteStream[];
}

/** Sends the requests of a stream as Airbyte's low-code CDK does, for the parts that the manifest uses. */
async function syncAirbyte({ retriever }: AirbyteStream, start: string): Promise<Record<string, unknown>[]> {
  const { requester, record_selector, paginator } = retriever;
  const { cursor_value, stop_condition } = paginator.pagination_strategy;
  const records: Record<string, unknown>[] = [];
  for (let token: unknown = null; ; ) {
    const known = {
      config: { api_key: key },
      stream_interval: { start_time: start },
      next_page_token: token,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(requester.request_parameters)) {
      const evaluated = interpolate(value, known);
      // Parameters without a value are left out.
      if (evaluated !== null) query.set(name, String(evaluated));
    }
    if (token !== null) query.set(paginator.page_token_option.field_name, String(token));
    const bearer = interpolate(requester.authenticator.api_token, known);
    const response = await fetch(`${requester.url_base}${requester.path}?${query}`, {
      headers: { authorization: `Bearer ${bearer}`, connection: "close" },
    });
    const body = (await response.json()) as Record<string, Record<string, unknown>[]>;
    assert.equal(response.status, 200, JSON.stringify(body));
    records.push(...(body[record_selector.extractor.field_path[0] ?? ""] ?? []));
    if (interpolate(stop_condition, { response: body })) return records;
    token = interpolate(cursor_value, { response: body });
  }
}

/** Evaluates `{{ a['b'] }}`, `{{ not a }}` and `{{ a if not b else None }}`, and returns any other text as it is. */
function interpolate(text: string, known: object): unknown {
  const [, expression] = /^\{\{ (.*) \}\}$/.exec(text) ?? [];
  if (expression === undefined) return text;
  const [, value, condition] = /^(.*) if (.*) else None$/.exec(expression) ?? [];
  if (value !== undefined && condition !== undefined) {
    return evaluate(condition, known) ? evaluate(value, known) : null;
  }
  return evaluate(expression, known);
}

function evaluate(expression: string, known: object): unknown {
  if (expression.startsWith("not ")) return !evaluate(expression.slice(4), known);
  return (expression.match(/\w+/g) ?? []).reduce<unknown>((value, name) => {
    assert.ok(typeof value === "object" && value !== null && name in value, expression);
    return (value as Record<string, unknown>)[name];
  }, known);
}
