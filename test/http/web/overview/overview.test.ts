// The overview page: key metrics, charts, filters and time zones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { emptySums } from "../../../../src/campaign/sums.ts";
import { locales } from "../../../../src/http/web/locale.ts";
import { overviewCharts, overviewMetrics } from "../../../../src/http/web/overview/overview-charts.ts";
import { groupByPeriod } from "../../../../src/http/web/overview/periods.ts";
import { changeOrganization } from "../../../../src/storage/organizations.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

/** The key metrics by name. */
function metricsIn(text: string): Record<string, string> {
  const found = text.matchAll(
    /<span class="name">([^<]*)<\/span>\s*<span class="value"><b>([^<]*)<\/b> <\/span>\s*(?:<span class="from">([^<]*)<\/span>)?/g,
  );
  return Object.fromEntries(
    [...found].map(([, name = "", value = "", hint]) => [name, hint ? `${value} (${hint})` : value]),
  );
}

/** The rows of the table below a chart, with the header. */
function tableRows(text: string, caption: string): string[][] {
  const start = text.indexOf(`<caption>${caption}</caption>`);
  if (start < 0) return [];
  const table = text.slice(start, text.indexOf("</table>", start));
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, cell = ""]) => cell),
  );
}

const at = (time: string) => Date.parse(time);
const none = { enps_score_average: null, enps_reactions_count: null };

test("redirects to the sign-in page, and back afterwards, without a session", async (t) => {
  const { service } = await makeWebWorld(t);
  const answer = await fetch(`${service.url}/?range=all`, { redirect: "manual" });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get("location"), "/sign-in?to=%2F%3Frange%3Dall");
});

test("explains how to start when an organization has no campaigns", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const other = await world.addOrganization();
  await world.save(other.organization, [campaign({ id: 1, sentAt: world.clock.now - 1 })]);
  for (const path of ["/", "/campaigns"]) {
    const page = await (await signIn("admin")).get(path);
    assert.equal(page.status, 200);
    assert.match(page.text, /No campaigns yet/);
    assert.match(page.text, /email-analytics import/);
    assert.match(page.text, /<a href="\/settings\/integrations\/analytics-api">create an API key/);
    assert.doesNotMatch(page.text, /<svg class="chart"/);
    const viewers = (await (await signIn("viewer")).get(path)).text;
    assert.match(viewers, /No campaigns yet/);
    assert.match(viewers, /Ask an admin of your organization to add some\./);
    assert.doesNotMatch(viewers, /email-analytics import|create an API key/);
  }
});

test("shows the last twelve months by default, and weights rates by recipients", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const metrics = { unique_opens: 500, unique_clicks: 100, ...none };
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2026-06-01T00:00:00Z"), recipientCount: 10_000, metrics }),
    campaign({
      id: 2,
      sentAt: at("2025-07-01T00:00:00Z"),
      recipientCount: 100,
      metrics: { unique_opens: 100, unique_clicks: 1, enps_score_average: 8.5, enps_reactions_count: 2 },
    }),
    campaign({ id: 3, sentAt: at("2025-06-30T23:59:59Z"), recipientCount: 9, metrics }),
    campaign({ id: 4, sentAt: world.clock.now + 1, recipientCount: 9, metrics }),
  ]);
  const viewer = await signIn("viewer");
  const page = await viewer.get("/");
  assert.equal(page.status, 200);
  assert.deepEqual(metricsIn(page.text), {
    Campaigns: "2",
    Recipients: "10,100",
    "Open rate": "5.9%",
    "Click rate": "1.0%",
    "Average eNPS rating (0 to 10)": "8.5 (2 ratings)",
  });
  const rates = tableRows(page.text, "Open rate and click rate");
  assert.equal(rates.length, 13);
  assert.deepEqual(rates[0], ["Month", "Open rate", "Click rate"]);
  assert.deepEqual(rates[1], ["Jul 2025", "100.0%", "1.0%"]);
  assert.deepEqual(rates[2], ["Aug 2025", "–", "–"]);
  assert.deepEqual(rates[12], ["Jun 2026", "5.0%", "1.0%"]);
  assert.deepEqual(tableRows(page.text, "Campaigns per month")[12], ["Jun 2026", "1"]);
  assert.equal(metricsIn((await viewer.get("/?range=all")).text).Campaigns, "3");
  assert.equal(metricsIn((await viewer.get("/?range=3-months")).text).Campaigns, "1");
});

test("shows human activity or all traffic of counted campaigns, as the organization chose", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.register(organization, 1, { recipient_count: 4, surveys_count: 1 });
  const event = (id: number, recipient: string, more: object) => ({
    id: `e${id}`,
    campaign_id: 1,
    recipient,
    at: new Date(world.clock.now - 60_000).toISOString(),
    ...more,
  });
  const { accepted } = await world
    .ingest(organization, [
      event(1, "a", { type: "open", device: "mobile" }),
      event(2, "b", { type: "open", machine: true }),
    ])
    .then((result) => ({ accepted: JSON.stringify(result) }));
  const viewer = await signIn("viewer");
  const people = await viewer.get("/");
  assert.equal(metricsIn(people.text)["Open rate"], "25.0%", accepted);
  assert.match(people.text, /Total: Desktop 0\.0%, Mobile 100\.0%\./);
  assert.match(people.text, /Only human opens and clicks/);
  await world.database.transaction((queries) =>
    changeOrganization(queries, organization.id, { countedTraffic: "all" }, world.clock.now),
  );
  const all = await viewer.get("/");
  assert.equal(metricsIn(all.text)["Open rate"], "50.0%");
  assert.match(all.text, /automated activity/);
});

test("shows the eNPS index next to the average when the distribution of ratings is known", () => {
  const month = {
    month: { year: 2026, month: 6 },
    sums: { ...emptySums(), campaigns: 2, ratings: 1_500, scores: 12_000 },
  };
  const { en } = locales;
  const textOf = ({ sums }: typeof month) =>
    `${overviewMetrics(en, sums)}${overviewCharts(en, groupByPeriod(en.format, [month]), sums)}`;
  const unknown = textOf(month);
  assert.match(unknown, /<b>8\.0<\/b> <\/span>\s*<span class="from">1,500 ratings<\/span>/);
  assert.doesNotMatch(unknown, /eNPS index/);
  Object.assign(month.sums, { promoters: 100, detractors: 350, indexed: 1_000 });
  const known = textOf(month);
  assert.match(
    known,
    /1,500 ratings\. eNPS index −25, from 1,000 ratings, excluding imported campaigns<\/span>/,
  );
  assert.deepEqual(tableRows(known, "eNPS index, from −100 to +100")[1], ["Jun 2026", "−25"]);
});

test("starts months and days in the organization's time zone", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "America/New_York" });
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2026-03-08T04:59:59Z") }),
    campaign({ id: 2, sentAt: at("2026-03-08T05:00:00Z") }),
    // The last millisecond of a day with 23 hours.
    campaign({ id: 3, sentAt: at("2026-03-09T03:59:59Z") }),
    campaign({ id: 4, sentAt: at("2026-03-09T04:00:00Z") }),
    campaign({ id: 5, sentAt: at("2026-01-01T04:59:59Z") }),
  ]);
  const viewer = await signIn("viewer", { organization });
  const day = await viewer.get("/?sent_after=2026-03-08&sent_before=2026-03-08");
  assert.equal(metricsIn(day.text).Campaigns, "2");
  const all = await viewer.get("/?range=all");
  assert.deepEqual(tableRows(all.text, "Campaigns per month").slice(1), [
    ["Dec 2025", "1"],
    ["Jan 2026", "0"],
    ["Feb 2026", "0"],
    ["Mar 2026", "4"],
  ]);
});

test("filters the overview by team and tags, and keeps the filters in the form", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const other = await world.addOrganization();
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2026-06-01T00:00:00Z"), team: "Léa & <b>", tags: ["News", "HR"] }),
    campaign({ id: 2, sentAt: at("2026-06-02T00:00:00Z"), team: "B", tags: ["HR"] }),
    campaign({ id: 3, sentAt: at("2026-06-03T00:00:00Z"), team: "B" }),
  ]);
  await world.save(other.organization, [campaign({ id: 1, team: "Strangers", tags: ["Foreign"] })]);
  const viewer = await signIn("viewer");
  const page = await viewer.get("/");
  const ids = Object.fromEntries(
    [...page.text.matchAll(/name="tag_ids" value="(\d+)"[^>]*> <span class="tag">.*?<\/svg>([^<]*)</g)].map(
      ([, id = "", name = ""]) => [name, id],
    ),
  );
  assert.deepEqual(Object.keys(ids).sort(), ["HR", "News"]);
  assert.doesNotMatch(page.text, /Strangers|Foreign/);
  const campaignsOf = async (query: string) => metricsIn((await viewer.get(`/?${query}`)).text).Campaigns;
  assert.equal(await campaignsOf(`team=${encodeURIComponent("Léa & <b>")}`), "1");
  assert.equal(await campaignsOf("team=B"), "2");
  assert.equal(await campaignsOf(`tag_ids=${ids.News}&tag_ids=${ids.HR}`), "2");
  assert.equal(await campaignsOf(`tag_ids=${ids.News},${ids.HR}&team=B`), "1");
  const chosen = await viewer.get(`/?team=${encodeURIComponent("Léa & <b>")}&tag_ids=${ids.HR}&range=all`);
  assert.match(chosen.text, /<option value="Léa &amp; &lt;b&gt;" selected>Léa &amp; &lt;b&gt;<\/option>/);
  assert.match(chosen.text, new RegExp(`name="tag_ids" value="${ids.HR}" checked`));
  assert.match(chosen.text, /<input type="hidden" name="range" value="all">/);
  assert.match(chosen.text, /href="\/\?range=3-months&amp;team=L%C3%A9a\+%26\+%3Cb%3E&amp;tag_ids=\d+"/);
  assert.match(chosen.text, /aria-current="true">All time</);
  const foreign = await viewer.get("/?tag_ids=99999&range=all");
  assert.equal(foreign.status, 200);
  assert.match(foreign.text, /No campaigns match these filters/);
});

test("filters by every listed team, exactly as it was sent", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const teams = [
    " Sales ",
    "Sales",
    "Cafe\u0301",
    "Caf\u00e9",
    "\u00a0nb",
    `${"x".repeat(199)} yz`,
    `${"👩".repeat(201)}`,
  ];
  const sentAt = world.clock.now;
  await world.save(
    organization,
    teams.map((team, index) => campaign({ id: index + 1, team, sentAt })),
  );
  const viewer = await signIn("viewer");
  const offered = [...(await viewer.get("/")).text.matchAll(/<option value="([^"]+)"/g)].map(
    ([, team = ""]) => team,
  );
  assert.equal(offered.length, teams.length);
  for (const team of offered) {
    const query = `team=${encodeURIComponent(team)}`;
    const { text } = await viewer.get(`/?${query}`);
    assert.equal(metricsIn(text).Campaigns, "1", team);
    assert.ok(text.includes(`<option value="${team}" selected>`));
    assert.match((await viewer.get(`/campaigns?${query}`)).text, /href="\/campaigns\/\d+"/, team);
  }
});

test("lists the first 500 tags and all selected ones, and counts the rest", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const tags = Array.from({ length: 700 }, (_, index) => `Tag ${String(index).padStart(3, "0")}`);
  await world.save(organization, [campaign({ id: 1, sentAt: world.clock.now, tags })]);
  const viewer = await signIn("viewer");
  const idOf = (text: string, tag: string) =>
    new RegExp(`name="tag_ids" value="(\\d+)"[^>]*> <span class="tag">.*?</svg>${tag}<`).exec(text)?.[1];
  const boxes = (text: string) => text.split('type="checkbox"').length - 1;
  const { text } = await viewer.get("/");
  assert.equal(boxes(text), 500);
  assert.ok(idOf(text, "Tag 499"));
  assert.match(text, /200 more tags not listed\./);
  const last = Number(idOf(text, "Tag 000")) + 699;
  const chosen = (await viewer.get(`/?tag_ids=${last}`)).text;
  assert.equal(boxes(chosen), 501);
  assert.match(chosen, new RegExp(`value="${last}" checked> <span class="tag">.*?</svg>Tag 699<`));
  assert.match(chosen, /199 more tags not listed\./);
  assert.equal(metricsIn(chosen).Campaigns, "1");
});

test("counts a campaign in the month that has started when clocks go back over midnight", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "America/St_Johns" });
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2009-11-01T02:30:30Z") }),
    campaign({ id: 2, sentAt: at("2009-11-01T03:00:00Z") }),
    campaign({ id: 3, sentAt: at("2009-11-01T10:00:00Z") }),
  ]);
  world.clock.now = at("2010-01-15T00:00:00Z");
  const viewer = await signIn("viewer", { organization });
  assert.match((await viewer.get("/campaigns/2")).text, /Sent Oct 31, 2009, 11:30 PM/);
  for (const range of ["all", "3-months"]) {
    const { text } = await viewer.get(`/?range=${range}`);
    const months = tableRows(text, "Campaigns per month").slice(1);
    assert.deepEqual(months[0], ["Nov 2009", "3"]);
  }
});

test("answers 400 with the input when a filter of the overview is invalid", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const viewer = await signIn("viewer");
  for (const [query, problem] of [
    [
      "range=2-months",
      /range: &quot;2-months&quot; is not a time range; use one of 3-months, 12-months, all\./,
    ],
    ["sent_after=2026-02-30", /From: &quot;2026-02-30&quot; is not a date; use YYYY-MM-DD/],
    ["sent_before=%3Cscript%3E", /Until: &quot;&lt;script&gt;&quot; is not a date/],
    [
      "sent_after=2026-05-02&sent_before=2026-05-01",
      /From: May 2, 2026 is later than Until: May 1, 2026\. Swap them, or leave one empty\./,
    ],
    ["tag_ids=1,x", /tag_ids: &quot;x&quot; is not a tag id/],
  ] as const) {
    const page = await viewer.get(`/?${query}`);
    assert.equal(page.status, 400, query);
    assert.match(page.text, /class="problem" role="alert"/);
    assert.match(page.text, problem);
    assert.match(page.text, /<form method="get" action="\/"/);
    assert.doesNotMatch(page.text, /<script>/);
  }
});

test("groups by year when there are too many months", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2010-06-01T00:00:00Z") }),
    campaign({ id: 2, sentAt: at("2026-06-01T00:00:00Z") }),
  ]);
  const viewer = await signIn("viewer");
  const years = tableRows((await viewer.get("/?range=all")).text, "Campaigns per year");
  assert.deepEqual(years[1], ["2010", "1"]);
  assert.equal(years.length, 18);
  await world.save(organization, [campaign({ id: 3, sentAt: at("0001-06-01T00:00:00Z") })]);
  const ages = tableRows((await viewer.get("/?range=all")).text, "Campaigns per year");
  assert.deepEqual(ages.slice(1), [
    ["1", "1"],
    ["2010", "1"],
    ["2026", "1"],
  ]);
});
