// OData: documents, tables, options, pages and headers, as tools send and expect them.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { parse } from "@sap-ux/edmx-parser";
import { ODataQuery } from "ts-odata-client";
import { type FeedRow, feedTableNames } from "../../../src/campaign/feed/feed-tables.ts";
import { addAttributesTo, releaseGroups, saveList } from "../../support/audience.ts";
import { downloadRecords } from "../../support/downloads.ts";
import { click, open } from "../../support/events.ts";
import { askOData, readPages, readRows } from "../../support/odata.ts";
import { pick } from "../../support/pick.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeWorld, present, serve } from "../../support/world.ts";

const world = await makeWorld({ after });
const service = await serve({ after }, world);
const { organization, key, ingestKey } = await world.addOrganization({ timeZone: "Asia/Kolkata" });
const source = { url: service.url, key };
const root = "https://analytics.example.com/odata/v1";

// Campaigns of equal times, with and without tags, one that is not sent yet, one that is counted.
await world.save(organization, [
  ...Array.from({ length: 30 }, (_, index) =>
    campaign({
      id: index + 1,
      subject: `It's no. ${index + 1}`,
      sentAt: Date.UTC(2026, 0, 1, 18, 15) - (index >> 1) * 86_400_000,
      tags: ["HR", "News"].slice(0, index % 3),
      team: index % 4 ? "Team" : null,
    }),
  ),
  campaign({ id: 999, sentAt: present + 3_600_000, tags: ["HR"] }),
]);
await world.register(organization, 500);
await world.ingest(organization, [
  open(1, { campaign_id: 500 }),
  click(2, { campaign_id: 500 }),
  click(3, { campaign_id: 500, url: "https://example.com/b?x=1" }),
]);
await addAttributesTo(world, organization, ["Department"]);
await saveList(world, organization, 500, [{ count: 12, values: { Department: "Sales" } }]);
await releaseGroups(world);
const records = await downloadRecords({ url: service.url, key }, "ndjson");

sqliteTest("describes itself with a service document and metadata that name every table", async () => {
  for (const path of ["", "/"]) {
    const { status, headers, text } = await askOData(source, path);
    assert.equal(status, 200);
    assert.equal(
      headers.get("content-type"),
      "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8",
    );
    assert.deepEqual(JSON.parse(text), {
      "@odata.context": `${root}/$metadata`,
      value: feedTableNames.map((name) => ({ name, kind: "EntitySet", url: name })),
    });
  }
  const metadata = await askOData(source, "/$metadata");
  assert.equal(metadata.headers.get("content-type"), "application/xml");
  const names = [...metadata.text.matchAll(/<EntitySet Name="(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, feedTableNames);
  const etag = metadata.headers.get("etag") ?? "";
  const again = await askOData({ ...source, headers: { "if-none-match": etag } }, "/$metadata");
  assert.deepEqual([again.status, again.text], [304, ""]);
});

/** The parts of parsed metadata that the test reads. */
interface ParsedSchema {
  entitySets: { name: string; entityTypeName: string }[];
  entityTypes: {
    fullyQualifiedName: string;
    keys: { name: string }[];
    entityProperties: { name: string; type: string; nullable: boolean }[];
  }[];
}

sqliteTest("returns rows as an independent parser finds them in the metadata", async () => {
  const { schema }: { schema: ParsedSchema } = parse((await askOData(source, "/$metadata")).text);
  assert.deepEqual(pick(schema.entitySets, "name"), feedTableNames);
  for (const { name, entityTypeName } of schema.entitySets) {
    const type = schema.entityTypes.find(({ fullyQualifiedName }) => fullyQualifiedName === entityTypeName);
    const { keys = [], entityProperties = [] } = type ?? assert.fail(name);
    const rows = await readRows(source, `/${name}`);
    assert.ok(rows.length > 0, name);
    const keyOf = (row: FeedRow) => JSON.stringify(keys.map((key) => row[key.name]));
    assert.equal(new Set(rows.map(keyOf)).size, rows.length, name);
    for (const row of rows) {
      const expected = entityProperties.map((property) => property.name);
      assert.deepEqual(Object.keys(row), expected);
      for (const property of entityProperties) {
        const value = row[property.name];
        const isValid = value === null ? property.nullable === true : isOfType[property.type]?.(value);
        assert.ok(isValid, `${name}.${property.name}: ${JSON.stringify(value)}`);
      }
    }
  }
});

interface EmailRow {
  id: number;
  subject: string;
}

sqliteTest("answers the filters, orders, counts and pages of an independent client", async (t) => {
  let url = "";
  const own = await serve(t, world, { publicUrl: () => url });
  url = own.url;
  const requestInit = () => ({ headers: { authorization: `Bearer ${key}`, prefer: "odata.maxpagesize=7" } });
  const emails = ODataQuery.forV4<EmailRow>(`${url}/odata/v1/emails`, { requestInit });
  const found = await emails
    .filter((row) => row.subject.$contains("no. 1").and(row.id.$greaterThan(12)))
    .orderBy((row) => row.id)
    .getManyWithCountAsync();
  const matching = records.filter(({ id, subject }) => subject.includes("no. 1") && id > 12);
  const expected = matching.map(({ id }) => id).toSorted((one, other) => one - other);
  assert.deepEqual(pick(found.value, "id"), expected);
  assert.equal(found["@odata.count"], matching.length);
  const ids: number[] = [];
  // Follows the links to the next pages.
  for await (const { id } of emails.orderBy((row) => row.id)) ids.push(id);
  const wanted = records.map(({ id }) => id).toSorted((one, other) => one - other);
  assert.deepEqual(ids, wanted);
  assert.equal((await emails.getAsync(500)).subject, "Campaign 500");
  const twelve = await emails.skip(2).top(12).getManyAsync();
  const seen = pick(twelve.value, "id");
  assert.deepEqual(
    seen,
    records.slice(2, 14).map(({ id }) => id),
  );
});

sqliteTest("uses only terms of the first vocabularies, no navigation, and no concurrency", async () => {
  const { text } = await askOData(source, "/$metadata");
  const terms = new Set(
    [...text.matchAll(/ Term="Org\.OData\.(\w+)\.V1\.(\w+)"/g)].map(([, , name]) => name),
  );
  assert.deepEqual([...terms].sort(), [
    ...["BatchSupported", "ConformanceLevel", "CountRestrictions", "DeleteRestrictions", "Description"],
    ...["ExpandRestrictions", "FilterFunctions", "InsertRestrictions", "SearchRestrictions", "SkipSupported"],
    ...["SortRestrictions", "TopSupported", "UpdateRestrictions"],
  ]);
  const members = [...text.matchAll(/<EnumMember>(.*?)<\/EnumMember>/g)].map(([, member]) => member);
  assert.deepEqual(members, ["Org.OData.Capabilities.V1.ConformanceLevelType/Minimal"]);
  assert.doesNotMatch(text, /NavigationProperty|AsynchronousRequestsSupported/);
});

/** Whether a value has a type of the standard (CSDL 4.0, 4.4; JSON Format 4.0, 7.1). */
const isOfType: Record<string, (value: unknown) => boolean> = {
  "Edm.Int64": Number.isSafeInteger,
  "Edm.Double": (value) => typeof value === "number",
  "Edm.String": (value) => typeof value === "string",
  "Edm.DateTimeOffset": (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  "Edm.Date": (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  "Collection(EmailAnalytics.Tag)": (value) =>
    Array.isArray(value) &&
    value.every((tag) => Object.values(tag).every((text) => typeof text === "string")),
};

test("returns the records of the NDJSON download, in one answer and in pages", async () => {
  const [whole, ...others] = await readPages(source, "/emails");
  assert.deepEqual([whole, others], [{ "@odata.context": `${root}/$metadata#emails`, value: records }, []]);
  const pages = await readPages(
    { ...source, headers: { prefer: "return=minimal, odata.maxpagesize=12" } },
    "/emails?$count=true",
  );
  const found = pages.map(({ value }) => value.length);
  assert.deepEqual(found, [12, 12, 7]);
  const seen = pages.flatMap(({ value }) => value);
  assert.deepEqual(seen, records);
  const left = pages.map((page) => page["@odata.count"]);
  assert.deepEqual(left, [31, 31, 31]);
});

sqliteTest("has no link to another page on the last page, and none with $top", async () => {
  for (const [size, path] of [
    [31, "/emails"],
    [32, "/emails"],
    [1, "/emails?$filter=id eq 7"],
    [5, "/emails?$top=10"],
    [5, "/tags"],
  ] as const) {
    const { body, headers } = await askOData(
      { ...source, headers: { prefer: `odata.maxpagesize=${size}` } },
      path,
    );
    assert.equal(body["@odata.nextLink"], undefined, path);
    const applied = path.includes("$top") ? null : `odata.maxpagesize=${size}`;
    assert.equal(headers.get("preference-applied"), applied);
  }
});

test("returns the pages of any order and filter without a gap or a repetition, and keeps the page size in the link", async () => {
  for (const query of [
    "$orderby=id",
    "$orderby=id desc&$filter=id gt 3",
    "$orderby=updated_at",
    "$orderby=sent_at",
    "$orderby=sent_at,id desc&$skip=4",
    "$orderby=enps_score_average desc,subject",
    "$orderby=recipients,open_rate desc&$filter=id gt 3",
  ]) {
    const whole = await readRows(source, `/emails?${query}`);
    const first = await askOData(
      { ...source, headers: { prefer: "odata.maxpagesize=4" } },
      `/emails?${query}`,
    );
    const link = first.body["@odata.nextLink"] ?? "";
    assert.ok(link.startsWith(`${root}/emails?`), link);
    // Not every client sends the preference again.
    const pages = await readPages(source, link.slice(root.length));
    const rows = [...first.body.value, ...pages.flatMap(({ value }) => value)];
    assert.deepEqual(rows, whole, query);
    assert.equal(pages[0]?.value.length, 4);
  }
  const tags = await readRows({ ...source, headers: { prefer: "odata.maxpagesize=3" } }, "/email_tags");
  assert.deepEqual(tags, await readRows(source, "/email_tags"));
});

test("goes on by position when the data changes between two pages", async () => {
  const other = await world.addOrganization();
  const from = { url: service.url, key: other.key, headers: { prefer: "odata.maxpagesize=2" } };
  const campaigns = [1, 2, 3].map((id) => campaign({ id, sentAt: present - id * 1000 }));
  await world.save(other.organization, campaigns);
  const { body } = await askOData(from, "/emails?$select=id");
  await world.save(other.organization, [campaign({ id: 4, sentAt: present })]);
  const link = body["@odata.nextLink"] ?? "";
  assert.deepEqual(await readRows(from, link.slice(root.length)), [{ id: 3 }]);
});

sqliteTest("selects, counts, skips and limits", async () => {
  const { body } = await askOData(source, "/emails?$select=subject,open_rate&$top=2&$skip=1&$count=true");
  assert.deepEqual(body, {
    "@odata.context": `${root}/$metadata#emails(id,subject,open_rate)`,
    "@odata.count": 31,
    value: records.slice(1, 3).map(({ id, subject, open_rate }) => ({ id, subject, open_rate })),
  });
  assert.deepEqual((await askOData(source, "/emails?$select=*&$top=1")).body.value, records.slice(0, 1));
  assert.deepEqual((await askOData(source, "/emails?$top=0&$count=true")).body["@odata.count"], 31);
  assert.equal((await askOData(source, "/emails?$top=0")).text.endsWith('"value":[]}'), true);
  assert.deepEqual(await readRows(source, "/emails?$skip=100"), []);
  // The query editor of Power BI.
  assert.equal((await readRows(source, "/emails?$top=1000")).length, 31);
  const count = await askOData({ ...source, headers: { accept: "text/plain" } }, "/emails/$count");
  assert.deepEqual([count.headers.get("content-type"), count.text], ["text/plain;charset=utf-8", "31"]);
  assert.equal((await askOData(source, "/emails/$count?$filter=id le 10")).text, "10");
  const { headers } = await askOData(source, "/emails?$top=1&team=x");
  assert.equal(headers.get("ignored-parameters"), "team");
});

sqliteTest("writes integers of 64 bits as text for clients that ask for it", async () => {
  const compatible = "application/json;odata.metadata=minimal;IEEE754Compatible=true";
  const [record] = records.filter(({ id }) => id === 7);
  const query = "/emails?$filter=id eq 7&$select=total_opens,open_rate&$count=true";
  const texts = { id: "7", open_rate: record?.open_rate, total_opens: String(record?.total_opens) };
  for (const accept of [compatible, "application/json; ieee754compatible=TRUE, */*;q=0.1"]) {
    const { body, headers } = await askOData({ ...source, headers: { accept } }, query);
    assert.deepEqual([body["@odata.count"], body.value], ["1", [texts]]);
    assert.match(headers.get("content-type") ?? "", /;IEEE754Compatible=true;/);
  }
  assert.deepEqual((await askOData(source, `${query}&$format=${compatible}`)).body.value, [texts]);
  const whole = await askOData({ ...source, headers: { accept: compatible } }, "/emails(7)");
  const types = typesOf((await askOData(source, "/$metadata")).text);
  for (const [name, value] of Object.entries(whole.body as unknown as FeedRow)) {
    if (value === null || name === "@odata.context") continue;
    const isText = types[name] === "Edm.Int64" || typeof record?.[name as keyof typeof record] === "string";
    assert.equal(typeof value === "string", isText, name);
  }
  // $format goes before the header, and a weight of 0 refuses.
  for (const [accept, format] of [
    [compatible, "&$format=json"],
    [`${compatible};q=0, application/json`, ""],
    ["application/json;IEEE754Compatible=false", ""],
  ] as const) {
    const { body } = await askOData({ ...source, headers: { accept } }, `${query}${format}`);
    assert.deepEqual(body["@odata.count"], 1, accept);
  }
});

/** The types of properties by their names, of the first table that has them. */
const typesOf = (metadata: string) =>
  Object.fromEntries(
    [...metadata.matchAll(/<Property Name="(\w+)" Type="([\w.]+)"/g)]
      .map(([, name, type]) => [name, type])
      .reverse(),
  );

test("returns one row by its key", async () => {
  const { body } = await askOData(source, "/emails(7)");
  const { "@odata.context": context, ...record } = body as unknown as Record<string, unknown>;
  assert.equal(context, `${root}/$metadata#emails/$entity`);
  const seventh = records.find(({ id }) => id === 7);
  assert.deepEqual(record, seventh);
  assert.deepEqual((await askOData(source, "/emails(id=7)?$select=id")).body as unknown, {
    "@odata.context": `${root}/$metadata#emails(id)/$entity`,
    id: 7,
  });
  assert.equal((await askOData(source, "/emails(31)")).status, 404);
  // Not sent yet.
  assert.equal((await askOData(source, "/emails(999)")).status, 404);
});

sqliteTest("filters by time with the offset of the client, however its + is written", async () => {
  const at = "2026-01-01T23:45:00";
  for (const offset of ["%2B05:30", "%2b05%3A30", "+05:30", "%2005:30"]) {
    const rows = await readRows(source, `/emails?$select=id&$filter=sent_at%20eq%20${at}${offset}`);
    assert.deepEqual(rows, [{ id: 2 }, { id: 1 }], offset);
  }
  const range = "sent_at ge 2025-12-30t00:00:00z and sent_at lt 2026-01-01T00:00:00Z";
  assert.deepEqual(await readRows(source, `/emails?$select=id&$filter=${range}`), [
    { id: 4 },
    { id: 3 },
    { id: 6 },
    { id: 5 },
  ]);
});

sqliteTest("filters by tag, text, null and date, and is empty when nothing matches", async () => {
  const idsOf = (isMatch: (record: (typeof records)[number]) => boolean) =>
    records.filter(isMatch).map(({ id }) => id);
  for (const [filter, ids] of [
    ["tags/any(t:t/name eq 'News')", idsOf(({ tags }) => tags.some(({ name }) => name === "News"))],
    ["not tags/any()", idsOf(({ tags }) => tags.length === 0)],
    ["tags/any(t:t/name eq 'none')", []],
    ["subject eq 'It''s no. 3'", [3]],
    ["organization_team eq null", idsOf(({ organization_team }) => organization_team === null)],
    ["sent_on eq 2026-01-01", [2, 1]],
    ["hour(sent_at) eq 18 and year(sent_on) eq 2026", [2, 1]],
    ["id in (3, 1, 500)", [500, 1, 3]],
  ] as const) {
    const rows = await readRows(source, `/emails?$select=id&$filter=${filter}`);
    assert.deepEqual(pick(rows, "id"), ids, filter);
  }
  const empty = await askOData(source, "/emails?$filter=sent_at gt 2030-01-01T00:00:00Z&$count=true");
  assert.deepEqual(empty.body, {
    "@odata.context": `${root}/$metadata#emails`,
    "@odata.count": 0,
    value: [],
  });
});

test("returns tags, links and hours as tables of their own, without campaigns that are not sent yet", async () => {
  const tags = await readRows(source, "/tags");
  assert.deepEqual(pick(tags, "name"), ["HR", "News"]);
  const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id;
  const expected = records
    .flatMap(({ id, tags: own }) => own.map(({ name }) => ({ email_id: id, tag_id: idOf(name) })))
    .sort((a, b) => a.email_id - b.email_id || Number(a.tag_id) - Number(b.tag_id));
  assert.deepEqual(await readRows(source, "/email_tags"), expected);
  const wanted = expected.filter(({ email_id }) => email_id === 3);
  assert.deepEqual(await readRows(source, "/email_tags?$filter=email_id eq 3"), wanted);
  assert.deepEqual(await readRows(source, "/email_links"), [
    { email_id: 500, url: "https://example.com/a", human_clicks: 1, automated_clicks: 0 },
    { email_id: 500, url: "https://example.com/b", human_clicks: 1, automated_clicks: 0 },
  ]);
  // An hour of the organization's clocks, which are half an hour from those of UTC.
  assert.deepEqual(await readRows(source, "/email_hours"), [
    {
      ...{ email_id: 500, hour: "2026-06-15T11:30:00.000Z" },
      ...{ human_opens: 1, automated_opens: 0, human_clicks: 2, automated_clicks: 0 },
    },
  ]);
});

sqliteTest("answers what Power Query and Excel are known to send", async () => {
  const first = {
    accept:
      "application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7",
    "odata-maxversion": "4.0",
    maxdataserviceversion: "3.0",
    "accept-encoding": "gzip, deflate",
    "user-agent": "Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)",
  };
  const then = { ...first, accept: "application/json;odata.metadata=minimal" };
  const withHeaders = (headers: Record<string, string>) => ({ ...source, headers });
  assert.equal((await askOData(withHeaders(first), "/")).body["@odata.context"], `${root}/$metadata`);
  const metadata = await askOData(withHeaders({ ...first, accept: "application/xml" }), "/$metadata");
  assert.match(metadata.text, /^<\?xml version="1.0" encoding="utf-8"\?>\n<edmx:Edmx Version="4.0"/);
  // Some versions ask for JSON there.
  assert.match((await askOData(withHeaders(then), "/$metadata")).text, /^<\?xml/);
  assert.deepEqual((await askOData(withHeaders(then), "/emails?$top=1000")).body.value, records);
  const filter = "sent_at%20gt%202025-12-20T00%3A00%3A00%2B01%3A00";
  const filtered = await askOData(withHeaders(then), `/emails?$filter=${filter}&$top=1000`);
  assert.equal(filtered.body.value.length, records.filter(({ sent_at }) => sent_at > "2025-12-19T23").length);
  const folded = `/emails?$filter=${filter}&$orderby=sent_at desc,id desc&$select=id,sent_at&$skip=1&$top=3&$count=true`;
  assert.equal((await askOData(withHeaders({ ...then, prefer: "omit-values=nulls" }), folded)).status, 200);
  // It folds less after a 501.
  assert.equal((await askOData(withHeaders(then), "/emails?$apply=aggregate($count as n)")).status, 501);
});

sqliteTest("says OData-Version once in every answer, and challenges for Basic alone", async () => {
  const base = `GET /odata/v1/%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  const { rawRequest } = await import("../../support/raw-request.ts");
  const credential = `Authorization: Bearer ${key}\r\n`;
  for (const [path, header, status] of [
    ["", credential, 200],
    ["$metadata", credential, 200],
    ["emails", credential, 200],
    ["emails", `${credential}If-None-Match: *\r\n`, 304],
    ["emails?$expand=tags", credential, 501],
    ["emails?$top=x", credential, 400],
    ["emails", `${credential}Accept: text/html\r\n`, 406],
    ["nothing", credential, 404],
    ["a/b/c/d", credential, 404],
    ["emails", "", 401],
    ["emails", `Authorization: Bearer ${ingestKey}\r\n`, 403],
  ] as const) {
    const answer = await rawRequest(service.port, `${base.replace("%s", path)}${header}\r\n`);
    const [head = ""] = answer.split("\r\n\r\n", 1);
    assert.equal(head.split(" ")[1], String(status), `${path}: ${head}`);
    assert.deepEqual(head.match(/^odata-version: .*$/gim), ["odata-version: 4.0"], path);
    if (status !== 401) continue;
    assert.deepEqual(head.match(/^www-authenticate: .*$/gim), [
      'www-authenticate: Basic realm="email-analytics", charset="UTF-8"',
    ]);
  }
});

test("answers 304 until the data changes, and HEAD without a body", async () => {
  const other = await world.addOrganization();
  const from = { url: service.url, key: other.key };
  await world.save(other.organization, [campaign({ id: 1 })]);
  const { headers } = await askOData(from, "/emails");
  const again = { ...from, headers: { "if-none-match": headers.get("etag") ?? "" } };
  assert.equal((await askOData(again, "/emails")).status, 304);
  assert.equal((await askOData(again, "/emails?$top=1")).status, 200);
  const head = await askOData(from, "/emails", "HEAD");
  assert.deepEqual([head.status, head.text, head.headers.get("etag")], [200, "", headers.get("etag")]);
  assert.equal(head.headers.get("content-length"), null);
  await world.save(other.organization, [campaign({ id: 2 })]);
  assert.equal((await askOData(again, "/emails")).status, 200);
});
