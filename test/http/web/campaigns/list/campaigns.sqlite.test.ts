// The campaigns page: columns, order, search, filters, totals, periods, CSV, and isolation of organizations.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { dayMs } from "../../../../../src/campaign/calendar/durations.ts";
import { columnNames } from "../../../../../src/http/web/campaigns/campaign-columns.ts";
import { listTags } from "../../../../../src/storage/organizations/tags.ts";
import { assertMatches, assertPage, rowOf, rowsIn, textOf } from "../../../../support/pages.ts";
import { makeWebWorld, type SignedInClient } from "../../../../support/web-world.ts";
import { campaign } from "../../../../support/world.ts";

const subjectsOf = (text: string) => rowsIn(text).map(([subject]) => subject);

/** The URL of the first link with a text. */
function linkOf(text: string, name: string): string | undefined {
  return new RegExp(`<a [^>]*href="([^"]*)"[^>]*>(?:<[^>]*>)*${name}<`)
    .exec(text)?.[1]
    ?.replaceAll("&amp;", "&");
}

async function follow(client: SignedInClient, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next; ) {
    const text = await client.read(next);
    pages.push(subjectsOf(text) as string[]);
    next = linkOf(text, "Next page");
  }
  return pages;
}

const june = Date.UTC(2026, 5, 1);

/** An organization with these campaigns, and a viewer. */
async function start(t: TestContext, campaigns: ReturnType<typeof campaign>[], timeZone = "UTC") {
  const web = await makeWebWorld(t, { timeZone });
  await web.world.save(web.organization, campaigns);
  const viewer = await web.signIn("viewer");
  return { ...web, viewer, list: (query = "") => viewer.read(`/campaigns?${query}`) };
}

test("lists what each campaign has, in the organization's time zone, and the totals", async (t) => {
  const { world, organization, viewer } = await start(t, [], "America/New_York");
  const subject = "The week <script>alert(1)</script> & 👩‍👩‍👧";
  await world.save(organization, [
    campaign({
      ...{ id: 7, subject, team: "Sales", recipientCount: 12_345, sentAt: Date.UTC(2026, 5, 1, 3, 4) },
      tags: [{ name: "News", color: "#123456" }, "A&B"],
      metrics: { open_rate: 0.2564, unique_opens: null, click_rate: null, unique_clicks: null },
    }),
    campaign({ id: 8, subject: " ", sentAt: world.clock.now + 60_000 }),
  ]);
  const text = await viewer.read("/campaigns?period=all");
  const cells = ["May 31", "Sales", "A&B News", "25.6%", "– no value"];
  assert.deepEqual(rowsIn(text), [[subject, ...cells]]);
  assert.doesNotMatch(text, /<script>alert/);
  assertMatches(text, [
    /<a href="\/campaigns\/7\?list=period%3Dall"><bdi[^>]*>The week/,
    /title="May 31, 2026, 11:04 PM EDT"/,
    /fill="#123456"/,
    /<caption class="visually-hidden">1 campaign<\/caption>/,
  ]);
});

test("sorts by each column and keeps campaigns without a value last", async (t) => {
  const campaigns = [0.5, null, 0.1, 0.3].map((rate, index) =>
    campaign({
      ...{ id: index + 1, subject: `Letter ${index + 1}`, sentAt: june + index, team: `T${4 - index}` },
      ...{ recipientCount: 10 * (index + 1), metrics: { open_rate: rate, unique_opens: null } },
    }),
  );
  const { list } = await start(t, campaigns);
  for (const [query, order] of [
    ["", "4321"],
    ["order=asc", "1234"],
    ["sort=open_rate", "3412"],
    ["sort=open_rate&order=desc", "1432"],
    ["sort=team", "4321"],
    ["sort=recipients&order=desc", "4321"],
    ["sort=subject", "1234"],
  ] as const) {
    const shown = subjectsOf(await list(`period=all&${query}`)).map((subject) => subject?.at(-1));
    assert.equal(shown.join(""), order, query);
  }
  const text = await list("period=all&sort=open_rate");
  assert.match(text, /<th scope="col" class="number rate" aria-sort="ascending"><a href="[^"]*"/);
  assert.equal(linkOf(text, "Open rate"), "/campaigns?period=all&sort=open_rate&order=desc");
  assert.equal(linkOf(text, "Click rate"), "/campaigns?period=all&sort=click_rate");
  assert.equal(linkOf(text, "Sent"), "/campaigns?period=all");
  const sorted = await list("period=all&sort=average_rating&columns=team");
  assert.match(sorted, /aria-sort="ascending"><a [^>]*>Average rating</);
  assert.doesNotMatch(await list("period=all&columns=team"), /data-label="Sent"/);
});

test("totals are weighted by recipients, and say from how many campaigns they come", async (t) => {
  const of = (id: number, recipientCount: number, unique_opens: number | null) =>
    campaign({ id, sentAt: june, recipientCount, metrics: { unique_opens, unique_clicks: null } });
  const { world, organization, list } = await start(t, [of(1, 100, 50), of(2, 300, 60), of(3, 50, null)]);
  const totals = async (columns: string) =>
    rowsIn(await list(`period=all&columns=${columns}`), "tfoot")[0]?.join(" · ");
  assert.equal(
    await totals("team,recipients,open_rate,opens,click_rate"),
    "Total of 3 campaigns ·  · 450 emails sent · 27.5% (0–100) from 2 of 3 · – no value from 0 of 3 · 110",
  );
  assert.match(
    await list("period=all&columns=open_rate"),
    /<small title="[^"]* leave out rates that were imported without counts [^"]*">from 2 of 3</,
  );
  await world.save(organization, [of(4, 1_000, null)]);
  const later = "Total of 4 campaigns · 1,450 emails sent · 27.5% (0–100) from 2 of 4";
  assert.equal(await totals("recipients,open_rate"), later);
});

test("paginates campaigns, each exactly once, in pages of 25, 50 or 100", async (t) => {
  const names = Array.from({ length: 53 }, (_, index) => `Letter ${index}`);
  const campaigns = names.map((subject, index) => campaign({ id: index + 1, subject, sentAt: june + index }));
  const { viewer, list } = await start(t, campaigns);
  const pages = await follow(viewer, "/campaigns?period=all");
  const sizes = pages.map((page) => page.length);
  assert.deepEqual(sizes, [25, 25, 3]);
  assert.deepEqual(pages.flat(), names.toReversed());
  assert.deepEqual((await follow(viewer, "/campaigns?period=all&order=asc&rows=50")).flat(), names);
  const second = await list("period=all&page=2");
  assert.match(second, /26–50 of 53/);
  assert.equal(linkOf(second, "Previous page"), "/campaigns?period=all");
  assert.equal(linkOf(second, "100"), "/campaigns?period=all&rows=100");
  const rangeOf = async (page: string) =>
    /[\d,]+–[\d,]+ of \d+/.exec(await list(`period=all&page=${page}`))?.[0];
  for (const page of ["0", "-1", "x", "1e9", ""]) assert.equal(await rangeOf(page), "1–25 of 53", page);
  for (const page of ["3", "4", "1000000"]) assert.equal(await rangeOf(page), "51–53 of 53", page);
});

test("searches subjects in any case and Unicode form, and keeps the total", async (t) => {
  const many = Array.from({ length: 60 }, (_, index) =>
    campaign({
      ...{ id: index + 1, sentAt: june, team: index % 4 === 1 ? "A" : "B" },
      subject: index % 2 ? `Grüße ${index}` : `Letter ${index} %_`,
    }),
  );
  const { viewer, list } = await start(t, many);
  const wanted = many.filter((_, index) => index % 2).map((each) => each.campaign.subject);
  const query = `period=all&q=${encodeURIComponent("GRU\u0308SSE")}`;
  assert.deepEqual((await follow(viewer, `/campaigns?${query}`)).flat(), wanted.toReversed());
  assert.match(await list(query), /<h2>30 campaigns<\/h2>/);
  assert.equal((await follow(viewer, `/campaigns?${query}&team=A`)).flat().length, 15);
  assert.equal(subjectsOf(await list("period=all&q=%25_")).length, 25);
  for (const parameters of ["q=a%00b", "q=%00", "team=a%00b", "q=abc&team=%00"]) {
    const page = await viewer.get(`/campaigns?period=all&${parameters}`);
    assert.deepEqual([page.status, subjectsOf(page.text)], [200, []], parameters);
  }
  const nothing = await list("q=%3Cscript%3E");
  assert.match(nothing, /No results for/);
  assert.equal(linkOf(nothing, "Clear search"), "/campaigns");
  assert.match(nothing, /name="q" value="&lt;script&gt;"/);
  assert.equal(linkOf(nothing, "Show all time"), "/campaigns?period=all&q=%3Cscript%3E");
});

test("filters campaigns, and shows the columns that the URL names", async (t) => {
  const campaigns = Array.from({ length: 40 }, (_, index) =>
    campaign({ id: index + 1, sentAt: june + index * dayMs * 0.25, tags: ["x"], team: "A" }),
  );
  const { list } = await start(t, [...campaigns, campaign({ id: 99, sentAt: june, team: "B" })]);
  const of = async (query: string) => rowsIn(await list(query)).length;
  assert.equal(await of("from=2026-06-02&until=2026-06-02"), 4);
  assert.equal(await of("period=2026-Q2&team=B"), 1);
  assert.equal(await of("period=2026-06&tag_ids=1"), 25);
  const first = await list("tag_ids=1&from=2026-06-01&columns=kind,team");
  const next = "/campaigns?from=2026-06-01&tag_ids=1&columns=team%2Ckind&page=2";
  assert.equal(linkOf(first, "Next page"), next);
  assert.deepEqual(rowsIn(first)[0], ["Campaign 40 still counting", "A", "Imported"]);
  assert.deepEqual(rowsIn(await list("period=all&columns=none"))[0], ["Campaign 40 still counting"]);
});

test("lists 500 tags to filter by, and each selected one", async (t) => {
  const names = Array.from({ length: 503 }, (_, index) => `Tag ${1_000 + index}`);
  const { world, organization, list } = await start(t, [campaign({ id: 1, tags: names })]);
  const last = (await world.database.queryOf(organization.id, listTags)).at(-1)?.id;
  const menuOf = async (query: string) =>
    /<details [^>]*id="menu-tags".*?<\/details>/s.exec(await list(query))?.[0] ?? "";
  const without = await menuOf("");
  assert.equal(without.match(/type="checkbox"/g)?.length, 500);
  assert.match(without, /3 more tags: add their IDs to the URL/);
  const selected = await menuOf(`tag_ids=${last},999`);
  assertMatches(selected, [
    new RegExp(`type="checkbox" name="tag_ids" value="${last}" checked> .*Tag 1502`),
    /2 more tags: /,
    /<input type="hidden" name="tag_ids" value="999">/,
  ]);
});

test("filters campaigns by their surveys, also in the file", async (t) => {
  const unrated = { enps_reactions_count: 0, survey_reactions_count: null };
  const answered = { enps_reactions_count: null, survey_reactions_count: 3 };
  const { viewer, list } = await start(t, [
    campaign({ id: 1, subject: "Rated", sentAt: june + 3 }),
    campaign({ id: 2, subject: "Answered", sentAt: june + 2, metrics: answered }),
    campaign({ id: 3, subject: "Asked", sentAt: june + 1, surveysCount: 1, metrics: unrated }),
    campaign({ id: 4, subject: "Neither", sentAt: june, metrics: unrated }),
  ]);
  const chosen = { rated: ["Rated"], some: ["Rated", "Answered", "Asked"], none: ["Neither"] };
  for (const [surveys, expected] of Object.entries(chosen)) {
    const query = `period=all&surveys=${surveys}`;
    const text = await list(query);
    assert.deepEqual(subjectsOf(text), expected);
    assert.match(text, new RegExp(`<option value="${surveys}" selected>`));
    const lines = (await viewer.read(`/campaigns.csv?${query}`)).match(/^\d+,\w+/gm);
    const inFile = lines?.map((line) => line.split(",")[1]);
    assert.deepEqual(inFile, expected);
  }
});

test("never shows campaigns of another organization", async (t) => {
  const { world, organization, list } = await start(t, []);
  const other = await world.addOrganization();
  await world.save(other.organization, [campaign({ id: 1, subject: "Foreign", tags: ["x"], sentAt: june })]);
  assert.match(await list(), /No campaigns yet/);
  await world.save(organization, [campaign({ id: 1, subject: "Own", sentAt: june })]);
  for (const query of ["", "period=all", "q=o", "tag_ids=1", "team=Default+Team"]) {
    assert.doesNotMatch(await list(query), /Foreign/);
  }
});

test("answers 400 when a parameter is invalid, with the other filters beside dates", async (t) => {
  const { viewer } = await start(t, [campaign({ id: 1 })]);
  for (const [query, problem] of [
    ["rows=30", /Rows per page: &quot;30&quot; is not accepted; use one of 25, 50, 100\./],
    ["sort=tags", /Sort: &quot;tags&quot; is not accepted; use one of subject, sent_at/],
    ["order=up", /Sort: &quot;up&quot; is not accepted; use one of asc, desc\./],
    ["columns=team,color", /Columns: &quot;color&quot; is not accepted/],
    ["period=soon", /Period: &quot;soon&quot; is not accepted/],
    ["from=2026-02-01&until=2026-01-01", /From: Feb 1, 2026 is later than Until: Jan 1, 2026/],
    ["tag_ids=x", /Tags: &quot;x&quot; is not the ID of a tag; separate IDs by commas/],
  ] as const) {
    const page = await viewer.get(`/campaigns?${query}&q=abc`);
    assertPage(page, 400, problem, query);
    const isDate = query.startsWith("from");
    assert.equal(page.text.includes('name="q" value="abc"'), isDate, query);
    assert.equal(/<details class="menu pick[^>]* open>/.test(page.text), isDate, query);
    assert.equal(/id="until" [^>]*value="2026-01-01">/.test(page.text), isDate, query);
    assert.equal((await viewer.get(`/campaigns.csv?${query}`)).status, 400, query);
  }
});

test("shows a dash for rates from imported numbers that are too large to add up", async (t) => {
  const huge = {
    ...{ desktop_open_rate: 1e308, mobile_open_rate: 1e308, unique_opens: Number.MAX_SAFE_INTEGER },
    ...{ read_time_glanced: 1e308, read_time_skimmed: 0, read_time_read: 1e308 },
    ...{ enps_score_average: 1e308, enps_reactions_count: 1_000 },
  };
  const fine = { desktop_open_rate: 60, mobile_open_rate: 40, unique_opens: 10 };
  const { viewer } = await start(t, [
    campaign({ id: 1, sentAt: june, metrics: huge }),
    campaign({ id: 2, sentAt: june + 1, metrics: { ...huge, enps_score_average: -1e308 } }),
    ...[3, 4].map((id) => campaign({ id, sentAt: june + id, metrics: fine })),
  ]);
  const list = `/campaigns?columns=${columnNames.join()}`;
  for (const path of ["/", list, "/campaigns/1", "/campaigns/compare?ids=1,2"]) {
    const text = await viewer.read(path);
    assert.doesNotMatch(text.replaceAll(/<script.*?<\/script>/gs, ""), /NaN|Infinity|∞/, path);
  }
});

test("shows the choice of the activity only if a campaign is counted from events", async (t) => {
  const { world, signIn, organization } = await makeWebWorld(t);
  await world.save(organization, [campaign({ id: 1, team: "Old", sentAt: world.clock.now - 1 })]);
  const viewer = await signIn("viewer");
  const choice = /<select id="traffic"|<span>[^<]* · Human only<\/span>/;
  const expectNone = async (path: string) => assert.doesNotMatch(await viewer.read(path), choice, path);
  for (const path of ["/", "/campaigns", "/links"]) await expectNone(path);
  await world.register(organization, 2);
  for (const path of ["/", "/campaigns", "/links"]) {
    const text = await viewer.read(path);
    assert.match(text, /<option value="people" selected>Human only</, path);
    assert.match(text, /<span>[^<]* · Human only<\/span>/, path);
    await expectNone(`${path}?team=Old`);
  }
  const text = await viewer.read("/breakdown?team=Old");
  assert.match(text, /Imported, with numbers as reported: 1 of 1 campaign\./);
});

test("downloads all campaigns of the list with its columns and order as CSV, in one unit, without formulas", async (t) => {
  const campaigns = Array.from({ length: 300 }, (_, index) =>
    campaign({ id: index + 10, sentAt: june + index, team: "A" }),
  );
  const other = campaign({
    ...{ id: 1, subject: '=HYPERLINK("https://example.com")', sentAt: june, team: "B", recipientCount: 30 },
    tags: [{ name: "News", color: "#123456" }, "A&B"],
    metrics: {
      ...{ open_rate: 0.3333, unique_opens: 10, click_rate: null, unique_clicks: null, read_time_read: 7 },
      ...{ read_time_glanced: 53, read_time_skimmed: 40, enps_score_average: 8.25, enps_reactions_count: 4 },
    },
  });
  const { world, organization, viewer } = await start(t, [...campaigns, other]);
  const all = await viewer.get("/campaigns.csv?period=all&team=A&sort=open_rate&page=2&rows=25");
  assert.equal(all.headers.get("content-type"), "text/csv; charset=utf-8");
  for (const [query, name] of [
    ["period=all", "all-time-human"],
    ["period=2026-Q4&traffic=all", "2026-10-01-to-2026-12-31-all-activity"],
    ["until=2026-05-31", "until-2026-05-31-human"],
  ] as const) {
    const { headers } = await viewer.get(`/campaigns.csv?${query}`);
    assert.equal(headers.get("content-disposition"), `attachment; filename="campaigns-${name}.csv"`);
  }
  const ids = all.text.match(/^\d+/gm)?.map(Number);
  const expected = campaigns.map(({ campaign: { id } }) => id).toReversed();
  assert.deepEqual(ids, expected);
  const linesOf = async (query: string) =>
    (await viewer.read(`/campaigns.csv?period=all&${query}`)).split("\r\n").slice(0, 2);
  const subject = `"'=HYPERLINK(""https://example.com"")"`;
  assert.deepEqual(await linesOf("team=B"), [
    "ID,Subject,Sent (UTC),Team,Tags,Open rate (%),Click rate (%),Still counting (0/1)",
    `1,${subject},2026-06-01 00:00:00,B,"A&B; News",33.3333333333333,,0`,
  ]);
  assert.deepEqual(await linesOf("team=B&columns=kind,click_rate,read_time,enps,average_rating"), [
    "ID,Subject,Click rate (%),Read over 9 s (%),eNPS (−100…100),Average rating (0…10),Data source,Still counting (0/1)",
    `1,${subject},,7,,8.25,Imported,0`,
  ]);
  await world.save(organization, [campaign({ id: 2, subject: " ", sentAt: june, team: "C" })]);
  assert.equal((await linesOf("team=C&columns=team"))[1], "2,Campaign without a subject,C,0");
});

test("compares two to five campaigns and marks the best rates", async (t) => {
  const campaigns = [0.5, 0.25, null, 0.1, 0.1, 0.1].map((rate, index) =>
    campaign({
      ...{ id: index + 1, subject: `Letter <${index + 1}>`, sentAt: june, recipientCount: 1_000 },
      metrics: { open_rate: rate, unique_opens: rate === null ? null : 1_000 * rate },
    }),
  );
  const { world, organization, viewer } = await start(t, campaigns);
  const other = await world.addOrganization();
  await world.save(other.organization, [campaign({ id: 99, subject: "Foreign" })]);
  await world.register(organization, 10, { subject: "Counted" });
  await world.ingest(organization, [
    { id: "e", recipient: "ann@example.com", type: "open", campaign_id: 10, at: "2026-06-15T11:30:00Z" },
  ]);
  const two = await viewer.get("/campaigns/compare?ids=2&ids=1");
  assert.equal(two.status, 200);
  assert.deepEqual(rowOf(two.text, "Open rate"), ["25.0%", "50.0% best"]);
  const titles = rowsIn(two.text).map(([title]) => title);
  assert.ok(titles.includes("Unique clicks"));
  for (const title of ["eNPS", "Open rate vs. team"]) {
    assert.equal(titles.includes(title), false, `no campaign has a value: ${title}`);
  }
  assert.match(textOf(two.text), /Imported, so without opens by age: Letter <2>, Letter <1>\./);
  assert.doesNotMatch(two.text, /No data yet/);
  const equal = await viewer.read("/campaigns/compare?ids=4,5,6,3,4");
  assert.deepEqual(rowOf(equal, "Open rate"), ["10.0%", "10.0%", "10.0%", "– no value"]);
  const counted = await viewer.read("/campaigns/compare?ids=1,10");
  assertMatches(counted, [/<path class="line"/, /<h2>Open rate by age<\/h2>/]);
  assert.doesNotMatch(two.text, /<path class="line"/);
  assert.equal(rowOf(counted, "Unique opens")[1], "1");
  for (const [query, status, problem] of [
    ["", 400, /Select two to five campaigns, not 0/],
    ["ids=1", 400, /Select two to five campaigns, not 1/],
    ["ids=1,1,1", 400, /campaigns, not 1/],
    ["ids=1,2,3,4,5,6", 400, /campaigns, not 6/],
    ["ids=1,x", 404, /Your organization has no campaign &quot;x&quot;/],
    ["ids=1,99", 404, /Your organization has no campaign &quot;99&quot;/],
    ["ids=1,9007199254740993", 404, /has no campaign/],
  ] as const) {
    const page = await viewer.get(`/campaigns/compare?${query}`);
    assert.equal(page.status, status, query);
    assert.match(page.text, problem);
  }
});
