// The files of tools that are no programs: the requests in them get what the tools need.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "js-yaml";
import { feedFieldNames } from "../../../src/campaign/feed/feed-fields.ts";
import { key, service, textOf } from "../../support/connectors.ts";
import { readCsvCells } from "../../support/feed-records.ts";

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

test("the manifest of Airbyte names the service, and knows every field", () => {
  const { streams } = load(textOf("airbyte/manifest.yaml")) as AirbyteManifest;
  assert.equal(streams[0]?.retriever.requester.url_base, service.url);
  const { properties } = streams[0]?.schema_loader.schema ?? {};
  assert.deepEqual(Object.keys(properties ?? {}), [...feedFieldNames, "deleted"]);
});

interface AirbyteManifest {
  streams: {
    retriever: { requester: { url_base: string } };
    schema_loader: { schema: { properties: Record<string, unknown> } };
  }[];
}
