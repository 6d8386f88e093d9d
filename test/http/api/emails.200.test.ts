// GET /data_api/v1/emails: records, pagination, filters, order and headers.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { largestInteger } from "../../../src/campaign/fields/field-schema.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import { pick } from "../../support/pick.ts";
import { campaign, makeWorld, present, serve } from "../../support/world.ts";

const hour = hourMs;

/** Serves an organization with one campaign for each `sentAt`; ids start at 1. */
async function served(test: TestContext, options: { sentAt?: number[]; timeZone?: string } = {}) {
  const world = await makeWorld(test);
  const { organization, key } = await world.addOrganization({ timeZone: options.timeZone ?? "UTC" });
  const campaigns = (options.sentAt ?? []).map((sentAt, index) => campaign({ id: index + 1, sentAt }));
  if (campaigns.length > 0) await world.save(organization, campaigns);
  const service = await serve(test, world);
  const ids = async (query: string) => (await service.emails(key, query)).emails.map(({ id }) => id);
  return { world, organization, key, service, ids };
}

function days(count: number): number[] {
  return Array.from({ length: count }, (_, index) => Date.UTC(2024, 0, 1 + index, 9));
}

test("returns records with 31 fields in the specified order, and pagination in meta (specification 2.1, 2.2, 4.1)", async (t) => {
  const { world, organization, key, service } = await served(t);
  await world.save(organization, [
    campaign({
      id: 1,
      subject: "Test Campaign 1",
      tags: [
        { name: "News", color: "#FF0000" },
        { name: "Board", color: "#00ff00" },
      ],
    }),
  ]);
  const { text, headers } = await service.get("/data_api/v1/emails", { key });
  assert.equal(
    text,
    '{"emails":[{"id":1,"subject":"Test Campaign 1","sent_at":"Jan 1, 2024 9:00 AM","sent_from":"news@example.com",' +
      '"organization_team":"Default Team","sending_type":"Timezone","tracking_type":"Individual","open_rate":0.25,' +
      '"click_rate":0.5,"unique_opens":3,"multiple_opens":4,"unopened":5,"total_opens":6,"unique_clicks":7,' +
      '"multiple_clicks":8,"total_clicks":9,"click_per_unique_open_rate":10,"desktop_open_rate":11,' +
      '"mobile_open_rate":12,"tags":[{"name":"Board","color":"#00ff00"},{"name":"News","color":"#FF0000"}],' +
      '"recipient_count":135,"recipients":"Everybody","read_time_glanced":13,"read_time_skimmed":14,' +
      '"read_time_read":15,"surveys_count":0,"enps_score_average":16,"enps_reactions_count":17,' +
      '"enps_comments_count":18,"survey_reactions_count":19,"survey_reactions_comments_count":20}],' +
      '"meta":{"page":1,"per_page":10,"total_entries":1,"total_pages":1}}',
  );
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
});

test("returns page 1 with 10 items by default (specification 2.3, 4.1)", async (t) => {
  const { key, service } = await served(t, { sentAt: days(23) });
  const { emails, meta } = await service.emails(key);
  assert.equal(emails.length, 10);
  assert.deepEqual(meta, { page: 1, per_page: 10, total_entries: 23, total_pages: 3 });
});

test("clamps per_page above 100 to 100, in meta and links too (specification 4.1, 8)", async (t) => {
  const { key, service } = await served(t, { sentAt: days(120) });
  for (const perPage of ["101", "9007199254740992", "9".repeat(400)]) {
    const { body, headers } = await service.get(`/data_api/v1/emails?per_page=${perPage}`, { key });
    assert.equal(body.emails.length, 100);
    assert.deepEqual(body.meta, { page: 1, per_page: 100, total_entries: 120, total_pages: 2 });
    assert.match(headers.get("link") ?? "", /page=2&per_page=100>; rel="next"/);
  }
});

test("returns the named fields alone, in their order, compressed or not, and links with them", async (t) => {
  const { world, organization, key, service } = await served(t);
  await world.save(
    organization,
    [1, 2].map((id) => campaign({ id, subject: '"name"', tags: ["News"] })),
  );
  const { body, headers } = await service.get("/data_api/v1/emails?fields=tags,subject,id,id&per_page=500", {
    key,
  });
  const [tag] = await world.tagsOf(organization);
  const tags = [{ name: "News", color: tag?.color }];
  assert.equal(
    JSON.stringify(body.emails),
    JSON.stringify([2, 1].map((id) => ({ tags, subject: '"name"', id }))),
  );
  assert.equal(headers.get("x-per-page"), "100");
  assert.match(headers.get("link") ?? "", /fields=tags,subject,id&page=1/);
  const plain = await service.get("/data_api/v1/emails?fields=id&page=2&per_page=1", {
    ...{ key, headers: { "accept-encoding": "identity" } },
  });
  assert.deepEqual(plain.body.emails, [{ id: 1 }]);
  for (const wrong of ["opens", "", "id,,subject", "toString"]) {
    const { status, body: refused } = await service.get(`/data_api/v1/emails?fields=${wrong}`, { key });
    assert.equal(status, 400, wrong);
    assert.match(refused.error_message, /^fields: ".*" is no field; use id, subject, sent_at, /);
  }
});

test("returns an empty page with the requested number when the page is past the end", async (t) => {
  const { key, service } = await served(t, { sentAt: days(3) });
  for (const page of [2, 3, largestInteger]) {
    const { emails, meta } = await service.emails(key, `?page=${page}`);
    assert.deepEqual(emails, []);
    assert.deepEqual(meta, { page, per_page: 10, total_entries: 3, total_pages: 1 });
  }
});

test("returns an empty list and 0 pages when nothing matches", async (t) => {
  const { key, service } = await served(t, { sentAt: days(3) });
  const { emails, meta } = await service.emails(key, "?sent_after=2025-01-01");
  assert.deepEqual(emails, []);
  assert.deepEqual(meta, { page: 1, per_page: 10, total_entries: 0, total_pages: 0 });
});

test("ignores leading zeros of numbers", async (t) => {
  const { key, service } = await served(t, { sentAt: days(3) });
  const { meta } = await service.emails(key, "?page=02&per_page=002");
  assert.deepEqual(meta, { page: 2, per_page: 2, total_entries: 3, total_pages: 2 });
});

test("sorts campaigns newest first, and by descending id when sent at the same time", async (t) => {
  const noon = Date.UTC(2024, 0, 1, 12);
  const { ids } = await served(t, { sentAt: [noon, noon - 1, noon, noon + 1, noon] });
  assert.deepEqual(await ids(""), [4, 5, 3, 1, 2]);
  assert.deepEqual(await ids("?per_page=2"), [4, 5]);
  assert.deepEqual(await ids("?per_page=2&page=2"), [3, 1]);
  assert.deepEqual(await ids("?per_page=2&page=3"), [2]);
});

test("includes both ends of a time range (specification 4.1)", async (t) => {
  const at = Date.UTC(2024, 3, 1, 10);
  const { ids } = await served(t, { sentAt: [at - 1, at, at + hour, at + hour + 1] });
  assert.deepEqual(await ids("?sent_after=2024-04-01T10:00:00Z&sent_before=2024-04-01T11:00:00Z"), [3, 2]);
  const found = await ids("?sent_after=2024-04-01T12:00:00%2B02:00&sent_before=2024-04-01T13:00:00%2B02:00");
  assert.deepEqual(found, [3, 2]);
  assert.deepEqual(await ids("?sent_after=2024-04-01T10:00:00Z"), [4, 3, 2]);
  assert.deepEqual(await ids("?sent_before=2024-04-01T10:00:00Z"), [2, 1]);
});

test("reads a space before a time zone offset as an unencoded plus", async (t) => {
  const at = Date.UTC(2024, 3, 1, 10);
  const { ids } = await served(t, { sentAt: [at, at + hour] });
  assert.deepEqual(await ids("?sent_before=2024-04-01T12:00:00+02:00"), [1]);
  assert.deepEqual(await ids("?sent_before=2024-04-01T12:00:00%2002:00"), [1]);
});

test("reads a date without a time as the whole day in the organization's time zone", async (t) => {
  // April 30 in Berlin lasts from April 29, 22:00 UTC until April 30, 22:00 UTC.
  const start = Date.UTC(2026, 3, 29, 22);
  const { ids } = await served(t, {
    timeZone: "Europe/Berlin",
    sentAt: [start - 1, start, start + 24 * hour - 1, start + 24 * hour],
  });
  assert.deepEqual(await ids("?sent_after=2026-04-30&sent_before=2026-04-30"), [3, 2]);
  assert.deepEqual(await ids("?sent_before=2026-04-30"), [3, 2, 1]);
  assert.deepEqual(await ids("?sent_after=2026-04-30"), [4, 3, 2]);
});

test("matches nothing when the ends of the range are swapped", async (t) => {
  const { ids } = await served(t, { sentAt: days(3) });
  assert.deepEqual(await ids("?sent_after=2024-01-03&sent_before=2024-01-01"), []);
});

test("shows sent_at in the organization's time zone with an ordinary space before AM and PM (specification 2.1)", async (t) => {
  const { key, service } = await served(t, {
    timeZone: "America/New_York",
    sentAt: [Date.UTC(2024, 0, 5, 20, 4), Date.UTC(2024, 6, 5, 4), Date.UTC(2024, 6, 5, 16)],
  });
  const { emails } = await service.emails(key);
  assert.deepEqual(pick(emails, "sent_at"), [
    "Jul 5, 2024 12:00 PM",
    "Jul 5, 2024 12:00 AM",
    "Jan 5, 2024 3:04 PM",
  ]);
});

test("shows a future campaign once it is sent, with a new ETag", async (t) => {
  const { world, key, service, ids } = await served(t, { sentAt: [present - hour, present, present + 1] });
  const before = await service.get("/data_api/v1/emails", { key });
  assert.deepEqual(await ids(""), [2, 1]);
  assert.deepEqual(await ids("?sent_before=2030-01-01"), [2, 1]);
  world.clock.now += 1;
  await world.publishDue();
  const after = await service.get("/data_api/v1/emails", { key });
  assert.deepEqual(await ids(""), [3, 2, 1]);
  assert.equal(after.body.meta.total_entries, 3);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
});

test("shows missing values of a reported campaign as 0, an empty string and an empty list (specification 2.1)", async (t) => {
  const { world, organization, key, service } = await served(t);
  const none = { sentFrom: null, team: null, sendingType: null, trackingType: null, recipients: null };
  const metrics = { open_rate: null, unique_opens: null, enps_score_average: null };
  await world.save(organization, [
    campaign({ id: 1, ...none, recipientCount: null, surveysCount: null, metrics }),
  ]);
  const { emails } = await service.emails(key);
  const texts = ["sent_from", "organization_team", "sending_type", "tracking_type", "recipients"];
  assert.deepEqual(pick(emails, ...texts, "tags"), [[...Array(5).fill(""), []]]);
  const numbers = ["recipient_count", "surveys_count", "open_rate", "unique_opens", "enps_score_average"];
  assert.deepEqual(pick(emails, ...numbers), [[0, 0, 0, 0, 0]]);
});

test("ignores a trailing slash (specification 4.1)", async (t) => {
  const { key, service } = await served(t, { sentAt: days(2) });
  const plain = await service.get("/data_api/v1/emails?per_page=1", { key });
  const slash = await service.get("/data_api/v1/emails/?per_page=1", { key });
  assert.deepEqual([slash.status, slash.text], [200, plain.text]);
  assert.equal(slash.headers.get("etag"), plain.headers.get("etag"));
});

test("answers HEAD with the headers of GET and no body", async (t) => {
  const { key, service } = await served(t, { sentAt: days(2) });
  const get = await service.get("/data_api/v1/emails", { key, headers: { "accept-encoding": "identity" } });
  const head = await service.get("/data_api/v1/emails", {
    key,
    method: "HEAD",
    headers: { "accept-encoding": "identity" },
  });
  assert.deepEqual([head.status, head.text], [200, ""]);
  for (const name of ["etag", "link", "content-type", "content-length", "cache-control", "vary"]) {
    assert.equal(head.headers.get(name), get.headers.get(name), name);
  }
});

test("ignores unknown parameters, and names them in a header", async (t) => {
  const { ids, key, service } = await served(t, { sentAt: days(2) });
  const query = "?foo=1&$top=5&limit=1&cache[]=x&since=2030-01-01&tag=1&=&&foo=2";
  assert.deepEqual(await ids(query), [2, 1]);
  const ignored = async (query: string, headers = {}) =>
    (await service.get(`/data_api/v1/emails${query}`, { key, headers })).headers.get("ignored-parameters");
  assert.equal(await ignored(query), "foo, %24top, limit, cache%5B%5D, since, tag");
  assert.equal(await ignored("?a%0D%0Ab=1&%FF=1&%00=1"), "a%0D%0Ab, %EF%BF%BD, %00");
  const { headers } = await service.get("/data_api/v1/emails?x", { key });
  assert.equal(await ignored("?x", { "if-none-match": headers.get("etag") }), "x");
  assert.equal(await ignored("?page=1"), null);
  const many = Array.from({ length: 30 }, (_, index) => `${index}${"é".repeat(50)}=1`).join("&");
  assert.equal((await ignored(`?${many}`))?.split(", ").length, 20);
  assert.ok(String(await ignored(`?${many}`)).length < 6_000);
});

test("links to the first, previous, next and last page with the same filters only", async (t) => {
  const { key, service } = await served(t, { sentAt: days(25) });
  const link = async (query: string) =>
    (await service.get(`/data_api/v1/emails${query}`, { key })).headers.get("link")?.split(", ");
  const base = "https://analytics.example.com/data_api/v1/emails";
  assert.deepEqual(await link("?api_key=secret&page=2"), [
    `<${base}?page=1&per_page=10>; rel="first"`,
    `<${base}?page=1&per_page=10>; rel="prev"`,
    `<${base}?page=3&per_page=10>; rel="next"`,
    `<${base}?page=3&per_page=10>; rel="last"`,
  ]);
  assert.deepEqual(await link("?per_page=100"), [
    `<${base}?page=1&per_page=100>; rel="first"`,
    `<${base}?page=1&per_page=100>; rel="last"`,
  ]);
  assert.deepEqual(await link("?page=9&per_page=20"), [
    `<${base}?page=1&per_page=20>; rel="first"`,
    `<${base}?page=2&per_page=20>; rel="prev"`,
    `<${base}?page=2&per_page=20>; rel="last"`,
  ]);
  assert.deepEqual(await link("?tag_ids[]=8&tag_ids=7,8&sent_after=2024-01-01T00:00:00 02:00"), [
    `<${base}?sent_after=2024-01-01T00%3A00%3A00%2B02%3A00&tag_ids=8,7&page=1&per_page=10>; rel="first"`,
  ]);
});

test("returns every campaign once when a client follows the next links", async (t) => {
  const { key, service } = await served(t, { sentAt: [...days(20), ...days(20), ...days(7)] });
  const seen: unknown[] = [];
  let path: string | undefined = "/data_api/v1/emails?per_page=9&sent_before=2024-01-19";
  while (path) {
    const { body, headers } = await service.get(path, { key });
    seen.push(...body.emails.map(({ id }) => id));
    path = /<https:\/\/analytics\.example\.com([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  assert.equal(seen.length, 19 + 19 + 7);
  assert.equal(new Set(seen).size, seen.length);
});

test("matches campaigns with any of tag_ids, in every accepted form (specification 4.1)", async (t) => {
  const { world, organization, ids } = await served(t);
  await world.save(organization, [
    campaign({ id: 1, tags: ["a"] }),
    campaign({ id: 2, tags: ["b"] }),
    campaign({ id: 3, tags: ["a", "b"] }),
    campaign({ id: 4, tags: ["c"] }),
    campaign({ id: 5 }),
  ]);
  const tags = await world.tagsOf(organization);
  const [a, b] = ["a", "b"].map((name) => tags.find((tag) => tag.name === name)?.id);
  assert.deepEqual(await ids(`?tag_ids=${a}`), [3, 1]);
  for (const form of [
    `tag_ids=${a},${b}`,
    `tag_ids=%20${a}%20,,${b},`,
    `tag_ids=${a}&tag_ids=${b}`,
    `tag_ids[]=${a}&tag_ids[]=${b}`,
    `tag_ids%5B%5D=${a}&tag_ids%5b%5d=${b}`,
    `tag_ids[0]=${a}&tag_ids[17]=${b}`,
    `tag_ids[]=${a},${b}`,
    `tag_ids=${a}&tag_ids[]=${b},${b}&tag_ids[3]=${a}`,
    `tag_ids=00${a},${b}`,
    `tag_ids=${a},${b},999999,9007199254740993`,
  ]) {
    assert.deepEqual(await ids(`?${form}`), [3, 2, 1], form);
  }
});

test("ignores empty tag_ids", async (t) => {
  const { ids } = await served(t, { sentAt: days(2) });
  for (const query of ["?tag_ids=", "?tag_ids[]=", "?tag_ids=,%20,", "?tag_ids"]) {
    assert.deepEqual(await ids(query), [2, 1], query);
  }
});

test("matches nothing for unknown tag ids and those of other organizations (specification 4.1)", async (t) => {
  const { world, organization, ids, key, service } = await served(t);
  const other = await world.addOrganization({ name: "Other" });
  await world.save(organization, [campaign({ id: 1, tags: ["mine"] })]);
  await world.save(other.organization, [campaign({ id: 1, tags: ["theirs"] })]);
  const [theirs] = await world.tagsOf(other.organization);
  for (const id of [theirs?.id, 424242, 0, "9007199254740993", "9".repeat(400)]) {
    assert.deepEqual(await ids(`?tag_ids=${id}`), [], String(id));
    const { headers } = await service.get(`/data_api/v1/emails?tag_ids=${id}`, { key });
    // An id that is too large becomes 0, which no tag has.
    const kept = String(id).length > 15 ? 0 : id;
    assert.match(headers.get("link") ?? "", new RegExp(`tag_ids=${kept}&`), "the filter stays in the links");
  }
});

test("accepts a thousand tag ids in the longest form", async (t) => {
  const { key, service } = await served(t, { sentAt: days(2) });
  const query = Array.from({ length: 1000 }, (_, index) => `tag_ids%5B%5D=${9_000_000_000_000 + index}`).join(
    "&",
  );
  const { status, body } = await service.get(`/data_api/v1/emails?${query}`, { key });
  assert.equal(status, 200);
  assert.equal(body.meta.total_entries, 0);
});

test("omits links that are too long for a header, the next link last", async (t) => {
  const { world, organization, key, service } = await served(t);
  await world.save(organization, [campaign({ id: 1, tags: ["a"] }), campaign({ id: 2, tags: ["a"] })]);
  const [tag] = await world.tagsOf(organization);
  const link = async (others: number) => {
    const ids = [tag?.id, ...Array.from({ length: others }, (_, index) => 10_000 + index)];
    const { headers } = await service.get(`/data_api/v1/emails?per_page=1&tag_ids=${ids}`, { key });
    return headers.get("link") ?? "";
  };
  assert.deepEqual((await link(100)).match(/rel="\w+"/g), ['rel="first"', 'rel="next"', 'rel="last"']);
  assert.deepEqual((await link(500)).match(/rel="\w+"/g), ['rel="next"']);
  assert.equal(await link(900), "");
});

test("sends a page from memory with one statement, that of the key, and writes nothing", async (t) => {
  const { world, organization, key } = await served(t, { sentAt: days(3) });
  let statements = 0;
  const counting: typeof world.database = {
    ...world.database,
    query(work) {
      statements += 1;
      return world.database.query(work);
    },
    snapshot(work) {
      statements += 1;
      return world.database.snapshot(work);
    },
    transaction: () => Promise.reject(new Error("a reader must not write")),
  };
  const service = await serve(t, world, { database: counting });
  const pages = ["?per_page=2", "?page=2&per_page=2", "?sent_after=2024-01-02"];
  for (const page of pages) await service.emails(key, page);
  statements = 0;
  for (const page of pages) await service.emails(key, page);
  assert.equal(statements, pages.length);
  await world.save(organization, [campaign({ id: 3, sentAt: days(3)[2] ?? 0, subject: "Mended" })]);
  assert.equal((await service.emails(key)).emails[0]?.subject, "Mended");
});

test("combines filters with AND (specification 4.1)", async (t) => {
  const { world, organization, ids } = await served(t);
  await world.save(organization, [
    campaign({ id: 1, tags: ["a"], sentAt: Date.UTC(2024, 0, 1) }),
    campaign({ id: 2, tags: ["a"], sentAt: Date.UTC(2024, 1, 1) }),
    campaign({ id: 3, tags: ["b"], sentAt: Date.UTC(2024, 1, 1) }),
    campaign({ id: 4, tags: ["a"], sentAt: Date.UTC(2024, 2, 1) }),
  ]);
  const tags = await world.tagsOf(organization);
  const a = tags.find(({ name }) => name === "a")?.id;
  assert.deepEqual(await ids(`?tag_ids=${a}&sent_after=2024-01-15&sent_before=2024-02-15`), [2]);
});

test("never shows campaigns of another organization, even with the same ids (specification 1)", async (t) => {
  const world = await makeWorld(t);
  const [one, two] = [await world.addOrganization(), await world.addOrganization({ name: "Two" })];
  await world.save(one.organization, [
    campaign({ id: 1, subject: "of one" }),
    campaign({ id: 2, subject: "of one" }),
  ]);
  await world.save(two.organization, [campaign({ id: 1, subject: "of two" })]);
  const service = await serve(t, world);
  const subjects = async (key: string) => (await service.emails(key)).emails.map(({ subject }) => subject);
  assert.deepEqual(await subjects(one.key), ["of one", "of one"]);
  assert.deepEqual(await subjects(two.key), ["of two"]);
  const etags = await Promise.all(
    [one.key, two.key].map(async (key) =>
      (await service.get("/data_api/v1/emails?page=7", { key })).headers.get("etag"),
    ),
  );
  assert.notEqual(etags[0], etags[1]);
});

test("compresses responses as the client accepts, with the same content", async (t) => {
  const { key, service } = await served(t, { sentAt: days(10) });
  const answer = (encoding: string) =>
    service.get("/data_api/v1/emails", { key, headers: { "accept-encoding": encoding } });
  const plain = await answer("identity");
  assert.equal(plain.headers.get("content-encoding"), null);
  for (const encoding of ["br", "gzip"]) {
    const packed = await answer(encoding);
    assert.equal(packed.headers.get("content-encoding"), encoding);
    assert.equal(packed.text, plain.text);
    const etags = [packed, plain].map(({ headers }) => headers.get("etag"));
    assert.notEqual(etags[0], etags[1], "each encoding has its own validator");
  }
});

test("never lowers the revision, even if the clock goes back", async (t) => {
  const { world, organization } = await served(t, { sentAt: days(1) });
  const revision = async () => (await world.read(organization, findOrganization))?.revision ?? 0;
  const first = await revision();
  world.clock.now -= 10 * 365 * 24 * hour;
  await world.save(organization, [campaign({ id: 99 })]);
  assert.equal(await revision(), first + 1);
  world.clock.now = present + hour;
  await world.save(organization, [campaign({ id: 100 })]);
  assert.equal(await revision(), present + hour);
});
