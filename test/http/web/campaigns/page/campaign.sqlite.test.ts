// The page of one campaign: metrics, activity, links, surveys and permissions.

import assert from "node:assert/strict";
import test from "node:test";
import { metricNames } from "../../../../../src/campaign/metrics.ts";
import { closeCampaign } from "../../../../../src/counting/campaigns/close-campaigns.ts";
import { findLinks } from "../../../../../src/storage/campaigns/campaign-links.ts";
import { Scope } from "../../../../../src/storage/queries/scope.ts";
import { readHours } from "../../../../support/hours.ts";
import { makeWebWorld, requestPage, type WebWorld } from "../../../../support/web-world.ts";
import { campaign, present } from "../../../../support/world.ts";

let events = 0;

const event = (given: Record<string, unknown> = {}) => {
  events += 1;
  return {
    id: `e-${events}`,
    campaign_id: 1,
    recipient: "ann@example.com",
    type: "open",
    at: "2026-06-15T11:05:00Z",
    ...given,
  };
};
const click = (given: Record<string, unknown> = {}) =>
  event({ type: "click", url: "https://example.com/news", ...given });

/** The text of the page, without tags and with single spaces. */
const textOf = (page: string) =>
  page
    .replace(/^[\s\S]*<main[^>]*>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

/** The text of the cells of the row with this first cell. */
function rowOf(page: string, first: string): string[] {
  const rows = [...page.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
      cell.replace(/<[^>]*>/g, "").trim(),
    ),
  );
  return rows.find(([head]) => head === first) ?? assert.fail(`no row ${first}`);
}

/** The opens and clicks of the table of traffic, summed over the rows of a kind before its total. */
function sumOfVerdicts(page: string, traffic: "people" | "all"): number[] {
  const table = /<caption>Opens and clicks by kind of activity[\s\S]*?<\/table>/.exec(page)?.[0] ?? "";
  const rows = table
    .split("<tr>")
    .slice(2)
    .filter((row) => !/>Total, /.test(row))
    .filter((row) =>
      traffic === "all" ? !row.includes(">Human only</td>") : !/>(?:Automated|All activity)<\/td>/.test(row),
    );
  const numbers = rows.map((row) =>
    [...row.matchAll(/<td class="number"[^>]*>(\d+)/g)].map(([, number]) => Number(number)),
  );
  return [0, 1].map((column) => numbers.reduce((sum, each) => sum + (each[column] ?? 0), 0));
}

const register = ({ world, organization }: WebWorld, given: Record<string, unknown> = {}) =>
  world.register(organization, 1, given);

test("shows the metrics of the record, the local time and the tags of a counted campaign", async (t) => {
  const site = await makeWebWorld(t);
  const { organization } = await site.world.addOrganization({ name: "Far", timeZone: "Asia/Tokyo" });
  await site.world.register(organization, 1, {
    subject: "The week",
    recipient_count: 12_345,
    tags: [{ name: "HR & more", color: "#4E79A7" }],
    external_id: "weekly-1",
    recipient_groups: ["Sales", "Berlin"],
  });
  await site.world.ingest(organization, [event(), event(), click({ recipient: "bob@example.com" })]);
  const viewer = await site.signIn("viewer", { organization });
  const { status, text: summary } = await viewer.get("/campaigns/1");
  assert.equal(status, 200);
  assert.match(summary, /<h1><bdi[^>]*>The week<\/bdi><\/h1>/);
  assert.match(
    textOf(summary),
    /Still counting · 1.h · Default Team · Sent Jun 15, 2026, 8:00 PM GMT\+9 · HR &amp; more · Active 45 minutes ago/,
  );
  assert.match(textOf(summary), /Open rate &lt;0\.1% 2 of 12,345 Click rate &lt;0\.1% 1 of 12,345/);
  assert.match(textOf(summary), /Click-to-open rate 50\.0% \(9–91\) 1 of 2 openers/);
  assert.match(
    textOf(summary),
    /Counted from events as they arrive\. The numbers include human activity only\./,
  );
  const { text } = await viewer.get("/campaigns/1?tab=details");
  assert.deepEqual(rowOf(text, "Unique opens"), ["Unique opens", "2", "2"]);
  assert.deepEqual(rowOf(text, "Total opens"), ["Total opens", "3", "3"]);
  assert.deepEqual(rowOf(text, "Open rate"), ["Open rate", "&lt;0.1%", "0.0002"]);
  assert.deepEqual(rowOf(text, "Unopened"), ["Unopened", "12,343", "12343"]);
  assert.deepEqual(rowOf(text, "Tracking type"), ["Tracking type", "Individual"]);
  assert.deepEqual(rowOf(text, "Recipient groups"), ["Recipient groups", "Sales, Berlin"]);
  assert.deepEqual(rowOf(text, "External ID"), ["External ID", "weekly-1"]);
  assert.match(text, /<rect width="1" height="1" fill="#4E79A7"\/><\/svg><bdi[^>]*>HR &amp; more</);
  assert.doesNotMatch(summary + text, /<[^>]+ style=/);
});

test("shows opens and clicks by hour, by local day, and by kind of traffic", async (t) => {
  const site = await makeWebWorld(t);
  await register(site, { sent_at: "2026-06-13T21:30:00Z", tracking_type: "Individual" });
  await site.world.ingest(site.organization, [
    event({ at: "2026-06-13T22:10:00Z" }),
    event({ at: "2026-06-14T01:00:00Z", user_agent: "Mozilla/5.0" }),
    ...["a", "b", "c"].map((name) =>
      click({
        recipient: "fast@example.com",
        at: "2026-06-14T02:00:00Z",
        url: `https://example.com/${name}`,
      }),
    ),
    click({ at: "2026-06-14T03:00:00Z" }),
    click({ at: "2026-06-14T03:00:00Z", recipient: "scan@example.com", hidden: true }),
    click({ at: "2026-06-14T03:00:00Z", recipient: "scan@example.com" }),
  ]);
  const viewer = await site.signIn("viewer");
  const { text } = await viewer.get("/campaigns/1?tab=activity");
  assert.deepEqual(rowOf(text, "Jun 13, 2026"), ["Jun 13, 2026", "1", "0", "0", "0"]);
  assert.deepEqual(rowOf(text, "Jun 14, 2026"), ["Jun 14, 2026", "0", "1", "1", "5"]);
  assert.deepEqual(rowOf(text, "Human").slice(1), ["Human", "No sign of automation.", "1", "1"]);
  assert.deepEqual(rowOf(text, "Apple Mail prefetch").slice(-2), ["1", "0"]);
  assert.deepEqual(rowOf(text, "Burst of clicks").slice(-2), ["0", "3"]);
  assert.deepEqual(rowOf(text, "Hidden link").slice(-2), ["0", "1"]);
  assert.deepEqual(rowOf(text, "Recipient with a hidden-link click").slice(-2), ["0", "1"]);
  assert.match(text, /the entire user agent is <code>Mozilla\/5\.0<\/code>/);
  for (const series of ["Human opens", "Automated opens", "Human clicks", "Automated clicks"])
    assert.ok(text.includes(` ${series}</li>`), series);
  // Every hour from sent_at until now has a label.
  for (const hour of ["Jun 13, 9:00 PM", "Jun 13, 10:00 PM", "Jun 13, 11:00 PM", "Jun 15, 12:00 PM"])
    assert.ok(text.includes(hour), hour);
  assert.ok(!text.includes("Jun 15, 1:00 PM"));
  assert.doesNotMatch(text, /class="switch"/, "the tab shows both kinds of traffic");
  assert.match(textOf(text), /Counted from events as they arrive\. $/, "the tables say which kind");
  // With all traffic, the two recipients who only clicked have opened too.
  const all = await viewer.read("/campaigns/1?tab=activity&traffic=all");
  const footer = /<tfoot>[\s\S]*<\/tfoot>/.exec(text)?.[0] ?? "";
  assert.deepEqual(rowOf(footer.slice(footer.indexOf("Total, human only")), "Inferred opens").slice(-2), [
    "2",
    "0",
  ]);
  for (const [page, traffic, total] of [
    [text, "people", "Total, human only"],
    [text, "all", "Total, all activity"],
    [all, "people", "Total, human only"],
  ] as const) {
    const details = await viewer.read(`/campaigns/1?tab=details&traffic=${traffic}`);
    const recorded = ["Total opens", "Total clicks"].map((name) => Number(rowOf(details, name)[1]));
    assert.deepEqual(rowOf(page, total).slice(1).map(Number), recorded);
    assert.deepEqual(sumOfVerdicts(page, traffic), recorded);
  }
});

test("sorts links by human clicks, removes personal data, and leads to the page of each", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  const recipients = ["a", "b", "c"].map((name) => `${name}@example.com`);
  await site.world.ingest(site.organization, [
    ...recipients.map((recipient) =>
      click({ recipient, url: `https://u:p@example.com/vote?who=${recipient}#x` }),
    ),
    click({ url: "https://example.com/leave/ann@example.com" }),
    click({ url: "javascript:alert(1)", recipient: "x@example.com" }),
    click({ url: 'https://example.com/"><script>alert(2)</script>', recipient: "y@example.com", head: true }),
  ]);
  const viewer = await site.signIn("viewer");
  const { text } = await viewer.get("/campaigns/1?tab=links");
  assert.deepEqual(rowOf(text, "example.com/vote"), ["example.com/vote", "3", "60.0%", "3"]);
  const card = await viewer.read("/campaigns/1");
  assert.match(card, />Human clicks<\/th>.*>Share<\/th>/, "a card has no room for all clicks");
  assert.match(text, /<a href="\/links\?period=all&amp;link=https%3A%2F%2Fexample\.com%2Fvote">/);
  assert.match(textOf(text), /Counted from events as they arrive\. $/, "a column has all clicks");
  assert.deepEqual(rowOf(text, "javascript:alert(1)").slice(1), ["1", "20.0%", "1"]);
  assert.doesNotMatch(text, /href="javascript|<script>alert|who=|u:p@|ann@example\.com/);
  assert.ok(!text.includes('href="https://example.com/leave'));
  assert.ok(text.indexOf("/vote<") < text.indexOf(">javascript:alert(1)<"));
});

test("merges links that differ only in a query string per recipient", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  const clicks = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, index) => {
      const token = from + index;
      return click({
        recipient: `${token}@example.com`,
        url: `https://example.com/${token % 2}?token=${token}`,
      });
    });
  await site.world.ingest(site.organization, clicks(0, 700));
  await site.world.ingest(site.organization, [
    ...clicks(700, 1_200),
    click({ recipient: "late@example.com", url: "https://example.com/late" }),
  ]);
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1?tab=links");
  assert.deepEqual(rowOf(text, "/0").slice(1), ["600", "50.0%", "600"]);
  assert.deepEqual(rowOf(text, "/1").slice(1), ["600", "50.0%", "600"]);
  assert.deepEqual(rowOf(text, "/late").slice(1), ["1", "0.1%", "1"]);
  assert.doesNotMatch(text, /All other links|token=/);
});

test("leads from a truncated URL to its page in the application only", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  await site.world.ingest(site.organization, [click({ url: `https://example.com/${"p".repeat(1_200)}` })]);
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1?tab=links");
  assert.match(text, /<a href="\/links\?[^"]*" title="[^"]*"><bdi[^>]*><wbr>\/p+…<\/bdi><\/a><\/th>/);
  assert.doesNotMatch(text, /href="https:\/\/example/);
});

test("groups by local hours and days in a time zone with a half-hour offset", async (t) => {
  const site = await makeWebWorld(t);
  const { organization } = await site.world.addOrganization({ timeZone: "Asia/Kolkata" });
  await site.world.register(organization, 1, { sent_at: "2026-06-14T18:40:00Z" });
  const at = (time: string) => event({ at: `2026-06-14T${time}:00Z` });
  await site.world.ingest(organization, [at("18:35"), at("18:45"), at("19:29"), at("19:31")]);
  const { text } = await (await site.signIn("viewer", { organization })).get("/campaigns/1?tab=activity");
  assert.match(text, /Sent Jun 15, 2026, 12:10 AM GMT\+5:30/);
  assert.deepEqual(rowOf(text, "Jun 15, 2026").slice(1), ["4", "0", "0", "0"]);
  assert.deepEqual(rowOf(text, "Jun 15, 12:00 AM").slice(1), ["3", "0"]);
  assert.deepEqual(rowOf(text, "Jun 15, 1:00 AM").slice(1), ["1", "0"]);
  assert.doesNotMatch(text, /Jun 14/);
});

test("tells apart the two hours with the same name when clocks go back", async (t) => {
  const site = await makeWebWorld(t);
  const { organization } = await site.world.addOrganization({ timeZone: "America/New_York" });
  site.world.clock.now = Date.parse("2026-11-03T00:00:00Z");
  await site.world.register(organization, 1, { sent_at: "2026-11-01T04:00:00Z" });
  const at = (time: string) => event({ at: `2026-11-01T${time}:00Z` });
  await site.world.ingest(organization, [at("05:10"), at("06:10"), at("06:20")]);
  const { text } = await (await site.signIn("viewer", { organization })).get("/campaigns/1?tab=activity");
  assert.deepEqual(rowOf(text, "Nov 1, 1:00 AM GMT-4").slice(1), ["1", "0"]);
  assert.deepEqual(rowOf(text, "Nov 1, 1:00 AM GMT-5").slice(1), ["2", "0"]);
  assert.deepEqual(rowOf(text, "Nov 1, 2026").slice(1), ["3", "0", "0", "0"]);
});

test("shows earlier activity on its day, not in the first hour, when a campaign is sent again", async (t) => {
  const site = await makeWebWorld(t);
  await register(site, { sent_at: "2026-06-10T11:00:00Z" });
  await site.world.ingest(site.organization, [
    event({ at: "2026-06-10T12:45:00Z" }),
    event({ at: "2026-06-12T12:45:00Z" }),
    event({ at: "2026-06-15T09:59:00Z" }),
    event({ at: "2026-06-15T10:00:00Z" }),
    event({ at: "2026-06-15T11:45:00Z" }),
  ]);
  await register(site, { sent_at: "2026-06-15T11:00:00Z" });
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1?tab=activity");
  assert.deepEqual(rowOf(text, "Jun 15, 11:00 AM").slice(1), ["2", "0"]);
  for (const [day, opens] of [
    ["Jun 10, 2026", "1"],
    ["Jun 12, 2026", "1"],
    ["Jun 15, 2026", "3"],
  ] as const)
    assert.equal(rowOf(text, day)[1], opens, day);
});

test("shows answers that are only comments, also for an unannounced survey", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  await site.world.ingest(
    site.organization,
    Array.from({ length: 5 }, (_, index) =>
      event({
        type: "survey",
        survey_id: "s",
        kind: "pulse",
        comment: `Words ${index}`,
        recipient: `${index}@example.com`,
      }),
    ),
  );
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1?tab=surveys");
  assert.match(textOf(text), /5 recipients answered/);
  assert.match(text, /Words 3/);
});

test("merges links beyond the first 500 into one row and keeps the sums right", async (t) => {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  await register(site);
  const clicks = Array.from({ length: 620 }, (_, index) =>
    click({
      recipient: `${index % 310}@example.com`,
      url: `https://example.com/${index}`,
      at: "2026-06-15T11:30:00Z",
    }),
  );
  const again = clicks
    .slice(490, 520)
    .map((each) => ({ ...each, id: `again-${each.id}`, recipient: "z@example.com" }));
  await world.ingest(organization, clicks.slice(0, 300));
  await world.ingest(organization, clicks.slice(300).reverse());
  await world.ingest(organization, again);
  const links = await world.database.snapshotOf(organization.id, (scope) => findLinks(scope, 1));
  assert.equal(links.length, 501);
  assert.deepEqual(
    links.filter(({ url }) => url === "").map(({ link }) => link),
    [0],
  );
  const sum = (of: "people" | "all") => links.reduce((total, each) => total + each[of], 0);
  assert.deepEqual([sum("people"), sum("all")], [620, 650]);
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1?tab=links");
  assert.equal(rowOf(text, "All other links").length, 4);
});

test("shows average, index and comments of surveys, and names to admins only", async (t) => {
  const site = await makeWebWorld(t);
  await register(site, { surveys_count: 1 });
  const answer = (index: number, score: number, comment = "") =>
    event({
      type: "survey",
      survey_id: "s<1>",
      kind: "enps",
      score,
      comment,
      recipient: `p${index}@example.com`,
    });
  const { world, organization } = site;
  await world.ingest(
    organization,
    [10, 9, 7, 0].map((score, index) => answer(index, score, "<script>alert(1)</script>\nmore")),
  );
  const viewer = await site.signIn("viewer");
  await world.ingest(organization, [answer(4, 6)]);
  const { text } = await viewer.get("/campaigns/1?tab=surveys");
  assert.match(textOf(text), /eNPS 0 eNPS index: [^:]* from 0 to 6 Average rating 6\.4 5 ratings /);
  assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;<br>more/);
  assert.doesNotMatch(text, /p0@example\.com/, "viewers see no names");
  const admin = await site.signIn("admin");
  assert.match(await admin.read("/campaigns/1?tab=surveys"), /p0@example\.com/);
  assert.match(textOf(text), /Only admins see who wrote a comment\./);
  assert.match(
    textOf(await viewer.read("/campaigns/1")),
    /Comments eNPS s&lt;1&gt; · 4 comments All comments/,
  );
  assert.match(text, />Surveys <span class="count">1<\/span>/);
  assert.match(text, /<h2>eNPS<\/h2>/, "the id of the only eNPS survey says nothing");
  await world.ingest(organization, [event({ ...answer(5, 8), survey_id: "t" })]);
  const { text: both } = await viewer.get("/campaigns/1?tab=surveys");
  assert.match(both, /<h2>eNPS <span class="code">s&lt;1&gt;<\/span><\/h2>/);
  assert.doesNotMatch(text, /<script>alert/);
});

test("keeps hours, links and index of a closed campaign, and deletes individual answers", async (t) => {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  await register(site);
  await world.ingest(organization, [
    click(),
    ...Array.from({ length: 5 }, (_, index) =>
      event({
        type: "survey",
        survey_id: "s",
        kind: "enps",
        score: 9,
        comment: "Words",
        recipient: `${index}@example.com`,
      }),
    ),
  ]);
  await world.database.transactionOf(organization.id, (scope) =>
    closeCampaign(scope, organization, 1, present),
  );
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1");
  assert.match(textOf(text), /Closed Jun 15, 2026, 12:00 PM UTC/);
  assert.match(textOf(text), /eNPS \+100 \(.*?\) 5 ratings/);
  assert.match(textOf(text), /Detractors 0\.0% Passives 0\.0% Promoters 100\.0%/);
  assert.deepEqual(rowOf(text, "/news").slice(1), ["1", "100.0%"]);
  const { text: surveys } = await (await site.signIn("viewer")).get("/campaigns/1?tab=surveys");
  assert.match(textOf(surveys), /The campaign is closed\. Individual answers and comments were deleted\./);
  assert.doesNotMatch(text, /Words|0@example\.com/);
});

test("deletes hours and links with their campaign, and starts from zero when its id is used again", async (t) => {
  const site = await makeWebWorld(t);
  const { world, organization, service, ingestKey } = site;
  await register(site);
  await world.ingest(organization, [event(), click()]);
  const rows = () =>
    world.database.snapshot(async (queries) => [
      (await readHours(queries, organization.id, 1)).length,
      (await findLinks(new Scope(queries, organization.id), 1)).length,
    ]);
  assert.deepEqual(await rows(), [2, 1]);
  const deleted = await service.send("/ingest/v1/campaigns/1", { key: ingestKey, method: "DELETE" });
  assert.ok(deleted.status < 300, deleted.text);
  assert.deepEqual(await rows(), [0, 0]);
  const viewer = await site.signIn("viewer");
  assert.equal((await viewer.get("/campaigns/1")).status, 404);
  await register(site);
  assert.match(
    textOf(await viewer.read("/campaigns/1?tab=activity")),
    /No opens or clicks with a known time/,
  );
});

test("shows the numbers of an imported campaign and says that they were imported", async (t) => {
  const site = await makeWebWorld(t);
  await site.world.save(site.organization, [campaign({ id: 7, metrics: { total_opens: 4_321 } })]);
  const { text } = await (await site.signIn("viewer")).get("/campaigns/7?tab=details");
  assert.match(textOf(text), /The numbers of this campaign were imported/);
  assert.deepEqual(rowOf(text, "Total opens"), ["Total opens", "4,321", "4321"]);
  const viewer = await site.signIn("viewer");
  assert.doesNotMatch(await viewer.read("/campaigns/7"), /Opens per 100|Top links|Everything/);
  const unrated = campaign({ id: 8, metrics: { enps_score_average: 0, enps_reactions_count: 0 } });
  await site.world.save(site.organization, [unrated]);
  assert.doesNotMatch(textOf(await viewer.read("/campaigns/8")), /eNPS|Ratings|Surveys/);
  assert.match(await viewer.read("/campaigns/7?tab=links"), /imported, without its links/);
  assert.match(await viewer.read("/campaigns/7?tab=activity"), /imported, without its opens and clicks/);
});

test("shows a dash for a missing number of an imported campaign", async (t) => {
  const site = await makeWebWorld(t);
  const none = Object.fromEntries(metricNames.map((name) => [name, null]));
  await site.world.save(site.organization, [
    campaign({
      id: 7,
      recipientCount: null,
      metrics: { ...none, open_rate: 0.5208, total_clicks: 0, enps_score_average: 7.333333333 },
    }),
  ]);
  const viewer = await site.signIn("viewer");
  const summary = textOf(await viewer.read("/campaigns/7"));
  assert.match(
    summary,
    /Open rate 52\.1% Click rate – no value Click-to-open rate – no value Read over 9 s – no value .* Average rating 7\.33/,
  );
  const { text } = await viewer.get("/campaigns/7?tab=details");
  for (const [title, value] of Object.entries({
    "Open rate": ["52.1%", "0.5208"],
    "Click rate": ["– no value", "0"],
    "Total clicks": ["0", "0"],
    "Total opens": ["– no value", "0"],
    "Opens on mobile": ["– no value", "0"],
    "eNPS: average rating": ["7.33", "7.333333333"],
    "eNPS: ratings": ["– no value", "0"],
  })) {
    assert.deepEqual(rowOf(text, title), [title, ...value]);
  }
  assert.match(textOf(text), /A dash means that the number is missing/);
  const [record] = (await site.service.emails(site.key)).emails;
  assert.deepEqual([record?.total_opens, record?.recipient_count], [0, 0]);
});

test("shows shares of devices and reads with what they are of, and no average without ratings", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  const read = (seconds: number) => event({ type: "read", seconds });
  const opens = ["desktop", "desktop", "mobile", undefined].map((device) => event({ device }));
  await site.world.ingest(site.organization, [...opens, read(2), read(20)]);
  const viewer = await site.signIn("viewer");
  const summary = textOf(await viewer.read("/campaigns/1"));
  assert.match(summary, /Devices \(3 known\) Desktop 66\.7% \(21–94\) Mobile 33\.3% \(6–79\)/);
  assert.match(summary, /Read time \(2 measured\) Glanced \(≤ 3 s\) 50\.0% \(9–91\) Skimmed/);
  assert.match(summary, /Read over 9 s 50\.0% \(9–91\) 1 of 2 measured/);
  const { text } = await viewer.get("/campaigns/1?tab=details");
  assert.deepEqual(rowOf(text, "Opens on desktop"), ["Opens on desktop", "66.7% (21–94)", "67"]);
  assert.deepEqual(rowOf(text, "eNPS: average rating"), ["eNPS: average rating", "– no value", "0"]);
});

test("shows the numbers of the API in the details, beside those of the other tabs", async (t) => {
  const site = await makeWebWorld(t);
  const none = Object.fromEntries(metricNames.map((name) => [name, null]));
  const metrics = { ...none, open_rate: 5, unique_opens: 10, unique_clicks: 4 };
  await site.world.save(site.organization, [campaign({ id: 7, recipientCount: 10, metrics })]);
  await register(site);
  const prefetched = event({ recipient: "b", user_agent: "Mozilla/5.0" });
  await site.world.ingest(site.organization, [event(), prefetched, click()]);
  const viewer = await site.signIn("viewer");
  const imported = await viewer.read("/campaigns/7?tab=details");
  assert.deepEqual(rowOf(imported, "Open rate"), ["Open rate", "100.0% (72–100)", "5"]);
  const clickToOpen = "Click-to-open rate";
  assert.match(
    textOf(await viewer.read("/campaigns/7")),
    /Click-to-open rate 40\.0% \(17–69\) 4 of 10 openers/,
  );
  assert.deepEqual(rowOf(imported, clickToOpen), [clickToOpen, "40.0% (17–69)", "0"]);
  const all = await viewer.read("/campaigns/1?tab=details&traffic=all");
  assert.deepEqual(rowOf(all, "Unique opens"), ["Unique opens", "2", "1"]);
  assert.match(textOf(all), /The Analytics API counts human activity only\./);
  const human = await viewer.read("/campaigns/1?tab=details");
  assert.doesNotMatch(textOf(human), /The Analytics API counts/);
  const { emails } = await site.service.emails(site.key);
  for (const [id, page] of [
    [7, imported],
    [1, human],
  ] as const) {
    const record = emails.find((each) => each.id === id);
    const table = page.slice(page.indexOf("The fields of the Analytics API"));
    const shown = [...table.matchAll(/<code>(.*?)<\/code><\/td><\/tr>/g)].map(([, value]) => Number(value));
    assert.deepEqual(
      shown,
      metricNames.map((name) => record?.[name]),
    );
  }
});

test("says whether a campaign has no survey, or a survey without answers", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  const viewer = await site.signIn("viewer");
  const text = async () => textOf(await viewer.read("/campaigns/1?tab=surveys"));
  assert.match(await text(), /This campaign has no survey\./);
  await register(site, { surveys_count: 1 });
  assert.match(await text(), /The survey has no answers yet\./);
  const unknown = { enps_reactions_count: null, enps_score_average: null, survey_reactions_count: null };
  await site.world.save(site.organization, [campaign({ id: 2, surveysCount: null, metrics: unknown })]);
  const imported = async (tab: string) => textOf(await viewer.read(`/campaigns/2${tab}`));
  assert.match(await imported("?tab=surveys"), /No survey data in the import\./);
  assert.doesNotMatch(await imported(""), /eNPS|Surveys/);
  await site.world.save(site.organization, [campaign({ id: 2, surveysCount: 1, metrics: unknown })]);
  assert.match(await imported("?tab=surveys"), /It is not known whether anyone answered the survey\./);
});

test("shows all eNPS scores from 0 to 10, also those without ratings", async (t) => {
  const site = await makeWebWorld(t);
  await register(site, { surveys_count: 1 });
  await site.world.ingest(
    site.organization,
    [9, 9, 2].map((score, index) =>
      event({ type: "survey", survey_id: "s", kind: "enps", score, recipient: `p${index}@example.com` }),
    ),
  );
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1");
  assert.match(
    text,
    /aria-label="Ratings\. [^"]* from 0 to 10\. Detractors: 1 \(33\.3%\)\. Passives: 0 \(0\.0%\)\. Promoters: 2 /,
  );
  assert.match(text, /<h2>Open rate by age<\/h2>/);
  assert.match(text, /<h2>Ratings<\/h2>/);
  const surveys = await (await site.signIn("viewer")).read("/campaigns/1?tab=surveys");
  assert.match(surveys, /<h2>eNPS<\/h2>.*<h3>Ratings<\/h3>/s);
  const times = Array.from({ length: 11 }, (_, score) => rowOf(text, String(score)).slice(1).join(" "));
  assert.equal(times.join(), "0,0,1,0,0,0,0,0,0,2,0");
});

test("shows when a scheduled campaign will be sent", async (t) => {
  const site = await makeWebWorld(t);
  await register(site, { sent_at: "2026-07-10T11:00:00Z" });
  const { text } = await (await site.signIn("viewer")).get("/campaigns/1?tab=details");
  assert.match(textOf(text), /Default Team · Scheduled for Jul 10, 2026, 11:00 AM UTC/);
  assert.deepEqual(rowOf(text, "Scheduled"), ["Scheduled", "Jul 10, 2026, 11:00 AM UTC"]);
});

test("answers 404 for unknown ids and for campaigns of another organization", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  const { organization: other } = await site.world.addOrganization({ name: "Other" });
  await site.world.register(other, 2);
  const viewer = await site.signIn("viewer");
  for (const id of [
    "2",
    "3",
    "0",
    "-1",
    "01",
    "1.5",
    "1e0",
    "9007199254740993",
    "abc",
    "%3Cscript%3E",
    "1%00",
    "%F0%9F%98%80",
    "__proto__",
  ]) {
    const { status, text } = await viewer.get(`/campaigns/${id}`);
    assert.equal(status, 404, id);
    assert.doesNotMatch(text, /<script>\b/);
  }
  const stranger = await site.signIn("admin", { organization: other });
  assert.equal((await stranger.get("/campaigns/1")).status, 404);
  assert.equal((await stranger.get("/campaigns/2")).status, 200);
  const unknown = await requestPage(`${site.service.url}/campaigns/1`);
  assert.deepEqual([unknown.status, unknown.location], [303, "/sign-in?to=%2Fcampaigns%2F1"]);
});

test("escapes all texts of the sender, and shows a heading for a blank subject", async (t) => {
  const site = await makeWebWorld(t);
  const evil = '<img src=x onerror="alert(1)">\u202e\u{1f468}\u200d\u{1f469}';
  await register(site, {
    subject: evil,
    team: evil,
    tags: [{ name: evil, color: "#000000" }],
    recipient_groups: [evil],
  });
  await site.world.save(site.organization, [campaign({ id: 2, subject: "  " })]);
  const viewer = await site.signIn("viewer");
  const { text } = await viewer.get("/campaigns/1?tab=details");
  assert.doesNotMatch(text, /<img/);
  assert.equal(text.split("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;").length - 1, 8);
  assert.match(await viewer.read("/campaigns/2"), /<h1>Campaign without a subject<\/h1>/);
});

test("compares a campaign with the average of its team and of its tags", async (t) => {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  const dayMs = 24 * 60 * 60 * 1000;
  const sentAt = (id: number) => new Date(present - (10 - id) * 5 * dayMs);
  for (const id of [1, 2, 3, 4]) {
    const tags = id === 3 ? [] : [{ name: "News" }];
    await world.register(organization, id, { sent_at: sentAt(id).toISOString(), recipient_count: 10, tags });
  }
  const opensOf = (id: number, count: number) =>
    Array.from({ length: count }, (_, number) =>
      event({
        campaign_id: id,
        recipient: `${number}@example.com`,
        at: new Date(sentAt(id).getTime() + 1).toISOString(),
      }),
    );
  await world.ingest(organization, [...opensOf(1, 2), ...opensOf(2, 4), ...opensOf(3, 9), ...opensOf(4, 7)]);
  // Of another team, so that the tag has as many campaigns as the team.
  const given = { sentAt: Number(sentAt(0)), team: "IT", tags: ["News"], recipientCount: 10 };
  await world.save(organization, [campaign({ ...given, id: 9, metrics: { unique_opens: 3 } })]);
  const viewer = await site.signIn("viewer");
  const { text } = await viewer.get("/campaigns/4");
  // 15 of 30, and 9 of 30 with the tag.
  assert.match(
    textOf(text),
    /Open rate 70\.0% \(40–89\) \+20\.0 pts · Team 50\.0% \(\+20\.0 pts, may be chance, vs\. 3 campaigns of the team in the year before\) 7 of 10 News: 30\.0%/,
  );
  assert.match(
    textOf(text),
    /vs\. Default Team, 12 months before \(3 campaigns\) Counts are exact, but .*What these numbers mean/,
  );
  assert.match(textOf(text), /This service has counted fewer than five earlier campaigns to compare with\./);
  const third = textOf(await viewer.read("/campaigns/3"));
  assert.match(third, /Default Team sent fewer than three campaigns in the 12 months before/);
  assert.doesNotMatch(third, /Team: too few|of the team in the year before/);
  assert.match(text, /rel="prev" href="\/campaigns\/3" title="Previous campaign: Campaign 3"/);
  assert.doesNotMatch(text, /rel="next"/);
  assert.match(await viewer.read("/campaigns/1"), /rel="next" href="\/campaigns\/2"/);
  for (const [id, days] of [
    [11, 2],
    [12, 1],
  ] as const) {
    const sent_at = new Date(present - days * dayMs).toISOString();
    await world.register(organization, id, { sent_at, recipient_count: 10 });
  }
  await world.database.transactionOf(organization.id, (scope) =>
    closeCampaign(scope, organization, 12, present),
  );
  assert.match(
    textOf(await viewer.read("/campaigns/12")),
    /before \(4 campaigns\)\. Without 1 campaign that is still counting/,
  );
});

test("compares a campaign that is still counting with others at the same age, and says where it may end", async (t) => {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  const hourMs = 3_600_000;
  const sentAt = (id: number) => (id === 7 ? present - 3.5 * hourMs : present - (20 + id) * 24 * hourMs);
  for (const id of [1, 2, 3, 4, 5, 6, 7]) {
    const sent_at = new Date(sentAt(id)).toISOString();
    await world.register(organization, id, { sent_at, recipient_count: 100 });
  }
  const opensOf = (id: number, count: number, hours: number) =>
    Array.from({ length: count }, (_, number) =>
      event({
        campaign_id: id,
        recipient: `${number}-${hours}@example.com`,
        at: new Date(sentAt(id) + hours * hourMs).toISOString(),
      }),
    );
  const earlier = [1, 2, 3, 4, 5, 6];
  await world.ingest(organization, [
    ...earlier.flatMap((id) => [...opensOf(id, 40, 1), ...opensOf(id, 10, 30)]),
    ...opensOf(7, 36, 2),
    ...opensOf(7, 2, 3.2),
  ]);
  const viewer = await site.signIn("viewer");
  const { text } = await viewer.get("/campaigns/7");
  const shown = textOf(text);
  // 36 of 100 after 3 hours, when the others had 40; 38 by now.
  assert.match(
    shown,
    /Open rate 38\.0% \(29–48\) −4\.0 pts \(−4\.0 pts, may be chance\) 38 of 100 3.h: 36\.0%, usually 40\.0%/,
  );
  assert.match(shown, /Still counting · 3.h/);
  assert.match(shown, /vs\. 6 campaigns at this age/);
  const [, low, high] = /likely end ([\d.]+)%–([\d.]+)%/.exec(shown) ?? [];
  assert.ok(
    Number(low) >= 38 && Number(low) < 45 && Number(high) > 45 && Number(high) < 55,
    `${low} to ${high}`,
  );
  assert.doesNotMatch(shown, / Team \d|12 months before/);
  assert.deepEqual(rowOf(text, "3\u00a0h"), ["3\u00a0h", "36.0% (27–46)", "40.0%"]);
  assert.deepEqual(rowOf(text, "4\u00a0h"), ["4\u00a0h", "– no value", "40.0%"]);
  assert.deepEqual(rowOf(text, "48\u00a0h"), ["48\u00a0h", "– no value", "50.0%"]);
  await world.ingest(organization, opensOf(7, 20, 3.3));
  const soon = textOf(await viewer.read("/campaigns/7"));
  assert.match(soon, /Open rate 58\.0% .* likely end about 58\.0%/);
  const list = textOf(await viewer.read("/campaigns?columns=open_rate,open_rate_vs_team"));
  assert.match(list, /Without 1 campaign that is still counting\./);
  const overview = textOf(await viewer.read("/"));
  assert.match(
    overview,
    /Open rate 50\.0% .* 1 still counting .* Without 1 campaign that is still counting\./,
  );
  assert.match(
    overview,
    /Campaign 7 3.h · −4\.0.pts, may be chance \(3.h: 36\.0%, usually 40\.0%\) · likely end about 58\.0% 58\.0% \(48–67\)/,
  );
  const help = textOf(await viewer.read("/help/fields"));
  assert.match(help, /After 3.h: there are no earlier campaigns to try it on\./);
});

test("shows human or all traffic in every tab, and rejects other values", async (t) => {
  const site = await makeWebWorld(t);
  await register(site);
  await site.world.ingest(site.organization, [
    event(),
    event({ recipient: "prefetched@example.com", user_agent: "Mozilla/5.0" }),
    click({ recipient: "scan@example.com", machine: true }),
  ]);
  const viewer = await site.signIn("viewer");
  const human = await viewer.read("/campaigns/1");
  assert.match(
    textOf(human),
    /1 of 100, 1 unknown .* 0 of 100 .* The mail program of 1 recipient loads images in advance, /,
  );
  assert.match(human, /<a href="\/campaigns\/1\?traffic=all"><span>All activity</);
  const all = await viewer.read("/campaigns/1?traffic=all");
  assert.match(textOf(all), /3 of 100 .* 1 of 100/);
  assert.match(all, /<a href="\/campaigns\/1\?tab=links&amp;traffic=all">Links/);
  const details = await viewer.read("/campaigns/1?tab=details&traffic=all");
  assert.deepEqual(rowOf(details, "Total clicks"), ["Total clicks", "1", "0"]);
  for (const [query, message] of [
    [
      "tab=numbers",
      /Campaign: &quot;numbers&quot; is not accepted; use one of summary, links, audience, surveys, activity, details\./,
    ],
    ["traffic=bots", /Activity: &quot;bots&quot; is not accepted; use one of people, all\./],
  ] as const) {
    const refused = await viewer.get(`/campaigns/1?${query}`);
    assert.equal(refused.status, 400);
    assert.match(refused.text, message);
  }
});

test("keeps the list that a campaign was opened from, and its traffic, in the links of all its pages", async (t) => {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  await register(site);
  await world.register(organization, 2, { sent_at: "2026-06-15T11:30:00Z", team: "A&B" });
  await world.ingest(organization, [event({ campaign_id: 2, user_agent: "Mozilla/5.0" })]);
  const admin = await site.signIn("admin");
  const linksOf = async (url: string) =>
    [...(await admin.read(url)).matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) =>
      href.replaceAll("&amp;", "&"),
    );
  const list = "/campaigns?team=A%26B&sort=open_rate&traffic=all";
  const kept = "traffic=all&list=team%3DA%2526B%26sort%3Dopen_rate";
  const fromList = await admin.get(list);
  assert.ok(fromList.text.includes(`href="/campaigns/2?${kept.replace("&", "&amp;")}"`));
  assert.match(
    fromList.text,
    /id="compare"><input type="hidden" name="traffic" value="all"><input type="hidden" name="list" value="team=A%26B&amp;sort=open_rate">/,
  );
  for (const page of ["2", "2/recipients", "compare"]) {
    const links = await linksOf(`/campaigns/${page}?${kept}&ids=1,2`);
    assert.ok(links.includes("/campaigns?team=A%26B&sort=open_rate&traffic=all"), page);
    // The list has only one campaign.
    assert.equal(links.includes(`/campaigns/1?${kept}`), page === "compare", page);
  }
  const links = await linksOf(`/campaigns/2?${kept}`);
  for (const url of [`/campaigns/2?tab=links&${kept}`, `/campaigns/2/recipients?${kept}`])
    assert.ok(links.includes(url), url);
  assert.ok((await linksOf(`/campaigns/2/recipients?${kept}`)).includes(`/campaigns/2?tab=links&${kept}`));
  const strange = await linksOf(`/campaigns/2?list=${encodeURIComponent("//example.com?x=1&sort=team")}`);
  assert.ok(strange.includes("/campaigns?sort=team"));
  assert.equal((await admin.get("/campaigns/2?list=sort%3Dcolor")).status, 400);
});

test("leads to the campaigns before and after it in the list that it was opened from", async (t) => {
  const { world, organization, signIn } = await makeWebWorld(t);
  const sent = (id: number, team: string, unique_opens: number) =>
    campaign({
      id,
      team,
      sentAt: present - 8 * 86_400_000 - id,
      recipientCount: 100,
      metrics: { unique_opens },
    });
  await world.save(organization, [
    ...[sent(1, "HR", 30), sent(2, "IT", 20), sent(3, "HR", 10), sent(4, "HR", 20), sent(5, "HR", 20)],
  ]);
  const viewer = await signIn("viewer");
  const around = async (id: number, list: string) => {
    const query = list === "" ? "" : `?list=${encodeURIComponent(list)}`;
    const { text } = await viewer.get(`/campaigns/${id}${query}`);
    const link = (rel: string) =>
      new RegExp(`rel="${rel}" href="/campaigns/(\\d+)([^"]*)"`).exec(text)?.slice(1).join("");
    const place = /<span class="soft small desk">(\d+ of \d+)<\/span>/.exec(text)?.[1];
    const ofList = query.replaceAll("%20", "+");
    return [link("prev")?.replace(ofList, ""), place, link("next")?.replace(ofList, "")];
  };
  const worst = "team=HR&sort=open_rate";
  assert.deepEqual(await around(3, worst), [undefined, "1 of 4", "4"]);
  assert.deepEqual(await around(4, worst), ["3", "2 of 4", "5"]);
  assert.deepEqual(await around(5, worst), ["4", "3 of 4", "1"]);
  assert.deepEqual(await around(1, worst), ["5", "4 of 4", undefined]);
  assert.deepEqual(await around(5, "team=HR&sort=open_rate&order=desc"), ["4", "3 of 4", "3"]);
  // In the order of sending, if it is not in the list, or without one.
  assert.deepEqual(await around(2, worst), ["3", undefined, "1"]);
  assert.deepEqual(await around(3, ""), ["4", undefined, "2"]);
});

test("compares what the list counts, says which traffic that is, and shows the other", async (t) => {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  for (const id of [1, 2]) await world.register(organization, id, { recipient_count: 10 });
  await world.ingest(organization, [
    event(),
    event({ recipient: "prefetched@example.com", user_agent: "Mozilla/5.0" }),
  ]);
  const imported = [0.4001, 0.4002].map((rate, index) =>
    campaign({ id: 3 + index, metrics: { open_rate: rate, unique_opens: null } }),
  );
  await world.save(organization, imported);
  const fresh = await (await site.signIn("viewer")).read("/campaigns/compare?ids=1,2,3");
  assert.deepEqual(rowOf(fresh, "Open rate"), ["Open rate", "10.0% (2–40)", "0.0% (0–28)", "40.0%"]);
  assert.match(fresh, /2 campaigns are still counting: rates are compared only at the same age\./);
  world.clock.now += 7 * 86_400_000;
  await world.publishDue();
  const viewer = await site.signIn("viewer");
  const human = await viewer.read("/campaigns/compare?ids=1,2");
  assert.deepEqual(rowOf(human, "Open rate"), ["Open rate", "10.0% (2–40)", "0.0% (0–28)"]);
  assert.match(human, /aria-current="true"[^>]*><span>Human only</);
  assert.match(human, /<a href="\/campaigns\/compare\?traffic=all&amp;ids=1&amp;ids=2"><span>All activity</);
  const all = await viewer.read("/campaigns/compare?traffic=all&ids=1&ids=2");
  assert.deepEqual(rowOf(all, "Open rate"), ["Open rate", "20.0% (6–51)", "0.0% (0–28)"]);
  assert.match(all, /aria-current="true"[^>]*><span>All activity</);
  const opens = ["a", "b"].map((name) => event({ recipient: `${name}@example.com` }));
  await world.ingest(organization, [...opens, click()]);
  const clicked = await viewer.read("/campaigns/compare?ids=1,2");
  assert.deepEqual(rowOf(clicked, "Click-to-open rate"), [
    "Click-to-open rate",
    "33.3% (6–79)",
    "– no value",
  ]);
  assert.deepEqual(rowOf(clicked, "Clicks: /news"), ["Clicks: /news", "1", "– no value"]);
  const polled = ["Yes", "No", "Yes"].map((text, index) =>
    event({ type: "survey", survey_id: "u", kind: "pulse", answer: text, recipient: `${index}@example.com` }),
  );
  await world.ingest(organization, polled);
  const three = await viewer.read("/campaigns/compare?ids=1,2,3");
  assert.deepEqual(rowOf(three, "Survey u"), [
    "Survey u",
    "Yes 66.7%No 33.3% (3)",
    "– no value",
    "– no value",
  ]);
  assert.match(
    three,
    /<a class="remove" href="\/campaigns\/compare\?ids=1&amp;ids=3" title="Remove Campaign 2">/,
  );
  const two = await viewer.read("/campaigns/compare?ids=1,3");
  assert.match(two, /Add a campaign.*<a href="\/campaigns\/compare\?ids=1&amp;ids=3&amp;ids=2">/s);
  assert.doesNotMatch(two, /class="remove"/);
  const same = await viewer.read("/campaigns/compare?ids=3,4");
  assert.deepEqual(rowOf(same, "Open rate"), ["Open rate", "40.0%", "40.0%"]);
  assert.doesNotMatch(same, /All activity/);
});
