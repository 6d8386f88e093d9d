// CSV links: what they return, and every way in which one stops working.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { maxCsvLinkUses } from "../../../src/http/api/csv-links.ts";
import { deleteApiKey } from "../../../src/storage/keys/api-keys.ts";
import { addCsvLink, switchCsvLinks } from "../../support/csv-links.ts";
import { requestDownload } from "../../support/downloads.ts";
import { readCsvCells, readFeedFile } from "../../support/feed-records.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { campaign, makeWorld, present, run, serve } from "../../support/world.ts";

const world = await makeWorld({ after });
const service = await serve({ after }, world);

/** An organization of its own, with CSV links. */
async function given() {
  world.clock.now = present;
  const keys = await world.addOrganization();
  const { organization } = keys;
  await world.save(organization, [campaign({ id: 1, tags: ["News"] }), campaign({ id: 2 })]);
  const of = ["--organization", String(organization.id), "--json"];
  const command = (...argv: string[]) => run(world.databaseUrl, [...argv, ...of]);
  let added = 0;
  const add = async (selection = "", days = 30) => {
    added += 1;
    const link = await addCsvLink(world, organization, { name: `Sheet ${added}`, selection, days });
    return { id: link.id, url: service.url + link.path };
  };
  await switchCsvLinks(world, organization, "allow");
  return { ...keys, command, add };
}

async function idsOf(url: string): Promise<unknown[]> {
  const { status, bytes } = await requestDownload(url);
  return status === 200
    ? readCsvCells(bytes)
        .slice(1)
        .map(([id]) => Number(id))
    : [status];
}

test("returns its selection without a key, and is kept by no cache or search engine", async () => {
  const { add, command, organization } = await given();
  const all = await add();
  const { headers } = await requestDownload(all.url);
  assert.deepEqual(
    ["content-type", "cache-control", "referrer-policy", "x-robots-tag"].map((name) => headers.get(name)),
    ["text/csv; charset=utf-8; header=present", "private, no-store", "no-referrer", "noindex"],
  );
  assert.deepEqual(await idsOf(all.url), [2, 1]);
  const workbook = await requestDownload(all.url.replace(/csv$/, "xlsx"));
  assert.match(workbook.headers.get("content-disposition") ?? "", /\.xlsx"$/);
  assert.equal((await readFeedFile("xlsx", workbook.bytes)).length, 2);
  assert.deepEqual(await idsOf(`${all.url}?t=1`), [2, 1], "spreadsheets add something against caches");
  const named = await requestDownload(`${all.url}?t=1&columns=id`);
  assert.equal(named.headers.get("ignored-parameters"), "t, columns");
  const comma = await requestDownload(`${all.url}?decimal=comma`);
  assert.match(Buffer.from(comma.bytes).toString(), /^\uFEFFid;subject;.*\r\n2;Campaign 2;.*;0,25;0,5;/);
  assert.equal(comma.headers.get("ignored-parameters"), null);
  assert.equal((await requestDownload(`${all.url}?decimal=dot`)).status, 400);
  for (const query of ["tag_ids=1", "sent_after=2025-01-01", "Page=1", "fields=id"]) {
    const { status, bytes } = await requestDownload(`${all.url}?${query}`);
    assert.equal(status, 400, query);
    assert.match(Buffer.from(bytes).toString(), /the selection of a link is fixed when it is created/);
  }
  const { rows: tags } = await command("tag", "list");
  assert.deepEqual(await idsOf((await add(`tag_ids=${tags[0]?.id}`)).url), [1]);
  assert.deepEqual(await idsOf((await add("sent_after=2025-01-01")).url), []);
  const tagId = Number(tags[0]?.id);
  await add(`sent_before=2025-01-01&tag_ids=${tagId},${tagId}`);
  const listed = (await command("key", "list")).rows.map(({ scope, selection }) => [scope, selection]);
  assert.deepEqual(listed.slice(-2), [
    ["csv-link", "sent_after=2025-01-01"],
    ["csv-link", `sent_before=2025-01-01&tag_ids=${tagId},${tagId}`],
  ]);
  assert.ok(listed.some(([scope, selection]) => scope === "csv-link" && selection === "all campaigns"));
  assert.ok(listed.some(([scope, selection]) => scope === "read" && selection === ""));
  const other = await given();
  await world.save(other.organization, [campaign({ id: 3 })]);
  assert.deepEqual(await idsOf(all.url), [2, 1]);
  assert.notEqual(other.organization.id, organization.id);
});

test("refuses a link that is deleted, expired, mistyped, not allowed, or another key, with 404", async () => {
  const { add, key, organization } = await given();
  const kept = await add();
  const revoked = await add();
  await world.write(organization, (scope) => deleteApiKey(scope, revoked.id));
  const short = await add("", 1);
  const urlWith = (text: string) => `${service.url}/data_api/v1/links/${text}.csv`;
  assert.deepEqual(await idsOf(short.url), [2, 1]);
  world.clock.now += dayMs;
  const mistyped = kept.url.replace(/.(?=\.csv$)/, (last) => (last === "0" ? "1" : "0"));
  for (const url of [revoked.url, short.url, mistyped, urlWith(key), urlWith("x"), urlWith("")]) {
    const { status, headers } = await requestDownload(url);
    assert.equal(status, 404, url);
    if (url !== urlWith("")) assert.equal(headers.get("cache-control"), "private, no-store");
  }
  assert.deepEqual(await idsOf(kept.url), [2, 1]);
  const text = new URL(kept.url).pathname.split("/").at(-1)?.replace(".csv", "") ?? "";
  assert.equal((await service.get("/data_api/v1/emails", { key: text })).status, 403, "a link is no key");
  await switchCsvLinks(world, organization, "refuse");
  assert.deepEqual(await idsOf(kept.url), [404]);
  await switchCsvLinks(world, organization, "allow");
  world.clock.now = present + 30 * dayMs;
  assert.deepEqual(await idsOf(kept.url), [404], "30 days by default");
});

test("limits the downloads of a link, of which HEAD, a 304 and an error are none, and logs neither link nor key", async () => {
  const { add } = await given();
  const { url } = await add();
  const statusOf = async (options = {}) => (await requestDownload(url, options)).status;
  const etag = (await requestDownload(url)).headers.get("etag") ?? "";
  const unchanged = { headers: { "if-none-match": etag } };
  for (let uses = 0; uses <= maxCsvLinkUses; uses++) {
    assert.equal(await statusOf(unchanged), 304);
    assert.equal(await statusOf({ method: "HEAD" }), 200);
    const old = await rawRequest(service.port, `GET ${new URL(url).pathname} HTTP/1.0\r\n\r\n`);
    assert.match(old, /^HTTP\/1\.1 505 /);
  }
  // Some of these get a 503, if more of them wait than may.
  const atOnce = await Promise.all(Array.from({ length: 40 }, () => statusOf()));
  let downloads = 1 + atOnce.filter((status) => status === 200).length;
  while ((await statusOf()) === 200) downloads += 1;
  assert.equal(downloads, maxCsvLinkUses);
  const refused = async () => {
    const { status, headers } = await requestDownload(url);
    return [status, headers.get("retry-after")];
  };
  assert.deepEqual(await refused(), [429, "3600"]);
  world.clock.now += 3_599_001;
  assert.deepEqual(await refused(), [429, "1"]);
  world.clock.now += 999;
  assert.equal(await statusOf(), 200);
  assert.doesNotMatch(service.log(), /ea_test_\d+_[0-9A-Za-z]{5}/);
});
