// The files for Power BI and Excel: Microsoft's parser reads their M, and the requests that it leads to are answered.

import assert from "node:assert/strict";
import test from "node:test";
import { DefaultSettings, TaskUtils } from "@microsoft/powerquery-parser";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { feedFieldNames } from "../../../src/campaign/feed/feed-fields.ts";
import { fillInAddress } from "../../../src/http/connect/connector-text.ts";
import { tools } from "../../../src/http/connect/tools.ts";
import { key, service, textOf } from "../../support/connectors.ts";
import { askOData } from "../../support/odata.ts";

/** As Power Query sends them first, and with a user name of its user's choice. */
const headers = {
  accept:
    "application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7",
  "odata-maxversion": "4.0",
  maxdataserviceversion: "3.0",
  "user-agent": "Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)",
};
const request = (path: string) => askOData({ url: service.url, key, headers }, path);
const feed = `OData.Feed("${service.url}/odata/v1/", null, [Implementation = "2.0"])`;

async function assertParses(text: string): Promise<void> {
  const task = await TaskUtils.tryLexParse(DefaultSettings, text);
  assert.ok(TaskUtils.isParseStageOk(task), text);
}

test("the file of Power BI Desktop names the service, which lists its tables", async () => {
  assert.deepEqual(JSON.parse(textOf("power-bi/email-analytics.pbids")), {
    version: "0.1",
    connections: [
      {
        details: { protocol: "odata", address: { url: `${service.url}/odata/v1/` } },
        options: {},
        mode: "Import",
      },
    ],
  });
  const { status, body } = await request("/");
  const expected = [200, ["emails", "tags", "email_tags", "email_links", "email_hours", "email_groups"]];
  assert.deepEqual([status, body.value.map(({ name }) => name)], expected);
  assert.equal((await request("/$metadata")).status, 200);
});

test("the query for incremental refresh parses, and its filters load each partition once", async () => {
  const text = textOf("power-bi/incremental-refresh.pq");
  await assertParses(text);
  assert.ok(text.includes(feed));
  const columns = feedFieldNames.filter((name) => name !== "tags").join(",");
  const load = async (start: number) => {
    const time = (year: number) => encodeURIComponent(`${year}-01-01T00:00:00+00:00`);
    const filter = `sent_at ge ${time(start)} and sent_at lt ${time(start + 1)}`;
    const { status, body, text } = await request(`/emails?$filter=${filter}&$select=${columns}&$top=1000`);
    assert.equal(status, 200, text);
    return body.value.map(({ id }) => id);
  };
  assert.deepEqual([await load(2023), await load(2024), await load(2025)], [[], [1], [2]]);
});

test("the query for CSV with types parses", () => assertParses(textOf("power-bi/csv-types.pq")));

test("the file of Excel contains a query that parses", async () => {
  const elements: [name: string, text: string][] = [];
  const visit = (node: DefaultTreeAdapterTypes.ChildNode) => {
    if (!("childNodes" in node)) return;
    const text = node.childNodes.map((child) => ("value" in child ? child.value : "")).join("");
    elements.push([node.nodeName, text]);
    for (const child of node.childNodes) visit(child);
  };
  for (const child of parse(textOf("excel/emails.odc")).childNodes) visit(child);
  const textOfElement = new Map(elements);
  assert.equal(textOfElement.get("odc:commandtext"), "SELECT * FROM [emails]");
  const [, name, query = ""] =
    /<Query Name="(\w+)"><Formula><!\[CDATA\[([\s\S]*)\]\]><\/Formula>/.exec(
      textOfElement.get("odc:powerquerymashupdata") ?? "",
    ) ?? [];
  assert.equal(name, "emails");
  assert.ok(query.includes(feed));
  await assertParses(query);
});

test("the URL in the steps for Tableau returns campaigns", async () => {
  const steps =
    tools
      .find(({ id }) => id === "tableau")
      ?.steps.map(({ text }) => text)
      .join(" ") ?? "";
  const [url = ""] = /http\S*emails/.exec(fillInAddress(steps, service.url)) ?? [];
  const { status, body } = await request(url.slice(`${service.url}/odata/v1`.length));
  assert.deepEqual([status, body.value.length], [200, 2]);
});
