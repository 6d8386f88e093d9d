// The campaigns page: pagination, search, order, filters, and isolation of organizations.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "../../../../src/campaign/calendar/durations.ts";
import { makeWebWorld, type SignedInClient } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

/** The text of the cells of each row. */
function rowsOf(text: string): string[][] {
  const body = /<tbody>(.*?)<\/tbody>/s.exec(text)?.[1] ?? "";
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, "")),
  );
}

const subjectsOf = (text: string) => rowsOf(text).map(([subject]) => subject);

function linkOf(text: string, name: string): string | undefined {
  return new RegExp(`<a href="([^"]*)">${name}</a>`).exec(text)?.[1]?.replaceAll("&amp;", "&");
}

async function follow(client: SignedInClient, path: string, name: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next; ) {
    const { text, status } = await client.get(next);
    assert.equal(status, 200);
    pages.push(subjectsOf(text) as string[]);
    next = linkOf(text, name);
  }
  return pages;
}

const start = Date.UTC(2026, 5, 1);

test("lists the values of the record, in the organization's time zone", async (t) => {
  const { world, signIn } = await makeWebWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "America/New_York" });
  await world.save(organization, [
    campaign({
      id: 7,
      subject: "The week <script>alert(1)</script> & 👩‍👩‍👧",
      sentAt: Date.UTC(2026, 5, 1, 3, 4),
      team: "Sales",
      tags: [{ name: "News", color: "#123456" }, "A&B"],
      recipientCount: 12_345,
      metrics: { open_rate: 0.2564, click_rate: null },
    }),
    campaign({ id: 8, subject: " ", sentAt: world.clock.now + 60_000 }),
  ]);
  const { text, status } = await (await signIn("viewer", { organization })).get("/campaigns");
  assert.equal(status, 200);
  assert.deepEqual(rowsOf(text), [
    [
      "The week &lt;script&gt;alert(1)&lt;/script&gt; &amp; 👩‍👩‍👧",
      "May 31, 2026, 11:04 PM EDT",
      "Sales",
      "A&amp;BNews",
      "12,345",
      "25.6%",
      "–",
    ],
  ]);
  assert.match(text, /<a href="\/campaigns\/7">The week/);
  assert.match(text, /fill="#123456"/);
  assert.match(text, /<caption>1 campaign, newest first<\/caption>/);
});

test("paginates campaigns newest first or in reverse order, each exactly once", async (t) => {
  const { world, signIn, organization } = await makeWebWorld(t);
  const names = Array.from({ length: 53 }, (_, index) => `Letter ${index}`);
  await world.save(
    organization,
    names.map((subject, index) => campaign({ id: index + 1, subject, sentAt: start + index })),
  );
  const viewer = await signIn("viewer");
  const pages = await follow(viewer, "/campaigns", "Next page");
  assert.deepEqual(
    pages.map((page) => page.length),
    [25, 25, 3],
  );
  assert.deepEqual(pages.flat(), names.toReversed());
  const first = await viewer.get("/campaigns");
  assert.match(first.text, /Page 1 of 3/);
  assert.match(first.text, /aria-sort="descending"><a href="\/campaigns\?range=all&amp;order=earliest"/);
  const turned = await follow(viewer, "/campaigns?order=earliest", "Next page");
  assert.deepEqual(turned.flat(), names);
  const beyond = await viewer.get("/campaigns?page=9");
  assert.match(beyond.text, /There is no page 9\./);
  assert.doesNotMatch(beyond.text, /Page 9 of/);
  assert.equal(linkOf(beyond.text, "Previous page"), "/campaigns?range=all&page=3");
});

test("searches subjects in any case and Unicode form, newest first and in batches", async (t) => {
  const { world, signIn, organization } = await makeWebWorld(t);
  const many = Array.from({ length: 60 }, (_, index) =>
    campaign({
      id: index + 1,
      subject: index % 2 ? `Grüße ${index}` : `Letter ${index} %_`,
      sentAt: start,
      team: index % 4 === 1 ? "A" : "B",
    }),
  );
  await world.save(organization, many);
  const viewer = await signIn("viewer");
  const wanted = many
    .filter((_, index) => index % 2)
    .map((each) => each.campaign.subject)
    .reverse();
  const asked = `/campaigns?subject=${encodeURIComponent("GRU\u0308SSE")}`;
  const pages = await follow(viewer, asked, "Older campaigns");
  assert.deepEqual(
    pages.map((page) => page.length),
    [25, 5],
  );
  assert.deepEqual(pages.flat(), wanted);
  assert.match(
    (await viewer.get("/campaigns?subject=LETTER")).text,
    /<caption>Campaigns with “LETTER” in the subject, newest first<\/caption>/,
  );
  assert.match(
    (await viewer.get("/campaigns?team=A")).text,
    /<caption>Campaigns that match the filters, newest first<\/caption>/,
  );
  const turned = await follow(viewer, `${asked}&order=earliest`, "Newer campaigns");
  assert.deepEqual(turned.flat(), wanted.toReversed());
  const ofTeam = await follow(viewer, `${asked}&team=A`, "Older campaigns");
  assert.equal(ofTeam.flat().length, 15);
  assert.equal(subjectsOf((await viewer.get("/campaigns?subject=%25_")).text).length, 25);
  assert.match((await viewer.get(`${asked}&after=0_1`)).text, /<p class="card">No more matches\.<\/p>/);
  for (const query of ["subject=a%00b", "subject=%00", "team=a%00b", "subject=abc&team=%00"]) {
    const page = await viewer.get(`/campaigns?${query}`);
    assert.deepEqual([page.status, subjectsOf(page.text)], [200, []], query);
  }
  const nothing = await viewer.get("/campaigns?subject=%3Cscript%3E");
  assert.match(nothing.text, /No campaigns match these filters\./);
  assert.match(nothing.text, /name="subject" value="&lt;script&gt;"/);
});

test("filters campaigns as on the overview, and keeps the filters in the pagination", async (t) => {
  const { world, signIn, organization } = await makeWebWorld(t);
  await world.save(
    organization,
    Array.from({ length: 40 }, (_, index) =>
      campaign({ id: index + 1, sentAt: start + index * dayMs * 0.25, tags: ["x"], team: "A" }),
    ),
  );
  await world.save(organization, [campaign({ id: 99, sentAt: start, team: "B" })]);
  const viewer = await signIn("viewer");
  const of = async (query: string) => rowsOf((await viewer.get(`/campaigns?${query}`)).text).length;
  assert.equal(await of("sent_after=2026-06-02&sent_before=2026-06-02"), 4);
  assert.equal(await of("team=B"), 1);
  assert.equal(await of("tag_ids=1"), 25);
  assert.equal(await of("range=3-months&team=B"), 1);
  const first = await viewer.get("/campaigns?tag_ids=1&sent_after=2026-06-01");
  assert.equal(linkOf(first.text, "Next page"), "/campaigns?sent_after=2026-06-01&tag_ids=1&page=2");
});

test("never shows campaigns of another organization", async (t) => {
  const { world, signIn, organization } = await makeWebWorld(t);
  const other = await world.addOrganization();
  await world.save(other.organization, [campaign({ id: 1, subject: "Foreign", tags: ["x"], sentAt: start })]);
  const viewer = await signIn("viewer");
  assert.match((await viewer.get("/campaigns")).text, /No campaigns yet/);
  await world.save(organization, [campaign({ id: 1, subject: "Own", sentAt: start })]);
  for (const query of ["", "subject=o", "tag_ids=1", "team=Default+Team"]) {
    const { text } = await viewer.get(`/campaigns?${query}`);
    assert.doesNotMatch(text, /Foreign/);
  }
});

test("answers 400 with the input when a parameter of the campaigns page is invalid", async (t) => {
  const { world, signIn, organization } = await makeWebWorld(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const viewer = await signIn("viewer");
  for (const [query, problem] of [
    ["page=0", /page: &quot;0&quot; is not a whole number of at least 1/],
    ["page=1e9", /page: &quot;1e9&quot;/],
    ["order=subject", /order: &quot;subject&quot; is not an order; use latest or earliest\./],
    ["subject=x&after=y", /after: &quot;y&quot; is not the position of a campaign/],
    ["sent_after=yesterday", /From: &quot;yesterday&quot; is not a date/],
  ] as const) {
    const page = await viewer.get(`/campaigns?${query}`);
    assert.equal(page.status, 400, query);
    assert.match(page.text, problem);
  }
  assert.match((await viewer.get("/campaigns?subject=abc&page=x")).text, /name="subject" value="abc"/);
});
