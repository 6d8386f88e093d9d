// The overview page: key metrics with coverage and changes, chart, breakdowns, filters and time zones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs, hourMs } from "../../../../src/campaign/calendar/durations.ts";
import { changeOrganization } from "../../../../src/counting/campaigns/change-organization.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";
import { metricsIn, plain, spaced, tableRows } from "./read-overview.ts";

const at = (time: string) => Date.parse(time);
const none = { enps_score_average: null, enps_reactions_count: null };
const unsurveyed = { ...none, survey_reactions_count: null };

test("redirects to the sign-in page, and back afterwards, without a session", async (t) => {
  const { service } = await makeWebWorld(t);
  const answer = await fetch(`${service.url}/?period=all`, { redirect: "manual" });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get("location"), "/sign-in?to=%2F%3Fperiod%3Dall");
});

test("leads admins of an organization without campaigns through the steps that are left", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const other = await world.addOrganization();
  await world.save(other.organization, [campaign({ id: 1, sentAt: world.clock.now - 1 })]);
  const admin = await signIn("admin");
  // The world has a key of each scope.
  const first = await admin.read("/");
  assert.match(first, /3 of 5 done/);
  assert.match(first, /Waiting for the first campaign/);
  assert.match(
    first,
    /<a class="button small" href="\/campaigns\/import">Import a file<\/a>\s*<a class="button small second" href="\/sources">Add your provider<\/a>/,
  );
  assert.match(first, /<a class="button small" href="\/settings\/people">Invite<\/a>/);
  assert.match(await admin.read("/campaigns"), /<a class="button" href="\/">Get started<\/a>/);
  const viewer = await signIn("viewer");
  assert.match(await admin.read("/"), /4 of 5 done/);
  for (const path of ["/", "/campaigns"]) {
    const { text } = await viewer.get(path);
    assert.match(text, /No campaigns yet/);
    assert.match(text, /Ask an admin of your organization to add some\./);
    assert.doesNotMatch(text, /Get started|of 5 done/);
  }
  await world.save(organization, [campaign({ id: 1, sentAt: world.clock.now - 1 })]);
  assert.doesNotMatch(await admin.read("/"), /of 5 done/);
});

test("shows changes since the period before, and from how many campaigns each rate is", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const numbers = (unique_opens: number | null, unique_clicks: number | null) => ({
    metrics: { ...unsurveyed, unique_opens, unique_clicks },
  });
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2026-06-02T09:00:00Z"), recipientCount: 1_000, ...numbers(500, 50) }),
    campaign({ id: 2, sentAt: at("2026-06-03T09:00:00Z"), recipientCount: 100, ...numbers(100, null) }),
    campaign({ id: 3, sentAt: at("2026-06-04T09:00:00Z"), recipientCount: 10, ...numbers(null, null) }),
    campaign({ id: 4, sentAt: at("2026-05-15T23:59:59Z"), recipientCount: 1_000, ...numbers(250, 50) }),
    // After the days of May that June is compared with, and after now.
    campaign({ id: 5, sentAt: at("2026-05-16T00:00:00Z"), recipientCount: 9, ...numbers(9, 9) }),
    campaign({ id: 6, sentAt: world.clock.now + 1, recipientCount: 9, ...numbers(9, 9) }),
    campaign({ id: 7, sentAt: at("2026-04-20T00:00:00Z"), recipientCount: 9, ...numbers(3, 1) }),
    campaign({ id: 8, sentAt: at("2025-06-02T00:00:00Z"), recipientCount: 1_000, ...numbers(520, 1) }),
  ]);
  const viewer = await signIn("viewer");
  const page = await viewer.get("/?period=month");
  assert.equal(page.status, 200);
  assert.deepEqual(metricsIn(page.text), {
    Campaigns: ["3", "+200%", "1 before"],
    "Open rate": [
      "54.5% (0–100)",
      "+29.5 pts, may be chance",
      "25.0% before · 52.0% a year before · from 2 of 3 campaigns",
    ],
    "Click rate": ["5.0%", "unchanged", "5.0% before · from 1 of 3 campaigns"],
    "Click-to-open rate": ["10.0%", "−10.0 pts, more than chance", "20.0% before · from 1 of 3 campaigns"],
    "Read over 9\u00a0s": ["35.7% (30–42)", "unchanged", "35.7% before · from 2 of 3 campaigns"],
    eNPS: ["None yet", "", "No campaign had an eNPS survey"],
  });
  const headOf = (text: string) => tableRows(text, "Open rate")[0]?.map(spaced);
  assert.deepEqual(headOf(page.text), ["Week", "Open rate", "May 1 – 15, 2026"]);
  assert.match(
    page.text,
    /<a href="\/campaigns\.csv\?period=month&amp;columns=sent_at%2C[^"]*enps[^"]*" download>/,
  );
  assert.match(
    spaced(plain(page.text)),
    /Open rateJun 1 – 15, 2026 1,110 emails sent\..*In 95 of 100 cases the likely range/,
  );
  const lastMonth = await viewer.read("/?period=last-month");
  assert.match(plain(lastMonth), /Last month \(.*Open rateMay 1,009 emails sent\./);
  assert.deepEqual(tableRows(lastMonth, "Open rate")[0]?.slice(1), ["Open rate", "April"]);
  const withoutComparison = await viewer.read("/?period=month&compare=none");
  assert.match(
    spaced(plain(withoutComparison)),
    /Jun 1 – 15, 2026 1,110 emails sent\..*In 95 of 100 cases the likely range/,
  );
  const always = await viewer.read("/?period=all");
  assert.match(spaced(plain(always)), /Jun 2, 2025 – Jun 4, 2026 .*In 95 of 100 cases the likely range/);
  const oneDay = await viewer.read("/?from=2026-06-02&until=2026-06-02");
  assert.match(oneDay, /Jun 2, 2026/);
  const alone = metricsIn(withoutComparison);
  assert.deepEqual(alone["Open rate"], ["54.5% (0–100)", "", "from 2 of 3 campaigns"]);
  const year = metricsIn(await viewer.read("/?period=month&compare=year"));
  assert.deepEqual(year.Campaigns, ["3", "+200%", "1 a year before"]);
  assert.equal(year["Open rate"]?.at(-1), "52.0% a year before · from 2 of 3 campaigns");
});

test("shows the change of the eNPS as a whole number, like the eNPS", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sentAt = { 1: world.clock.now - 8 * dayMs, 2: world.clock.now - 100 * dayMs };
  const answer = (id: 1 | 2, recipient: string, score: number) => ({
    ...{ type: "survey", survey_id: "s", kind: "enps", score, recipient },
    id: `${id}${recipient}`,
    campaign_id: id,
    at: new Date(sentAt[id] + hourMs).toISOString(),
  });
  for (const id of [1, 2] as const) {
    const sent_at = new Date(sentAt[id]).toISOString();
    await world.register(organization, id, { sent_at, recipient_count: 3, surveys_count: 1 });
  }
  await world.ingest(organization, [
    ...[answer(1, "a", 10), answer(1, "b", 9), answer(1, "c", 0)],
    ...[answer(2, "a", 8), answer(2, "b", 8)],
  ]);
  const { text } = await (await signIn("viewer")).get("/");
  assert.deepEqual(metricsIn(text).eNPS, ["too few answers", "+33, may be chance", "0 before · 3 ratings"]);
});

test("says from how many campaigns the eNPS and the average rating are", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sent_at = "2026-06-02T09:00:00Z";
  await world.register(organization, 1, { sent_at, recipient_count: 4, surveys_count: 1 });
  const answer = { type: "survey", survey_id: "s", kind: "enps", score: 10, recipient: "a", id: "e" };
  await world.ingest(organization, [{ ...answer, campaign_id: 1, at: "2026-06-02T10:00:00Z" }]);
  const metrics = { enps_score_average: 7, enps_reactions_count: 2 };
  await world.save(organization, [campaign({ id: 2, sentAt: at(sent_at), surveysCount: 1, metrics })]);
  assert.deepEqual(metricsIn(await (await signIn("viewer")).read("/?period=month")).eNPS, [
    "too few answers",
    "",
    "from 1 of 2 campaigns with a survey · 3 ratings",
  ]);
});

test("says whether campaigns had surveys and answers, or that it is not known", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const cases = [
    [[{ surveysCount: 0 }], "None yet", "No campaign had an eNPS survey"],
    // A pulse survey.
    [
      [{ surveysCount: null, metrics: { ...unsurveyed, survey_reactions_count: 2 } }],
      "None yet",
      "No campaign had an eNPS survey",
    ],
    [
      [{ surveysCount: null }, { surveysCount: null }, { surveysCount: 0 }],
      "Unknown",
      "No survey data in the import of 2 campaigns",
    ],
    [
      [{ surveysCount: 1, metrics: { ...none, enps_reactions_count: 0, survey_reactions_count: 0 } }],
      "None yet",
      "1 campaign with a survey, no answers yet",
    ],
    [[{ surveysCount: 1 }], "None yet", "from 0 of 1 campaign with a survey"],
    [
      [{ surveysCount: 1, metrics: { ...none, enps_score_average: 7.56, enps_reactions_count: 249 } }],
      "Average 7.56 of 10",
      "249 ratings, no eNPS in the import",
    ],
  ] as const;
  for (const [given, value, note] of cases) {
    const { organization } = await world.addOrganization();
    const sentAt = at("2026-06-02T09:00:00Z");
    const campaigns = given.map((each, index) =>
      campaign({
        ...{ id: index + 1, sentAt, ...each },
        metrics: { ...unsurveyed, ...("metrics" in each ? each.metrics : {}), read_time_read: null },
      }),
    );
    await world.save(organization, campaigns);
    const { text } = await (await signIn("viewer", { organization })).get("/?period=month");
    assert.deepEqual(metricsIn(text).eNPS, [value, "", note]);
    const reads = metricsIn(text)["Read over 9\u00a0s"];
    assert.deepEqual(reads, ["Unknown", "", "No read times in the import"]);
  }
});

test("starts with the year of the last campaign when none was sent in the last 90 days", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2023-02-01T00:00:00Z") }),
    campaign({ id: 2, sentAt: at("2022-12-31T00:00:00Z") }),
  ]);
  const { text } = await (await signIn("viewer")).get("/");
  assert.equal(metricsIn(text).Campaigns?.[0], "1");
  assert.match(text, /No campaign was sent in the last 90 days, so this is 2023\./);
  const rows = tableRows(text, "Open rate");
  assert.deepEqual([rows.length, rows[1]?.[0], rows[12]?.[0]], [13, "Jan 2023", "Dec 2023"]);
});

test("calls a change of the open rate seasonal if the rate is as a year before", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sent = (id: number, day: string, unique_opens: number) =>
    campaign({
      ...{ id, sentAt: at(`${day}T09:00:00Z`), recipientCount: 1_000 },
      metrics: { ...unsurveyed, unique_opens, unique_clicks: 1 },
    });
  const days = ["2026-06-02", "2026-06-03", "2026-06-04", "2026-06-05"];
  await world.save(organization, [
    ...days.map((day, index) => sent(1 + index, day, 600 + index)),
    ...days.map((day, index) => sent(11 + index, day.replace("-06-", "-05-"), 400 + index)),
    ...days.map((day, index) => sent(21 + index, day.replace("2026", "2025"), 600 + index)),
  ]);
  const viewer = await signIn("viewer");
  const rate = async () => metricsIn(await viewer.read("/?period=month"))["Open rate"]?.slice(1);
  assert.deepEqual(await rate(), ["+20.0 pts, seasonal", "40.2% before · 60.2% a year before"]);
  assert.doesNotMatch(await viewer.read("/?period=month"), /class="change better"/);
  await world.save(organization, [sent(21, "2025-06-02", 300)]);
  assert.deepEqual(await rate(), ["+20.0 pts, more than chance", "40.2% before · 52.7% a year before"]);
});

test("shows human activity or everything, and the difference", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.register(organization, 1, { recipient_count: 4, surveys_count: 1 });
  const event = (id: number, recipient: string, more: object) => ({
    id: `e${id}`,
    campaign_id: 1,
    recipient,
    at: new Date(world.clock.now - 60_000).toISOString(),
    ...more,
  });
  await world.ingest(organization, [
    event(1, "a", { type: "open", device: "mobile" }),
    event(2, "b", { type: "open", machine: true }),
    event(3, "a", { type: "survey", survey_id: "s", kind: "enps", score: 10 }),
  ]);
  const fresh = metricsIn(await (await signIn("viewer")).read("/"));
  assert.deepEqual(fresh["Open rate"], ["still counting", "", ""]);
  world.clock.now += 7 * dayMs;
  await world.publishDue();
  const viewer = await signIn("viewer");
  const rate = async (path: string) => metricsIn(await viewer.read(path))["Open rate"];
  assert.deepEqual(await rate("/"), ["25.0% (5–70)", "", ""]);
  assert.deepEqual(await rate("/?traffic=all"), ["50.0% (15–85)", "", ""]);
  assert.deepEqual(metricsIn(await viewer.read("/")).eNPS, ["too few answers", "", "1 rating"]);
  assert.match(await viewer.read("/"), /Only human opens and clicks/);
  await world.database.transactionOf(organization.id, (scope) =>
    changeOrganization(scope, { countedTraffic: "all" }, world.clock.now),
  );
  assert.equal((await rate("/"))?.[0], "50.0% (15–85)");
  assert.match(await viewer.read("/"), /href="\/\?traffic=people"/);
});

test("compares all activity only with campaigns that were counted here", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const openEvents = [1, 2].flatMap((id) =>
    [false, true].map((machine) => ({
      ...{ id: `${id} ${machine}`, campaign_id: id, type: "open", recipient: `${machine}`, machine },
      at: "2026-06-02T10:00:00Z",
    })),
  );
  for (const id of [1, 2]) {
    await world.register(organization, id, { sent_at: "2026-06-02T09:00:00Z", recipient_count: 4 });
  }
  await world.ingest(organization, openEvents);
  const imported = (id: number, sentAt: string) =>
    campaign({ id, sentAt: at(sentAt), recipientCount: 4, metrics: { ...unsurveyed, unique_opens: 1 } });
  await world.save(organization, [
    imported(3, "2026-06-03T09:00:00Z"),
    ...[4, 5].map((id) => imported(id, "2026-05-03T09:00:00Z")),
  ]);
  const viewer = await signIn("viewer");
  const human = await viewer.read("/?period=month");
  assert.deepEqual(metricsIn(human)["Open rate"]?.slice(1), ["unchanged", "25.0% before"]);
  assert.match(
    human,
    /Only human opens and clicks are counted\. Imported, with numbers as reported: 1 of 3 /,
  );
  const reported = await viewer.read("/?from=2026-05-01&until=2026-05-31");
  assert.match(reported, /Imported, with numbers as reported: 2 of 2 campaigns\./);
  assert.doesNotMatch(reported, /Only human opens and clicks are counted/);
  const all = await viewer.read("/?period=month&traffic=all");
  assert.deepEqual(metricsIn(all)["Open rate"], ["41.7% (6–78)", "", ""]);
  assert.deepEqual(metricsIn(all).Campaigns?.slice(1), ["+50%", "2 before"]);
  assert.match(
    all,
    /Imported, with numbers as reported: 1 of 3 campaigns\. Opens and clicks are not compared: imported campaigns do not tell automated activity apart\./,
  );
  const seriesOf = (text: string) => tableRows(text, "Open rate")[0]?.length;
  assert.deepEqual([seriesOf(human), seriesOf(all)], [3, 2]);
  await world.register(organization, 6, { sent_at: "2026-05-04T09:00:00Z", recipient_count: 4 });
  await world.register(organization, 7, { sent_at: "2026-05-04T09:00:00Z", recipient_count: 4 });
  const half = await viewer.read("/?period=month&traffic=all");
  assert.deepEqual(metricsIn(half)["Open rate"]?.slice(1), ["+29.2 pts, may be chance", "12.5% before"]);
  assert.doesNotMatch(half, /not compared/);
});

test("leads from a month of the chart to its campaigns, by the organization's time zone", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "America/New_York" });
  const metrics = { unique_opens: 1 };
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2026-03-01T05:00:00Z"), recipientCount: 2, metrics }),
    campaign({ id: 2, sentAt: at("2026-04-01T03:59:59Z"), recipientCount: 2, metrics }),
    campaign({ id: 3, sentAt: at("2026-04-01T04:00:00Z"), recipientCount: 4, metrics }),
    campaign({ id: 4, sentAt: at("2026-03-01T04:59:59Z"), recipientCount: 4, metrics }),
  ]);
  const viewer = await signIn("viewer", { organization });
  const { text } = await viewer.get("/?period=2026&team=Default+Team");
  const rows = tableRows(text, "Open rate");
  assert.deepEqual(
    rows.slice(1, 5).map((row) => row.slice(0, 2)),
    [
      ["Jan 2026", "– no value"],
      ["Feb 2026", "25.0% (0–100)"],
      ["Mar 2026", "50.0% (0–100)"],
      ["Apr 2026", "25.0% (0–100)"],
    ],
  );
  assert.match(text, /href="\/campaigns\?period=2026-03&amp;team=Default\+Team"/);
  assert.match(text, /Month not over/);
  const week = await viewer.read("/?from=2026-03-01&until=2026-04-20");
  assert.match(week, /href="\/campaigns\?from=2026-03-02&amp;until=2026-03-08"/);
  const day = await viewer.get("/?from=2026-03-31&until=2026-03-31");
  assert.equal(metricsIn(day.text).Campaigns?.[0], "1");
  assert.deepEqual(tableRows(day.text, "Open rate")[1]?.slice(0, 2), ["Mar 31, 2026", "50.0% (9–91)"]);
});

test("ends the chart and the trends with the week, month or year that contains now", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  world.clock.now = at("2026-11-23T12:00:00Z");
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2026-10-01T00:00:00Z"), recipientCount: 2, metrics: { unique_opens: 1 } }),
    campaign({ id: 2, sentAt: at("2026-11-23T11:00:00Z"), recipientCount: 2, metrics: { unique_opens: 1 } }),
  ]);
  const viewer = await signIn("viewer");
  world.clock.now += 7 * dayMs - hourMs;
  await world.publishDue();
  world.clock.now = at("2026-11-23T12:00:00Z");
  for (const [query, count, last, url] of [
    ["period=quarter", 9, "Nov 23.–.29, 2026", "from=2026-11-23&amp;until=2026-11-29"],
    ["period=month", 5, "Nov 23.–.29, 2026", "from=2026-11-23&amp;until=2026-11-29"],
    ["period=year", 11, "Nov 2026", "period=2026-11"],
    ["from=2026-11-01&until=2026-12-31", 5, "Nov 23.–.29, 2026", "from=2026-11-23&amp;until=2026-11-29"],
    ["from=2020-01-01&until=9999-12-31", 7, "2026", "period=2026"],
  ] as const) {
    const { text } = await viewer.get(`/?${query}`);
    const rows = tableRows(text, "Open rate").slice(1);
    assert.equal(rows.length, count, query);
    assert.match(rows.at(-1)?.join(" ") ?? "", new RegExp(`^${last} 50\\.0%`), query);
    assert.match(text, /<rect fill="url\(#hatch\)" x=/, query);
    const links = [...text.matchAll(/<a class="hit[^"]*" href="\/campaigns\?([^"]*)"/g)];
    assert.equal(links.at(-1)?.[1], url, query);
  }
});

test("hatches the last bucket of all time as long as it is not over, and no earlier one", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  world.clock.now = at("2026-11-28T12:00:00Z");
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2025-01-01T00:00:00Z") }),
    campaign({ id: 2, sentAt: at("2026-11-03T11:00:00Z") }),
  ]);
  const viewer = await signIn("viewer");
  for (const [now, isUnfinished] of [
    ["2026-11-28T12:00:00Z", true],
    ["2026-12-01T12:00:00Z", false],
  ] as const) {
    world.clock.now = at(now);
    const { text } = await viewer.get("/?period=all");
    assert.equal(tableRows(text, "Open rate").at(-1)?.[0], "Nov 2026");
    assert.equal(/<rect fill="url\(#hatch\)" x=/.test(text), isUnfinished, now);
    const links = [...text.matchAll(/<a class="hit[^"]*" href="\/campaigns\?([^"]*)"/g)];
    assert.equal(links.at(-1)?.[1], "period=2026-11");
  }
});

test("shows years when a period is long, and the last ones when it is very long", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2010-06-01T00:00:00Z") }),
    campaign({ id: 2, sentAt: at("2026-06-01T00:00:00Z") }),
  ]);
  const viewer = await signIn("viewer");
  const rows = async () => tableRows(await viewer.read("/?period=all"), "Open rate");
  const years = await rows();
  assert.deepEqual([years.length, years[1]?.[0], years[17]?.[0]], [18, "2010", "2026"]);
  await world.save(organization, [campaign({ id: 3, sentAt: at("0001-06-01T00:00:00Z") })]);
  const ages = await rows();
  assert.deepEqual([ages.length, ages[1]?.[0]], [61, "1967"]);
  assert.equal(metricsIn(await viewer.read("/?period=all")).Campaigns?.[0], "3");
});

test("divides into weeks where months with campaigns are few, and colors the campaigns of a few teams", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sentAt = (week: number) => at("2025-09-01T09:00:00Z") + week * 7 * dayMs;
  const sent = (id: number) =>
    campaign({
      ...{ id, sentAt: sentAt(id), team: id % 2 === 0 ? "A" : "B & C", recipientCount: 100 * id },
      metrics: { ...unsurveyed, unique_opens: 10 * id },
    });
  const viewer = await signIn("viewer");
  const units = async () => tableRows(await viewer.read("/?period=2025"), "Open rate")[0]?.[0];
  await world.save(organization, [1, 2, 3, 4, 5, 6, 7].map(sent));
  assert.equal(await units(), "Month");
  await world.save(organization, [sent(8)]);
  assert.equal(await units(), "Week");
  const { text } = await viewer.get("/?period=2025");
  const legend = /<ul class="legend">(.*?)<\/ul>/s.exec(text)?.[1] ?? "";
  assert.match(plain(legend), /^Campaign \(size: recipients\)\s*A\s*B &amp; C/);
  const dots = [...text.matchAll(/<circle class="case (s\d)" cx="[^"]*%" cy="[^"]*" r="([^"]*)"/g)];
  assert.deepEqual(
    dots.map(([, color, size]) => `${color} ${size}`).slice(0, 2),
    ["s2 6", "s3 5.7"],
    "the newest is the largest",
  );
});

test("lists best and worst subjects, and the numbers by team, tag and sending type", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sentAt = at("2026-06-01T00:00:00Z");
  const sent = (id: number, unique_opens: number, more: object) =>
    campaign({
      id,
      sentAt,
      recipientCount: 100,
      metrics: { ...unsurveyed, unique_opens, unique_clicks: 1, open_rate: unique_opens / 100 },
      ...more,
    });
  await world.save(organization, [
    sent(1, 90, { subject: "<b>First", team: "A & B", tags: ["News"], recipients: "Everybody, Sales" }),
    sent(2, 80, { subject: "Second", team: "A & B", tags: ["News", "HR"], sendingType: "Immediate" }),
    sent(3, 10, { subject: "Third", team: null, recipients: null }),
    sent(4, 20, { subject: "Fourth", team: "C", tags: ["HR"] }),
    sent(5, 15, { subject: "Fifth", team: "C" }),
    // Within chance, or too new.
    sent(6, 3, { subject: "Test", team: "C", recipientCount: 9 }),
    sent(7, 100, { subject: "New", team: "C", sentAt: world.clock.now - 1 }),
  ]);
  const viewer = await signIn("viewer");
  const { text } = await viewer.get("/?period=month");
  assert.deepEqual(tableRows(text, "Highest open rates"), [
    ["&lt;b&gt;FirstJun 1, 2026 · +47.2 pts vs. all: 42.8%", "90.0% (83–94)"],
    ["SecondJun 1, 2026 · +37.2 pts vs. all: 42.8%", "80.0% (71–87)"],
  ]);
  // The campaign leads back to the list, in the order of the card.
  for (const [id, order] of [
    [1, "sort%3Dopen_rate%26order%3Ddesc"],
    [3, "sort%3Dopen_rate"],
  ]) {
    assert.ok(text.includes(`href="/campaigns/${id}?list=period%3Dmonth%26${order}"`), String(id));
  }
  assert.deepEqual(tableRows(text, "Lowest open rates"), [
    ["ThirdJun 1, 2026 · −32.8 pts vs. all: 42.8%", "10.0% (6–17)"],
    ["FifthJun 1, 2026 · −27.8 pts vs. all: 42.8%", "15.0% (9–23)"],
    ["FourthJun 1, 2026 · −22.8 pts vs. all: 42.8%", "20.0% (13–29)"],
  ]);
  assert.match(text, /<h2>Results by team<\/h2><a href="\/breakdown\?period=month">All 3 teams<\/a>/);
  assert.deepEqual(tableRows(text, "Results by team").slice(1), [
    ["A &amp; B, +69.5 pts (15.5%) vs. others", "2", "85.0%", "1.0% (0–4)", "– no value"],
    [
      "C, 1 still counting, −41.8 pts, may be chance (60.0%) vs. others",
      ...["4", "18.2% (0–39)", "1.4% (0–7)", "– no value"],
    ],
    ["not set, −40.9 pts, may be chance (50.9%) vs. others", "1", "10.0%", "1.0% (0–4)", "– no value"],
  ]);
  assert.match(text, /<a href="\/\?period=month&amp;team=A\+%26\+B">/);
});

test("ranks subjects by their open rates, or by how those differ from the usual ones of their teams", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sent = (id: number, team: string, unique_opens: number) =>
    campaign({
      ...{ id, team, subject: `No. ${id}`, recipientCount: 100, sentAt: at("2026-06-01T00:00:00Z") + id },
      metrics: { ...unsurveyed, unique_opens, unique_clicks: 1 },
    });
  await world.save(organization, [
    ...[sent(1, "Lab", 20), sent(2, "Lab", 22), sent(3, "Lab", 18), sent(4, "Lab", 25), sent(5, "Lab", 19)],
    ...[sent(11, "HR", 80), sent(12, "HR", 82), sent(13, "HR", 78), sent(14, "HR", 30), sent(15, "HR", 85)],
    ...[sent(21, "IT", 30), sent(22, "IT", 31), sent(23, "IT", 29), sent(24, "IT", 70)],
  ]);
  const viewer = await signIn("viewer");
  const byRate = await viewer.read("/?period=month");
  assert.equal(tableRows(byRate, "Lowest open rates")[0]?.[0], "No. 3Jun 1, 2026 · −26.2 pts vs. all: 44.2%");
  assert.deepEqual(
    tableRows(byRate, "Results by team")
      .slice(1)
      .map(([name = ""]) => name.slice(0, 3)),
    ["HR,", "Lab", "IT,"],
    "those that differ by more than chance first",
  );
  assert.match(byRate, /<a href="\/\?period=month&amp;rank=team">their own team<\/a>/);
  const { text } = await viewer.get("/?period=month&rank=team");
  assert.deepEqual(tableRows(text, "Opened more than usual for the team"), [
    ["No. 24Jun 1, 2026 · +40.0 pts vs. IT: 30.0%", "70.0% (60–78)"],
  ]);
  assert.deepEqual(tableRows(text, "Opened less than usual for the team"), [
    ["No. 14Jun 1, 2026 · −50.0 pts vs. HR: 80.0%", "30.0% (22–40)"],
  ]);
  assert.match(text, /<a [^>]*href="\/\?period=month&amp;team=HR&amp;rank=team"/, "filters keep the ranking");
  assert.match(text, /<a [^>]*href="\/campaigns\?period=month"/, "the list has no ranking");
  const oneTeam = plain(await viewer.read("/?period=month&rank=team&team=HR"));
  assert.match(
    oneTeam,
    /Opened more than usual for the teamCompare campaigns withall otherstheir own teamNone differs by more than chance\..*No\. 14/s,
  );
  const refused = await viewer.get("/?rank=best");
  assert.equal(refused.status, 400);
  assert.match(
    refused.text,
    /Compare campaigns with: &quot;best&quot; is not accepted; use one of rate, team\./,
  );
});

test("says that nothing stands out where rates differ only by chance", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sent = (id: number, unique_opens: number) =>
    campaign({
      ...{ id, recipientCount: 10, sentAt: at("2026-06-01T00:00:00Z") },
      metrics: { ...unsurveyed, unique_opens, unique_clicks: 1 },
    });
  await world.save(organization, [sent(1, 5), sent(2, 6), sent(3, 3), sent(4, 4)]);
  const { text } = await (await signIn("viewer")).get("/?period=month");
  assert.match(
    text,
    /Nothing stands out in this period: the open rates differ no more than chance explains\./,
  );
  assert.doesNotMatch(text, /Highest open rates|Lowest open rates/);
});

test("says which teams it shows if there are many, and that as many campaigns are no change", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const sent = (id: number, sentAt: string) =>
    campaign({ id, sentAt: at(sentAt), recipientCount: 100 + id, team: `Team ${id}` });
  const ids = Array.from({ length: 13 }, (_, index) => index + 1);
  await world.save(organization, [
    ...ids.map((id) => sent(id, "2026-06-02T09:00:00Z")),
    ...ids.map((id) => sent(20 + id, "2026-05-02T09:00:00Z")),
  ]);
  const { text } = await (await signIn("viewer")).get("/?period=month");
  const teams = tableRows(text, "Results by team").map(([name]) => name);
  assert.equal(teams.length, 13);
  assert.ok(!teams.includes("Team 1"), "it has the fewest recipients");
  assert.match(text, /The 12 with the most recipients, of 13/);
  assert.deepEqual(metricsIn(text).Campaigns?.slice(1), ["unchanged", "13 before"]);
});

test("shows the top links and the latest comments", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "Asia/Tokyo" });
  await world.register(organization, 1, {
    ...{ subject: "With comments", sent_at: "2026-06-15T09:00:00+09:00", tracking_type: "Anonymous" },
  });
  const event = (index: number, more: object) => ({
    id: JSON.stringify([index, more]),
    campaign_id: 1,
    recipient: `r${index}@example.com`,
    at: "2026-06-15T10:20:00+09:00",
    ...more,
  });
  const open = (index: number) => event(index, { type: "open" });
  const click = (index: number, url: string) => event(index, { type: "click", url });
  const answer = (index: number, comment: string) =>
    event(index, {
      ...{ type: "survey", survey_id: "s", kind: "enps", score: index, comment },
      at: `2026-06-15T10:2${index}:00+09:00`,
    });
  await world.ingest(organization, [
    ...[1, 2, 3].map(open),
    event(4, { type: "open", machine: true }),
    click(5, "https://example.com/a?x=1"),
    click(6, "https://example.com/a?x=2"),
    click(7, "https://example.com/b"),
    ...[0, 1, 2, 3].map((index) => answer(index + 5, `Comment <${index}>`)),
  ]);
  const viewer = await signIn("viewer", { organization });
  const { text } = await viewer.get("/");
  assert.match(text, /From the one campaign that this service counts\./);
  assert.deepEqual(tableRows(text, "Top links").slice(1), [
    ["/a", "2"],
    ["/b", "1"],
  ]);
  assert.doesNotMatch(text, /<blockquote/, "withheld: only four people answered");
  await world.ingest(organization, [answer(9, "Comment <4>")]);
  const commented = await viewer.read("/");
  assert.match(commented, /<blockquote lang="" dir="auto">/);
  assert.match(commented, /<a href="\/campaigns\/1"><bdi[^>]*>With comments<\/bdi><\/a>/);
  assert.match(await viewer.read("/?traffic=all"), /<a href="\/campaigns\/1\?traffic=all"><bdi[^>]*>With/);
  assert.doesNotMatch(commented, /r9@example/);
  const comments = [...commented.matchAll(/<blockquote[^>]*>(.*?)<\/blockquote>/g)].map(([, text]) => text);
  assert.deepEqual(comments, ["Comment &lt;4&gt;", "Comment &lt;3&gt;", "Comment &lt;2&gt;"]);
});

test("answers 400 with the input when a filter of the overview is invalid", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const viewer = await signIn("viewer");
  for (const [query, problem] of [
    ["period=2-months", /Period: &quot;2-months&quot; is not accepted; use one of 7d, /],
    ["until=%3Cscript%3E", /Until: &quot;&lt;script&gt;&quot; is not a date/],
    ["tag_ids=1,x", /Tags: &quot;x&quot; is not the ID of a tag/],
  ] as const) {
    const page = await viewer.get(`/?${query}`);
    assert.equal(page.status, 400, query);
    assert.match(page.text, /class="problem" role="alert"/);
    assert.match(page.text, problem);
    assert.match(page.text, /<div class="toolbar"/);
    assert.doesNotMatch(page.text, /<script>/);
  }
  const { text: dates } = await viewer.get("/?from=2026-06-02&until=2026-06-01&team=A");
  assert.match(dates, /class="problem" role="alert">From: Jun 2, 2026 is later than Until: Jun 1, 2026\./);
  assert.match(dates, /<details class="menu pick" id="menu-period" name="menu" open>/);
  assert.match(dates, /id="from" [^>]*aria-invalid="true"[^>]* value="2026-06-02">/);
  assert.match(dates, /id="until" [^>]*value="2026-06-01">/);
  assert.match(dates, /type="hidden" name="team" value="A"/);
  const empty = await viewer.get("/?tag_ids=99999");
  assert.equal(empty.status, 200);
  assert.match(empty.text, /No campaigns match these filters\./);
});

/** A query string, and whether a record matches it. */
