// Downloads of all records: content, headers, ETag, filters, credentials and refusals.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { parse } from "csv-parse/sync";
import { type FeedField, feedFields } from "../../../src/campaign/feed/feed-fields.ts";
import type { FeedRow } from "../../../src/campaign/feed/feed-tables.ts";
import { changeOrganization } from "../../../src/counting/campaigns/change-organization.ts";
import { fileFormatNames } from "../../../src/formats/feed-files.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { changeTag } from "../../support/change-tag.ts";
import { type DownloadOptions, downloadRecords, requestDownload } from "../../support/downloads.ts";
import { click, open } from "../../support/events.ts";
import { readFeedRows, unusualTexts } from "../../support/feed-records.ts";
import { pick } from "../../support/pick.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeWorld, present, region, serve } from "../../support/world.ts";

const world = await makeWorld({ after });
const service = await serve({ after }, world);
const urlOf = (suffix: string) => `${service.url}/data_api/v1/emails.${suffix}`;

/** An organization of its own, on the server and the clock that all tests share. */
async function given(options: { timeZone?: string } = {}) {
  world.clock.now = present;
  const { organization, key, ingestKey } = await world.addOrganization(options);
  const { url } = service;
  const ask = (suffix: string, asked: DownloadOptions = {}) =>
    requestDownload(urlOf(suffix), { key, ...asked });
  const records = (query = "") => downloadRecords({ url, key, query }, "ndjson");
  const close = async (id: number) => {
    const found = await world.read(organization, findOrganization);
    if (!found) throw new Error("the organization is missing");
    await world.closeCampaign(found, id);
  };
  return { organization, key, ingestKey, url, ask, records, close };
}

test("sends the same records in each format, newest first, without scheduled campaigns", async () => {
  const { organization, key, url } = await given({ timeZone: "America/New_York" });
  const texts = unusualTexts.filter((text) => !text.includes("\0"));
  const reported = texts.map((subject, index) =>
    campaign({
      id: index + 1,
      subject,
      sentAt: present - index * 1000,
      tags: index % 3 ? [`Tag ${index % 3}`] : [],
    }),
  );
  await world.save(organization, [...reported, campaign({ id: 999, sentAt: present + 1 })]);
  await world.register(organization, 500, { sent_at: "2026-06-14T11:00:00Z" });
  await world.ingest(organization, [open(1, { campaign_id: 500 }), click(2, { campaign_id: 500 })]);
  const [ndjson, csv, parquet] = await Promise.all(
    (["ndjson", "csv", "parquet"] as const).map((format) => downloadRecords({ url, key }, format)),
  );
  assert.deepEqual(csv, ndjson);
  assert.deepEqual(parquet, ndjson);
  assert.deepEqual(pick(ndjson ?? [], "id"), [...texts.keys()].map((index) => index + 1).concat(500));
  assert.deepEqual(pick(ndjson?.slice(0, -1) ?? [], "subject"), texts);
  const xlsx = await downloadRecords({ url, key }, "xlsx");
  const expected = ndjson?.map(({ subject, tag_names, sent_hour }) => [subject, tag_names, sent_hour]);
  assert.deepEqual(pick(xlsx, "subject", "tag_names", "sent_hour"), expected);
  const counted = ndjson?.at(-1);
  assert.deepEqual(
    [counted?.kind, counted?.unique_opens, counted?.sent_at, counted?.sent_on, counted?.sent_hour],
    ["counted", 2, "2026-06-14T11:00:00.000Z", "2026-06-14", 7],
  );
});

sqliteTest("shows null for what an import did not give, and for a rate of nothing", async () => {
  const { organization, records } = await given();
  const metrics = { open_rate: 0, unique_opens: null, enps_score_average: 0, enps_reactions_count: 0 };
  await world.save(organization, [
    campaign({ id: 1, recipientCount: 0, team: null, surveysCount: null, metrics }),
  ]);
  const [record] = await records();
  assert.deepEqual(
    [record?.open_rate, record?.unique_opens, record?.enps_score_average, record?.enps_reactions_count],
    [null, null, null, 0],
  );
  const expected = [null, null, 0];
  assert.deepEqual([record?.organization_team, record?.surveys_count, record?.recipient_count], expected);
  assert.deepEqual([record?.kind, record?.closed_at], ["reported", null]);
});

test("has the named fields alone, in their order, in each format", async () => {
  const { organization, key, url, ask } = await given();
  await world.save(organization, [campaign({ id: 1, tags: ["News"] }), campaign({ id: 2 })]);
  const names = ["open_rate", "tags", "sent_on", "id"];
  const all = await downloadRecords({ url, key }, "ndjson");
  const expected = all.map((record) =>
    Object.fromEntries(names.map((name) => [name, record[name as keyof typeof record]])),
  );
  for (const format of fileFormatNames) {
    const { bytes } = await ask(`${format}?fields=${names.join()}`);
    const fields = Object.fromEntries(names.map((name) => [name, feedFields[name as FeedField]]));
    const rows = await readFeedRows(format, bytes, fields);
    assert.equal(JSON.stringify(rows.map((row) => pickNames(row, names))), JSON.stringify(expected), format);
    assert.deepEqual(Object.keys(rows[0] ?? {}).toSorted(), names.toSorted(), format);
  }
  assert.equal((await ask("csv?fields=recipient_count,value")).status, 400);
  const groups = await requestDownload(`${url}/data_api/v1/email_groups.csv?fields=value,email_id`, { key });
  assert.equal(Buffer.from(groups.bytes).toString(), "value,email_id\r\n");
});

const pickNames = (row: FeedRow, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

test("CSV with decimal commas has the same values", async () => {
  const { organization, ask } = await given();
  const texts = ["1.5", "a;b", "a,b", 'say "x"', "Göteborg", "x"];
  await world.save(
    organization,
    texts.map((subject, index) =>
      campaign({ id: index + 1, subject, metrics: { open_rate: 0.0625, click_rate: null } }),
    ),
  );
  const cells = async (suffix: string, delimiter: string, bom: boolean) =>
    parse(Buffer.from((await ask(suffix)).bytes), { delimiter, bom }) as string[][];
  const point = await cells("csv", ",", false);
  const comma = await cells("csv?decimal=comma", ";", true);
  const isNumber = (index: number) =>
    ["integer", "number"].includes(feedFields[(point[0]?.[index] ?? "id") as FeedField].type);
  assert.deepEqual(
    comma,
    point.map((row, line) =>
      row.map((cell, index) => (line > 0 && isNumber(index) ? cell.replace(".", ",") : cell)),
    ),
  );
  assert.equal(comma[1]?.[comma[0]?.indexOf("open_rate") ?? 0], "0,0625");
  const { status, bytes } = await ask("csv?decimal=point");
  assert.match(`${status} ${Buffer.from(bytes)}`, /^400 .*decimal: ."point." is not comma\./);
});

test("NDJSON links to the schema of its records", async () => {
  const { ask } = await given();
  const link = '<https://analytics.example.com/data_api/v1/emails.schema.json>; rel="describedby"';
  assert.equal((await ask("ndjson")).headers.get("link"), link);
  assert.equal((await ask("csv")).headers.get("link"), null);
});

test("says when a record last changed: by itself, by a tag or a setting, or by its time coming", async () => {
  const { organization, records, close } = await given();
  // Changes within the same millisecond have consecutive revisions.
  const secondsOf = (at: string) => Math.floor((Date.parse(at) - present) / 1000);
  const changedAt = async () =>
    Object.fromEntries((await records()).map(({ id, updated_at }) => [id, secondsOf(updated_at)]));
  await world.save(organization, [
    campaign({ id: 1, tags: ["News"] }),
    campaign({ id: 3, sentAt: present + 5000 }),
  ]);
  await world.register(organization, 2);
  world.clock.now += 1000;
  await world.ingest(organization, [open(1, { campaign_id: 2 })]);
  assert.deepEqual(await changedAt(), { 1: 0, 2: 1 });
  world.clock.now += 6000;
  await world.publishDue();
  assert.deepEqual(await changedAt(), { 1: 0, 2: 1, 3: 7 });
  const { id } = organization;
  await world.database.transaction(async (queries) => {
    const [tag] = await listTags(new Scope(queries, id));
    await changeTag(queries, {
      organizationId: id,
      id: tag?.id ?? 0,
      change: { name: "Renamed" },
      now: world.clock.now,
    });
  });
  assert.deepEqual(await changedAt(), { 1: 7, 2: 1, 3: 7 }, "campaign 2 does not have the tag");
  world.clock.now += 1000;
  await close(2);
  assert.deepEqual(await changedAt(), { 1: 7, 2: 8, 3: 7 });
  const closed = (await records()).find((record) => record.id === 2);
  assert.equal(closed?.closed_at, new Date(present + 8000).toISOString());
  world.clock.now += 1000;
  await world.write({ id }, (scope) =>
    changeOrganization(scope, { timeZone: "Asia/Tokyo" }, world.clock.now),
  );
  assert.deepEqual(await changedAt(), { 1: 9, 2: 9, 3: 9 });
  assert.equal((await records()).find((record) => record.id === 1)?.sent_hour, 18);
});

sqliteTest("filters by time and tags as pages do, with dates on the organization's clocks", async () => {
  // On Oct 27, 2024 clocks were set back at 3:00, so the day had 25 hours.
  const { organization, records } = await given({ timeZone: "Europe/Berlin" });
  const sent = [
    "2024-10-26T21:59:59.999Z",
    "2024-10-26T22:00:00Z",
    "2024-10-27T22:59:59.999Z",
    "2024-10-27T23:00:00Z",
  ];
  await world.save(
    organization,
    sent.map((at, index) =>
      campaign({ id: index + 1, sentAt: Date.parse(at), tags: index % 2 ? ["HR"] : ["News", "HR"] }),
    ),
  );
  const tags = await world.tagsOf(organization);
  const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id;
  const ids = async (query: string) => (await records(query)).map(({ id }) => id);
  assert.deepEqual(await ids("?sent_after=2024-10-27&sent_before=2024-10-27"), [3, 2]);
  assert.deepEqual(await ids("?sent_before=2024-10-26T22:00:00Z"), [2, 1]);
  assert.deepEqual(await ids("?sent_after=2024-10-28"), [4]);
  assert.deepEqual(await ids(`?tag_ids=${idOf("News")}`), [3, 1]);
  assert.deepEqual(await ids(`?tag_ids[]=${idOf("News")}&tag_ids[]=${idOf("HR")}`), [4, 3, 2, 1]);
  assert.deepEqual(await ids("?tag_ids=999999"), []);
  assert.deepEqual(await ids(`?tag_ids=${idOf("HR")}&sent_after=2024-10-27T22:00:00Z`), [4, 3]);
});

sqliteTest("refuses pages in every spelling, and unknown parameters", async () => {
  const { ask } = await given();
  for (const [query, name] of [
    ["page=1", "page"],
    ["Page=1", "page"],
    ["PER_PAGE=5", "per_page"],
  ]) {
    const { status, bytes } = await ask(`csv?${query}`);
    assert.equal(status, 400);
    assert.equal(
      JSON.parse(Buffer.from(bytes).toString()).error_message,
      `${name}: a download has all campaigns; use sent_after, sent_before and tag_ids to get fewer.`,
    );
  }
  const { status, bytes } = await ask("csv?labels=3");
  const expected = [
    400,
    '"labels" is not a parameter; use sent_after, sent_before, tag_ids, fields, decimal.',
  ];
  assert.deepEqual([status, JSON.parse(Buffer.from(bytes).toString()).error_message], expected);
});

sqliteTest("sends headers for files, ETag and private caching, and gzip for text", async () => {
  const { organization, ask } = await given({ timeZone: "Pacific/Auckland" });
  await world.save(organization, [campaign({ id: 1 })]);
  const types = {
    csv: "text/csv; charset=utf-8; header=present",
    ndjson: "application/x-ndjson; charset=utf-8",
    parquet: "application/vnd.apache.parquet",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  };
  for (const format of fileFormatNames) {
    const { status, headers, bytes } = await ask(format);
    assert.equal(status, 200);
    const encoding = format === "csv" || format === "ndjson" ? "gzip" : null;
    assert.deepEqual(
      ["content-type", "content-disposition", "content-encoding"].map((name) => headers.get(name)),
      [types[format], `attachment; filename="emails-2026-06-16.${format}"`, encoding],
    );
    assert.match(headers.get("etag") ?? "", /^W\/"[\w-]{27}"$/);
    assert.equal(headers.get("cache-control"), "private, no-cache");
    assert.equal(headers.get("vary"), "Authorization, Accept-Encoding, Origin");
    const plain = await ask(format, { headers: { "accept-encoding": "identity" } });
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.deepEqual(plain.bytes, bytes);
    const head = await ask(format, { method: "HEAD" });
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    const names = ["etag", "content-type", "content-disposition", "content-encoding"];
    assert.equal(head.headers.get("content-length"), null);
    for (const name of [...names, "changes-cursor"]) {
      assert.equal(head.headers.get(name), headers.get(name), name);
    }
  }
});

test("answers 304 until something changes, also when a campaign's time comes or one is closed", async () => {
  const { organization, ask, close } = await given();
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 3, sentAt: present + 5000 })]);
  await world.register(organization, 2);
  const etags = new Set<string>();
  const expectNew = async (after: string) => {
    for (const format of fileFormatNames) {
      const etag = (await ask(format)).headers.get("etag") ?? "";
      assert.ok(!etags.has(etag), `the same ETag after ${after}`);
      etags.add(etag);
      const again = await ask(format, { headers: { "if-none-match": `"x", ${etag}` } });
      assert.deepEqual([again.status, again.bytes.length, again.headers.get("etag")], [304, 0, etag]);
      assert.equal((await ask(format, { headers: { "if-none-match": '"x"' } })).status, 200);
      assert.equal(
        (await ask(`${format}?sent_after=2024-01-01`, { headers: { "if-none-match": etag } })).status,
        200,
      );
    }
  };
  await expectNew("the start");
  await world.ingest(organization, [open(1, { campaign_id: 2 })]);
  await expectNew("an open");
  world.clock.now += 5000;
  await world.publishDue();
  await expectNew("the time of a campaign");
  await close(2);
  await expectNew("closing");
});

sqliteTest("takes credentials with the scope read, and shows only the caller's organization", async () => {
  const { organization, key, ingestKey, ask } = await given();
  const other = await world.addOrganization({ name: "Other" });
  await world.save(organization, [campaign({ id: 1 })]);
  await world.save(other.organization, [campaign({ id: 2 })]);
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const forms: Record<string, string>[] = [
    { authorization: `Bearer ${key}` },
    { bearer_auth: key },
    { "bearer-auth": key },
    { authorization: basic("x", key) },
    { authorization: basic(key, "") },
  ];
  const idsOf = (bytes: Uint8Array) =>
    Buffer.from(bytes)
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
  for (const headers of forms) {
    const { status, bytes } = await requestDownload(urlOf("ndjson"), { headers });
    assert.deepEqual([status, idsOf(bytes)], [200, [1]], JSON.stringify(headers));
  }
  assert.deepEqual(idsOf((await ask("ndjson", { key: other.key })).bytes), [2]);
  const refused = await Promise.all([
    requestDownload(urlOf("ndjson")),
    ask("ndjson", { key: `ea_${region}_1_${"x".repeat(40)}` }),
    ask("ndjson", { key: ingestKey }),
    ask("ndjson", { method: "POST" }),
    ask("xml"),
  ]);
  assert.deepEqual(pick(refused, "status"), [401, 401, 403, 405, 404]);
});

sqliteTest("names the cursor from which changes go on after a download of everything", async () => {
  const { organization, key, ask } = await given();
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2, sentAt: present + 60_000 })]);
  const { headers } = await ask("ndjson");
  const cursor = headers.get("changes-cursor");
  const changes = async () => {
    const { status, body } = await service.get(`/data_api/v1/emails/changes?cursor=${cursor}`, { key });
    assert.equal(status, 200);
    return body.emails.map(({ id }) => id);
  };
  assert.deepEqual(await changes(), []);
  await world.save(organization, [campaign({ id: 3 })]);
  assert.deepEqual(await changes(), [3]);
  world.clock.now += 60_000;
  await world.publishDue();
  assert.deepEqual(await changes(), [3, 2]);
  const some = await ask("ndjson?sent_after=2020-01-01");
  assert.equal(some.headers.get("changes-cursor"), null);
});
