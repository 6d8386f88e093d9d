// The page of one campaign: metrics, links, surveys and permissions.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { metricNames } from "../../../../../src/campaign/metrics.ts";
import { closeCampaign } from "../../../../../src/counting/campaigns/close-campaigns.ts";
import { findLinksOfCampaigns } from "../../../../../src/storage/campaigns/campaign-links.ts";
import * as sample from "../../../../support/events.ts";
import { assertMatches, mainTextOf, rowOf, rowsIn, textOf } from "../../../../support/pages.ts";
import { makeWebWorld, makeWebWorldOf, requestPage, type WebWorld } from "../../../../support/web-world.ts";
import { campaign, present } from "../../../../support/world.ts";

const dayMs = 86_400_000;

let events = 0;

const event = (given: Record<string, unknown> = {}) => {
  events += 1;
  return sample.open(events, { recipient: "ann@example.com", at: "2026-06-15T11:05:00Z", ...given });
};
const click = (given: Record<string, unknown> = {}) =>
  event({ type: "click", url: "https://example.com/news", ...given });
/** A rating of the person with this number. */
const answer = (person: number, given: Record<string, unknown>) =>
  event({ type: "survey", survey_id: "s", kind: "enps", recipient: `p${person}@example.com`, ...given });

/** Campaign 1 with these events, and a viewer. */
async function start(
  t: TestContext,
  received: readonly unknown[] = [],
  { timeZone = "UTC", ...given }: Record<string, unknown> & { timeZone?: string } = {},
) {
  const site = await makeWebWorld(t, { timeZone });
  await site.world.register(site.organization, 1, given);
  await site.world.ingest(site.organization, received);
  const viewer = await site.signIn("viewer");
  return { ...site, viewer, read: (tab: string) => viewer.read(`/campaigns/1?tab=${tab}`) };
}

const close = ({ world, organization }: WebWorld, id: number) =>
  world.database.transactionOf(organization.id, (scope) => closeCampaign(scope, organization, id, present));

test("shows the metrics of the record, the local time and the tags of a counted campaign", async (t) => {
  const { viewer, read } = await start(t, [event(), event(), click({ recipient: "bob@example.com" })], {
    ...{ timeZone: "Asia/Tokyo", subject: "The week", recipient_count: 12_345, external_id: "weekly-1" },
    ...{ tags: [{ name: "HR & more", color: "#4E79A7" }], recipient_groups: ["Sales", "Berlin"] },
  });
  const { status, text: summary } = await viewer.get("/campaigns/1");
  assert.equal(status, 200);
  assert.match(summary, /<h1><bdi[^>]*>The week<\/bdi><\/h1>/);
  assertMatches(textOf(summary), [
    /Still counting · 1.h · Default Team · Sent Jun 15, 2026, 8:00 PM GMT\+9 · HR & more/,
    /Open rate <0\.1% 2 of 12,345 Click rate <0\.1% 1 of 12,345/,
    /Counted from events as they arrive\. The numbers include human activity only\. All activity/,
  ]);
  const details = await read("details");
  for (const [title, ...cells] of [
    ["Unique opens", "2"],
    ["Total opens", "3"],
    ["Open rate", "<0.1%"],
    ["Unopened", "12,343"],
    ["Tracking type", "Individual"],
    ["Recipient groups", "Sales, Berlin"],
    ["External ID", "weekly-1"],
  ] as const)
    assert.deepEqual(rowOf(details, title), cells, title);
  assert.match(details, /<rect width="1" height="1" fill="#4E79A7"\/><\/svg><bdi[^>]*>HR &amp; more</);
  assert.doesNotMatch(summary + details, /<[^>]+ style=/);
});

test("sorts links by human clicks, removes personal data, and leads to the page of each", async (t) => {
  const { viewer, read } = await start(t, [
    ...["a@example.com", "b@example.com", "c@example.com"].map((recipient) =>
      click({ recipient, url: `https://u:p@example.com/vote?who=${recipient}#x` }),
    ),
    click({ url: "https://example.com/leave/ann@example.com" }),
    click({ url: "javascript:alert(1)", recipient: "x@example.com" }),
    click({ url: 'https://example.com/"><script>alert(2)</script>', recipient: "y@example.com", head: true }),
  ]);
  const text = await read("links");
  assert.deepEqual(rowOf(text, "example.com/vote"), ["3", "60.0%", "3"]);
  const card = await viewer.read("/campaigns/1");
  assert.match(card, />Clicks<\/th>.*>Share<\/th>/, "a card has no room for all clicks");
  assert.match(text, /<a href="https:\/\/example\.com\/vote" rel="noopener noreferrer nofollow">/);
  assert.deepEqual(rowOf(text, "javascript:alert(1)"), ["1", "20.0%", "1"]);
  assert.doesNotMatch(text, /href="javascript|<script>alert|who=|u:p@|ann@example\.com/);
  assert.ok(!text.includes('href="https://example.com/leave'));
  assert.ok(text.indexOf("/vote<") < text.indexOf(">javascript:alert(1)<"));
});

test("merges links that differ only in a query string per recipient", async (t) => {
  const clicks = Array.from({ length: 1_200 }, (_, token) =>
    click({ recipient: `${token}@example.com`, url: `https://example.com/${token % 2}?token=${token}` }),
  );
  const { world, organization, read } = await start(t, clicks.slice(0, 700));
  const late = click({ recipient: "late@example.com", url: "https://example.com/late" });
  await world.ingest(organization, [...clicks.slice(700), late]);
  const text = await read("links");
  assert.deepEqual(rowsIn(text).toSorted(), [
    ["/0", "600", "50.0%", "600"],
    ["/1", "600", "50.0%", "600"],
    ["/late", "1", "0.1%", "1"],
  ]);
  assert.doesNotMatch(text, /token=/);
});

test("shows a truncated URL without a link", async (t) => {
  const { read } = await start(t, [click({ url: `https://example.com/${"p".repeat(1_200)}` })]);
  const text = await read("links");
  assert.match(text, /<span title="[^"]*"><bdi[^>]*><wbr>\/p+…<\/bdi><\/span><\/th>/);
  assert.doesNotMatch(text, /href="https:\/\/example/);
});

test("shows answers that are only comments, also for an unannounced survey", async (t) => {
  const received = [0, 1, 2, 3, 4].map((person) =>
    answer(person, { kind: "pulse", comment: `Words ${person}` }),
  );
  const { read } = await start(t, received);
  assertMatches(textOf(await read("surveys")), [/5 recipients answered/, /Words 3/]);
});

test("merges links beyond the first 500 into one row and keeps the sums right", async (t) => {
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
  const { world, organization, read } = await start(t, clicks.slice(0, 300));
  await world.ingest(organization, clicks.slice(300).reverse());
  await world.ingest(organization, again);
  const links = await world.database.snapshotOf(organization.id, (scope) => findLinksOfCampaigns(scope, [1]));
  assert.equal(links.length, 501);
  assert.equal(links.filter(({ url }) => url === "").length, 1);
  const sum = (of: "people" | "all") => links.reduce((total, each) => total + each[of], 0);
  assert.deepEqual([sum("people"), sum("all")], [620, 650]);
  assert.equal(rowOf(await read("links"), "All other links").length, 3);
});

test("shows average, index and comments of surveys, and names to admins only", async (t) => {
  const comment = "<script>alert(1)</script>\nmore";
  const rated = [10, 9, 7, 0].map((score, person) => answer(person, { survey_id: "s<1>", score, comment }));
  const { world, organization, viewer, read, signIn } = await start(t, rated, { surveys_count: 1 });
  await world.ingest(organization, [answer(4, { survey_id: "s<1>", score: 6 })]);
  const text = await read("surveys");
  assertMatches(textOf(text), [
    /eNPS 0 eNPS index: [^:]* from 0 to 6 Average rating 6\.4 5 ratings /,
    /Only admins see who wrote a comment\./,
  ]);
  assertMatches(text, [
    /&lt;script&gt;alert\(1\)&lt;\/script&gt;<br>more/,
    />Surveys <span class="count">1<\/span>/,
    // The id of the only eNPS survey says nothing.
    /<h2>eNPS<\/h2>/,
  ]);
  assert.doesNotMatch(text, /p0@example\.com|<script>alert/, "viewers see no names");
  assert.match(await (await signIn("admin")).read("/campaigns/1?tab=surveys"), /p0@example\.com/);
  const card = textOf(await viewer.read("/campaigns/1"));
  assert.match(card, /Comments eNPS s<1> · 4 comments All comments/);
  await world.ingest(organization, [answer(5, { survey_id: "t", score: 8 })]);
  assert.match(await read("surveys"), /<h2>eNPS <span class="code">s&lt;1&gt;<\/span><\/h2>/);
});

test("keeps hours, links and index of a closed campaign, and deletes individual answers", async (t) => {
  const answers = [0, 1, 2, 3, 4].map((person) => answer(person, { score: 9, comment: "Words" }));
  const site = await start(t, [click(), ...answers]);
  await close(site, 1);
  const text = await site.read("summary");
  assertMatches(textOf(text), [
    /Closed Jun 15, 2026, 12:00 PM UTC/,
    /eNPS \+100 \(.*?\) 5 ratings/,
    /Detractors 0\.0% \(0–\d+\) Passives 0\.0% \(0–\d+\) Promoters 100\.0% \(\d+–100\)/,
  ]);
  assert.deepEqual(rowOf(text, "/news"), ["1", "100.0%"]);
  const surveys = await site.read("surveys");
  assert.match(textOf(surveys), /The campaign is closed\. Individual answers and comments were deleted\./);
  assert.doesNotMatch(text, /Words|p0@example\.com/);
});

test("shows the numbers of an imported campaign and says that they were imported", async (t) => {
  const { world, organization, viewer } = await start(t);
  const unrated = { enps_score_average: 0, enps_reactions_count: 0 };
  await world.save(organization, [
    campaign({ id: 7, metrics: { total_opens: 4_321 } }),
    campaign({ id: 8, subject: "  ", metrics: unrated }),
  ]);
  const text = await viewer.read("/campaigns/7?tab=details");
  assert.match(textOf(text), /The numbers of this campaign were imported/);
  assert.deepEqual(rowOf(text, "Total opens"), ["4,321"]);
  assert.doesNotMatch(await viewer.read("/campaigns/7"), /Opens per 100|Top links|Everything/);
  const blank = mainTextOf(await viewer.read("/campaigns/8"));
  assert.match(blank, /Campaign without a subject/);
  assert.doesNotMatch(blank, /eNPS|Ratings|Surveys/);
  assert.match(await viewer.read("/campaigns/7?tab=links"), /imported, without its links/);
});

const noMetrics = Object.fromEntries(metricNames.map((name) => [name, null]));

test("shows a dash for a missing number of an imported campaign", async (t) => {
  const { world, organization, service, key, viewer } = await makeWebWorldOf("viewer", t);
  const metrics = { ...noMetrics, open_rate: 0.5208, total_clicks: 0, enps_score_average: 7.333333333 };
  await world.save(organization, [campaign({ id: 7, recipientCount: null, metrics })]);
  assert.match(
    textOf(await viewer.read("/campaigns/7")),
    /Open rate 52\.1% Click rate – no value Average rating 7\.33/,
  );
  const text = await viewer.read("/campaigns/7?tab=details");
  for (const [title, ...values] of [
    ["Open rate", "52.1%"],
    ["Click rate", "– no value"],
    ["Total clicks", "0"],
    ["Total opens", "– no value"],
    ["Opens on mobile", "– no value"],
    ["eNPS: average rating", "7.33"],
    ["eNPS: ratings", "– no value"],
  ] as const)
    assert.deepEqual(rowOf(text, title), values, title);
  const [record] = (await service.emails(key)).emails;
  assert.deepEqual([record?.total_opens, record?.recipient_count], [0, 0]);
});

test("shows shares of devices and reads with what they are of, and no average without ratings", async (t) => {
  const opens = ["desktop", "desktop", "mobile", undefined].map((device) => event({ device }));
  const reads = [2, 20].map((seconds) => event({ type: "read", seconds }));
  const { read } = await start(t, [...opens, ...reads]);
  assertMatches(textOf(await read("summary")), [
    /Devices \(3 known\) Desktop 66\.7% \(21–94\) Mobile 33\.3% \(6–79\)/,
    /Read time \(2 measured\) Glanced \(≤ 3 s\) 50\.0% \(9–91\) Skimmed/,
    /Read over 9 s 50\.0% \(9–91\) 1 of 2/,
  ]);
  const details = await read("details");
  assert.deepEqual(rowOf(details, "Opens on desktop"), ["66.7% (21–94)"]);
  assert.deepEqual(rowOf(details, "eNPS: average rating"), ["– no value"]);
});

test("shows the metrics of the record in the details, of the traffic that is chosen", async (t) => {
  const prefetched = event({ recipient: "b", user_agent: "Mozilla/5.0" });
  const { world, organization, viewer } = await start(t, [event(), prefetched, click()]);
  const metrics = { ...noMetrics, open_rate: 5, unique_opens: 10, unique_clicks: 4 };
  await world.save(organization, [campaign({ id: 7, recipientCount: 10, metrics })]);
  const imported = await viewer.read("/campaigns/7?tab=details");
  assert.deepEqual(rowOf(imported, "Open rate"), ["100.0% (72–100)"]);
  assert.deepEqual(rowOf(imported, "Click-to-open rate"), ["40.0% (17–69)"]);
  const all = await viewer.read("/campaigns/1?tab=details&traffic=all");
  assert.deepEqual(rowOf(all, "Unique opens"), ["2"]);
});

test("says whether a campaign has no survey, or a survey without answers", async (t) => {
  const { world, organization, viewer, read } = await start(t);
  assert.match(await read("surveys"), /This campaign has no survey\./);
  await world.register(organization, 1, { surveys_count: 1 });
  assert.match(await read("surveys"), /The survey has no answers yet\./);
  const unknown = { enps_reactions_count: null, enps_score_average: null, survey_reactions_count: null };
  await world.save(organization, [campaign({ id: 2, surveysCount: null, metrics: unknown })]);
  assert.match(await viewer.read("/campaigns/2?tab=surveys"), /No survey data in the import\./);
  assert.doesNotMatch(mainTextOf(await viewer.read("/campaigns/2")), /eNPS|Surveys/);
  await world.save(organization, [campaign({ id: 2, surveysCount: 1, metrics: unknown })]);
  const asked = await viewer.read("/campaigns/2?tab=surveys");
  assert.match(asked, /It is not known whether anyone answered the survey\./);
});

test("shows the kinds of eNPS ratings, and all scores from 10 to 0 on the tab of surveys", async (t) => {
  const received = [9, 9, 2].map((score, person) => answer(person, { score }));
  const { read } = await start(t, received, { surveys_count: 1 });
  const text = await read("summary");
  assertMatches(text, [/<h2>Open rate by age<\/h2>/, /<h2>Ratings<\/h2>/]);
  assertMatches(textOf(await read("surveys")), [
    /eNPS 3 recipients answered\. Promoters: 2 \(66\.7%\) · Passives: 0 \(0\.0%\) · Detractors: 1 \(33\.3%\)/,
    / 10 0 9 2 8 0 7 0 6 0 5 0 4 0 3 0 2 1 1 0 0 0/,
  ]);
});

test("shows when a scheduled campaign will be sent", async (t) => {
  const { read } = await start(t, [], { sent_at: "2026-07-10T11:00:00Z" });
  const text = await read("details");
  assert.match(textOf(text), /Default Team · Scheduled for Jul 10, 2026, 11:00 AM UTC/);
  assert.deepEqual(rowOf(text, "Scheduled"), ["Jul 10, 2026, 11:00 AM UTC"]);
});

test("answers 404 for unknown ids and for campaigns of another organization", async (t) => {
  const { world, signIn, viewer, service } = await start(t);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.register(other, 2);
  for (const id of ["2", "3", "01", "1e0", "%3Cscript%3E", "1%00", "%F0%9F%98%80", "__proto__"]) {
    const { status, text } = await viewer.get(`/campaigns/${id}`);
    assert.equal(status, 404, id);
    assert.doesNotMatch(text, /<script>\b/);
  }
  const stranger = await signIn("admin", { organization: other });
  assert.equal((await stranger.get("/campaigns/1")).status, 404);
  assert.equal((await stranger.get("/campaigns/2")).status, 200);
  const unknown = await requestPage(`${service.url}/campaigns/1`);
  assert.deepEqual([unknown.status, unknown.location], [303, "/sign-in?to=%2Fcampaigns%2F1"]);
});

/** This many people open a campaign at a time. */
const opensOf = (campaign_id: number, count: number, at: number) =>
  Array.from({ length: count }, (_, number) =>
    event({ campaign_id, recipient: `${number}-${at}@example.com`, at: new Date(at).toISOString() }),
  );

test("compares a campaign with the average of its team and of its tags", async (t) => {
  const site = await makeWebWorldOf("viewer", t);
  const { world, organization, viewer } = site;
  const sentAt = (id: number) => present - (10 - id) * 5 * dayMs;
  const register = (id: number, at: number, given = {}) =>
    world.register(organization, id, { sent_at: new Date(at).toISOString(), recipient_count: 10, ...given });
  for (const [id, opens] of [0, 2, 4, 9, 7].entries()) {
    if (id === 0) continue;
    await register(id, sentAt(id), { tags: id === 3 ? [] : [{ name: "News" }] });
    await world.ingest(organization, opensOf(id, opens, sentAt(id) + 1));
  }
  // Of another team, so that the tag has as many campaigns as the team.
  const given = { sentAt: sentAt(0), team: "IT", tags: ["News"], recipientCount: 10 };
  await world.save(organization, [campaign({ ...given, id: 9, metrics: { unique_opens: 3 } })]);
  const text = await viewer.read("/campaigns/4");
  // 15 of 30, and 9 of 30 with the tag.
  assertMatches(textOf(text), [
    /Open rate 70\.0% \(40–89\) \+20\.0 pts · Team: 50\.0% \(vs\. Default Team, 12 months before \(3 campaigns\)\) 7 of 10 News: 30\.0%/,
    /vs\. Default Team, 12 months before \(3 campaigns\) Counts are exact, but .*What these numbers mean/,
    /This service has counted fewer than five earlier campaigns to compare with\./,
  ]);
  // Exports of most tools name no team: a tag with enough campaigns is the next best, or all campaigns.
  const withoutTeam = (id: number, tags: string[]) =>
    campaign({ ...given, id, team: "", tags, sentAt: sentAt(5) + id, metrics: { unique_opens: 5 } });
  const digests = [21, 22, 23, 24].map((id) => withoutTeam(id, ["Digest", "News"]));
  await world.save(organization, [...digests, withoutTeam(25, ["Pay"])]);
  const ofTag = textOf(await viewer.read("/campaigns/22"));
  const [card = ""] = /Open rate.*?Click rate/.exec(ofTag) ?? [];
  assert.equal(card.match(/News: /g)?.length, 1, "the average of the tag, once");
  assertMatches(ofTag, [
    /Open rate 50\.0% \(\d+–\d+\) .*News: \d+\.\d% .*Click/,
    /vs\. News, 12 months before \(5 campaigns\)/,
    /Digest: too few|Digest: 50\.0%/,
  ]);
  assert.match(
    textOf(await viewer.read("/campaigns/25")),
    /all campaigns: \d+\.\d%.* vs\. all campaigns, 12 months before \(9 campaigns\)/,
  );
  const third = textOf(await viewer.read("/campaigns/3"));
  assert.match(third, /Default Team: fewer than three campaigns in the 12 months before/);
  assert.doesNotMatch(third, /Team: too few|vs\. Default Team/);
  assert.match(text, /rel="prev" href="\/campaigns\/3" title="Previous campaign: Campaign 3"/);
  assert.doesNotMatch(text, /rel="next"/);
  assert.match(await viewer.read("/campaigns/1"), /rel="next" href="\/campaigns\/2"/);
  await register(11, present - 2 * dayMs);
  await register(12, present - dayMs);
  await close(site, 12);
  const closed = textOf(await viewer.read("/campaigns/12"));
  assert.match(closed, /before \(4 campaigns\)\. Rates are without 1 campaign that is still counting/);
});

test("compares a campaign that is still counting with others at the same age, and says where it may end", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  const hourMs = 3_600_000;
  const sentAt = (id: number) => (id === 7 ? present - 3.5 * hourMs : present - (20 + id) * dayMs);
  const opens = (id: number, count: number, hours: number) => opensOf(id, count, sentAt(id) + hours * hourMs);
  for (const id of [1, 2, 3, 4, 5, 6, 7]) {
    const sent_at = new Date(sentAt(id)).toISOString();
    await world.register(organization, id, { sent_at, recipient_count: 100 });
    const others = id === 7 ? opens(7, 2, 3.2) : opens(id, 10, 30);
    await world.ingest(organization, [...(id === 7 ? opens(7, 36, 2) : opens(id, 40, 1)), ...others]);
  }
  const text = await viewer.read("/campaigns/7");
  const shown = textOf(text);
  assertMatches(shown, [
    // 36 of 100 after 3 hours, when the others had 40; 38 by now.
    /Open rate 38\.0% −4\.0 pts 38 of 100 3.h: 36\.0%, usually 40\.0%/,
    /Still counting · 3.h/,
    /vs\. Default Team at this age \(6 campaigns\)/,
  ]);
  const [, low, high] = /on course for ([\d.]+)%–([\d.]+)%/.exec(shown) ?? [];
  const isLikely = Number(low) >= 38 && Number(low) < 45 && Number(high) > 45 && Number(high) < 55;
  assert.ok(isLikely, `${low} to ${high}`);
  assert.doesNotMatch(shown, / Team: \d|12 months before/);
  assert.deepEqual(rowOf(text, "3 h"), ["36.0% (27–46)", "40.0%"]);
  assert.deepEqual(rowOf(text, "4 h"), ["– no value", "40.0%"]);
  assert.deepEqual(rowOf(text, "48 h"), ["– no value", "50.0%"]);
  await world.ingest(organization, opens(7, 20, 3.3));
  assert.match(textOf(await viewer.read("/campaigns/7")), /Open rate 58\.0% .* on course for about 58\.0%/);
  const list = textOf(await viewer.read("/campaigns?columns=open_rate"));
  assert.match(list, /Rates are without 1 campaign that is still counting\./);
  assertMatches(textOf(await viewer.read("/")), [
    /1 still counting: 50\.0% opened the rest\. Open rate 50\.0% .* Rates are without 1 campaign that is still counting\./,
    /Campaign 7 3.h · −4\.0.pts \(3.h: 36\.0%, usually 40\.0%\) at the same age · on course for about 58\.0% 58\.0%/,
  ]);
  const help = textOf(await viewer.read("/help/fields"));
  assert.match(help, /After 3.h: there are no earlier campaigns to try it on\./);
});

test("shows human or all traffic in every tab, and rejects other values", async (t) => {
  const { viewer, read } = await start(t, [
    event(),
    event({ recipient: "prefetched@example.com", user_agent: "Mozilla/5.0" }),
    click({ recipient: "scan@example.com", machine: true }),
  ]);
  const human = await viewer.read("/campaigns/1");
  assert.match(
    textOf(human),
    /1 of 100 opened; for 1 the mail app hides it .* 0 of 100 .* The mail program of 1 recipient loads images in advance, /,
  );
  assert.match(human, /<a href="\/campaigns\/1\?traffic=all">All activity</);
  const all = await viewer.read("/campaigns/1?traffic=all");
  assert.match(textOf(all), /3 of 100 .* 1 of 100/);
  assert.match(all, /<a href="\/campaigns\/1\?tab=links&amp;traffic=all">Links/);
  assert.deepEqual(rowOf(await read("details&traffic=all"), "Total clicks"), ["1"]);
  for (const [query, message] of [
    [
      "tab=numbers",
      'Campaign: "numbers" is not accepted; use one of summary, links, audience, surveys, details.',
    ],
    ["traffic=bots", 'Activity: "bots" is not accepted; use one of people, all.'],
  ] as const) {
    const refused = await viewer.get(`/campaigns/1?${query}`);
    assert.equal(refused.status, 400);
    assert.ok(textOf(refused.text).includes(message), refused.text);
  }
});

test("keeps the list that a campaign was opened from, and its traffic, in the links of all its pages", async (t) => {
  const { world, organization, signIn } = await start(t);
  await world.register(organization, 2, { sent_at: "2026-06-15T11:30:00Z", team: "A&B" });
  await world.ingest(organization, [event({ campaign_id: 2, user_agent: "Mozilla/5.0" })]);
  const admin = await signIn("admin");
  const linksOf = async (url: string) =>
    [...(await admin.read(url)).matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) =>
      href.replaceAll("&amp;", "&"),
    );
  const list = "/campaigns?team=A%26B&sort=open_rate&traffic=all";
  const kept = "traffic=all&list=team%3DA%2526B%26sort%3Dopen_rate";
  const fromList = await admin.read(list);
  assert.ok(fromList.includes(`href="/campaigns/2?${kept.replace("&", "&amp;")}"`));
  assert.match(
    fromList,
    /id="compare" class="row"><input type="hidden" name="traffic" value="all"><input type="hidden" name="list" value="team=A%26B&amp;sort=open_rate">/,
  );
  for (const page of ["2", "2/recipients", "compare"]) {
    const links = await linksOf(`/campaigns/${page}?${kept}&ids=1,2`);
    assert.ok(links.includes(list), page);
    assert.ok(links.includes(`/campaigns/1?${kept}`), page);
  }
  const links = await linksOf(`/campaigns/2?${kept}`);
  for (const url of [`/campaigns/2?tab=links&${kept}`, `/campaigns/2/recipients?${kept}`])
    assert.ok(links.includes(url), url);
  assert.ok((await linksOf(`/campaigns/2/recipients?${kept}`)).includes(`/campaigns/2?tab=links&${kept}`));
  const strange = await linksOf(`/campaigns/2?list=${encodeURIComponent("//example.com?x=1&sort=team")}`);
  assert.ok(strange.includes("/campaigns?%2F%2Fexample.com%3Fx=1&sort=team"));
});

test("leads to the campaigns that were sent before and after it, whatever list it was opened from", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  const sent = (id: number, team: string) => campaign({ id, team, sentAt: present - 8 * dayMs - id });
  await world.save(organization, [sent(1, "HR"), sent(2, "IT"), sent(3, "HR")]);
  for (const [id, ...expected] of [
    [1, "2", undefined],
    [2, "3", "1"],
    [3, undefined, "2"],
  ] as const) {
    const text = await viewer.read(`/campaigns/${id}?list=${encodeURIComponent("team=HR&sort=open_rate")}`);
    const link = (rel: string) => new RegExp(`rel="${rel}" href="/campaigns/(\\d+)\\?list=`).exec(text)?.[1];
    assert.deepEqual([link("prev"), link("next")], expected, `${id}`);
  }
});

test("compares what the list counts", async (t) => {
  const { world, organization, signIn } = await makeWebWorld(t);
  for (const id of [1, 2]) await world.register(organization, id, { recipient_count: 10 });
  const prefetched = event({ recipient: "prefetched@example.com", user_agent: "Mozilla/5.0" });
  await world.ingest(organization, [event(), prefetched]);
  const imported = [0.4001, 0.4002].map((rate, index) =>
    campaign({ id: 3 + index, metrics: { open_rate: rate, unique_opens: null } }),
  );
  await world.save(organization, imported);
  const fresh = await (await signIn("viewer")).read("/campaigns/compare?ids=1,2,3");
  assert.deepEqual(rowOf(fresh, "Open rate"), ["10.0% (2–40)", "0.0% (0–28)", "40.0%"]);
  assert.match(fresh, /2 campaigns are still counting: rates are compared only at the same age\./);
  world.clock.now += 7 * dayMs;
  await world.publishDue();
  const viewer = await signIn("viewer");
  const compared = (query: string) => viewer.read(`/campaigns/compare?${query}`);
  const human = await compared("ids=1,2");
  assert.deepEqual(rowOf(human, "Open rate"), ["10.0% (2–40)", "0.0% (0–28)"]);
  const all = await compared("traffic=all&ids=1&ids=2");
  assert.deepEqual(rowOf(all, "Open rate"), ["20.0% (6–51)", "0.0% (0–28)"]);
  const opens = ["a", "b"].map((name) => event({ recipient: `${name}@example.com` }));
  await world.ingest(organization, [...opens, click()]);
  const clicked = await compared("ids=1,2");
  assert.deepEqual(rowOf(clicked, "Click-to-open rate"), ["33.3% (6–79)", "– no value"]);
  const three = await compared("ids=1,2,3");
  assert.match(
    three,
    /<a class="remove" href="\/campaigns\/compare\?ids=1&amp;ids=3" title="Remove Campaign 2">/,
  );
  const two = await compared("ids=1,3");
  assert.doesNotMatch(two, /class="remove"/);
  const same = await compared("ids=3,4");
  assert.deepEqual(rowOf(same, "Open rate"), ["40.0%", "40.0%"]);
});
