// The overview page: key metrics with coverage and changes, chart, breakdowns, filters and time zones.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { dayMs, hourMs } from "../../../../src/campaign/calendar/durations.ts";
import { changeOrganization } from "../../../../src/counting/campaigns/change-organization.ts";
import { actionsOf } from "../../../support/audit.ts";
import { assertPage, rowsUnder, textOf } from "../../../support/pages.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";
import { metricsIn } from "./read-overview.ts";

const at = (time: string) => Date.parse(time);
const none = { enps_score_average: null, enps_reactions_count: null };
const unsurveyed = { ...none, survey_reactions_count: null };

type GivenCampaign = Partial<Parameters<typeof campaign>[0]>;

/** An imported campaign without surveys. */
const sent = (id: number, sentAt: string | number, { metrics, ...given }: GivenCampaign = {}) =>
  campaign({
    ...{ id, sentAt: typeof sentAt === "string" ? at(sentAt) : sentAt, ...given },
    metrics: { ...unsurveyed, ...metrics },
  });

/** An organization with these campaigns, and what a viewer reads. */
async function start(
  t: TestContext,
  campaigns: ReturnType<typeof campaign>[] = [],
  { timeZone = "UTC", now }: { timeZone?: string; now?: string } = {},
) {
  const web = await makeWebWorld(t, { timeZone });
  if (now !== undefined) web.world.clock.now = at(now);
  await web.world.save(web.organization, campaigns);
  const viewer = await web.signIn("viewer");
  return { ...web, viewer, read: (query = "") => viewer.read(`/${query}`) };
}

/** The links of the chart to the campaigns of its weeks, months or years. */
const chartLinksIn = (text: string) =>
  [...text.matchAll(/<a class="hit[^"]*" href="\/campaigns\?([^"]*)"/g)].map(([, query]) => query);

test("leads admins of an organization without campaigns through the steps that are left", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  const other = await world.addOrganization();
  await world.save(other.organization, [campaign({ id: 1, sentAt: world.clock.now - 1 })]);
  const admin = await signIn("admin");
  // The world has a key of each scope.
  const first = await admin.read("/");
  assert.match(first, /Waiting for the first campaign/);
  assert.match(
    first,
    /<a class="button small" href="\/campaigns\/import">Import a file<\/a>\s*<a class="button small second" href="\/sources">Add your provider<\/a>/,
  );
  assert.match(first, /<a class="button small second" href="\/settings\/people">Invite<\/a>/);
  assert.equal(textOf(first).match(/, done/g)?.length, 1);
  assert.match(await admin.read("/campaigns"), /<a class="button" href="\/">Get started<\/a>/);
  const viewer = await signIn("viewer");
  assert.equal(textOf(await admin.read("/")).match(/, done/g)?.length, 2);
  for (const path of ["/", "/campaigns"]) {
    const text = await viewer.read(path);
    assert.match(text, /No campaigns yet/);
    assert.match(text, /Ask an admin of your organization to add some\./);
    assert.doesNotMatch(text, /Get started|, done/);
  }
  await world.save(organization, [campaign({ id: 1, sentAt: world.clock.now - 1 })]);
  assert.doesNotMatch(await admin.read("/"), /Get to your first numbers/, "all steps are done");
});

test("lists the steps that are left beside the numbers, to admins, until one of them hides them", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const { organization } = await world.addOrganization({ name: "Globex" });
  const admin = await signIn("admin", { organization });
  const main = (text: string) =>
    [...text.matchAll(/<a class="button small" href="([^"]+)"/g)].map(([, url]) => url);
  assert.deepEqual(main(await admin.read("/")), ["/campaigns/import"]);
  assert.doesNotMatch(await admin.read("/"), /Hide these steps/, "the page would be empty");
  await world.save(organization, [campaign({ id: 1, sentAt: world.clock.now - 1 })]);
  const text = await admin.read("/?period=all");
  assert.match(text, /Hide these steps[\s\S]*Open rate/);
  assert.deepEqual(main(text), ["/settings/people"], "the organization has a key to read");
  const sent = await admin.post("/?period=all", "dismiss");
  assert.deepEqual([sent.status, sent.location, sent.notice], [303, "/?period=all", "The steps are hidden."]);
  assert.doesNotMatch(await admin.read("/"), /Get to your first numbers/);
  assert.match(
    (await actionsOf(world, organization.id)).join(),
    /organization\.change, Globex, set-up: dismissed/,
  );
});

test("compares nothing with fewer than five campaigns, and shows from how many campaigns each rate is", async (t) => {
  const numbers = (
    recipientCount: number,
    unique_opens: number | null = null,
    unique_clicks: number | null = null,
  ) => ({ recipientCount, metrics: { unique_opens, unique_clicks } });
  const { world, organization, viewer, read } = await start(t, [
    sent(1, "2026-06-02T09:00:00Z", numbers(1_000, 500, 50)),
    sent(2, "2026-06-03T09:00:00Z", numbers(100, 100)),
    sent(3, "2026-06-04T09:00:00Z", numbers(10)),
    sent(4, "2026-05-15T23:59:59Z", numbers(1_000, 250, 50)),
    // After the days of May that June is compared with.
    sent(5, "2026-05-16T00:00:00Z", numbers(9, 9, 9)),
    sent(7, "2026-04-20T00:00:00Z", numbers(9, 3, 1)),
    sent(8, "2025-06-02T00:00:00Z", numbers(1_000, 520, 1)),
  ]);
  await world.save(organization, [sent(6, world.clock.now + 1, numbers(9, 9, 9))]);
  const page = await viewer.read("/?period=month");
  assert.deepEqual(metricsIn(page), {
    Campaigns: ["3", "", "1 before"],
    "Open rate": ["54.5% (0–100)", "", "from 2 of 3 campaigns"],
    "Click rate": ["5.0%", "", "from 1 of 3 campaigns"],
    "Read over 9\u00a0s": ["35.7%", "", "from 2 of 3 campaigns"],
    eNPS: ["None yet", "", "No campaign had an eNPS survey"],
  });
  const headOf = (text: string) => rowsUnder(text, "Open rate")[0];
  assert.deepEqual(headOf(page), ["Week", "Open rate", "May 1 – 15, 2026"]);
  assert.match(
    page,
    /<a [^>]*href="\/campaigns\.csv\?period=month&amp;columns=sent_at%2C[^"]*enps[^"]*" download>/,
  );
  const likely = "the true rate is in the range beside it 95 times in 100";
  for (const [query, shown] of [
    ["period=month", `Open rate Jun 1 – 15, 2026 1,110 emails sent\\..*${likely}`],
    ["period=last-month", "Last month \\(.*Open rate May 1,009 emails sent\\."],
    ["period=month&compare=none", `Jun 1 – 15, 2026 1,110 emails sent\\..*${likely}`],
    ["period=all", `Jun 2, 2025 – Jun 4, 2026 .*${likely}`],
    ["from=2026-06-02&until=2026-06-02", "Jun 2, 2026"],
  ] as const)
    assert.match(textOf(await read(`?${query}`)), new RegExp(shown), query);
  assert.deepEqual(headOf(await read("?period=last-month"))?.slice(1), ["Open rate", "April"]);
  const alone = metricsIn(await read("?period=month&compare=none"));
  assert.deepEqual(alone["Open rate"], ["54.5% (0–100)", "", "from 2 of 3 campaigns"]);
  const year = metricsIn(await read("?period=month&compare=year"));
  assert.deepEqual(year.Campaigns, ["3", "", "1 a year before"]);
  assert.equal(year["Open rate"]?.at(-1), "from 2 of 3 campaigns");
});

test("shows the change of the eNPS as a whole number, like the eNPS", async (t) => {
  const { world, organization, read } = await start(t);
  for (const [id, scores, days] of [
    [1, [10, 9, 0], 8],
    ...[2, 3, 4, 5, 6].map((each) => [each, [8, 8], 100] as const),
  ] as const) {
    const sentAt = world.clock.now - days * dayMs;
    const sent_at = new Date(sentAt).toISOString();
    await world.register(organization, id, { sent_at, recipient_count: 3, surveys_count: 1 });
    const answers = scores.map((score, person) => ({
      ...{ type: "survey", survey_id: "s", kind: "enps", score, recipient: `${person}` },
      ...{ id: `${id} ${person}`, campaign_id: id, at: new Date(sentAt + hourMs).toISOString() },
    }));
    await world.ingest(organization, answers);
  }
  assert.deepEqual(metricsIn(await read()).eNPS, ["too uncertain", "+33", "0 before · 3 ratings"]);
});

test("says from how many campaigns the eNPS and the average rating are", async (t) => {
  const { world, organization, read } = await start(t);
  const sent_at = "2026-06-02T09:00:00Z";
  await world.register(organization, 1, { sent_at, recipient_count: 4, surveys_count: 1 });
  const answer = { type: "survey", survey_id: "s", kind: "enps", score: 10, recipient: "a", id: "e" };
  await world.ingest(organization, [{ ...answer, campaign_id: 1, at: "2026-06-02T10:00:00Z" }]);
  const metrics = { enps_score_average: 7, enps_reactions_count: 2 };
  await world.save(organization, [campaign({ id: 2, sentAt: at(sent_at), surveysCount: 1, metrics })]);
  const from = "from 1 of 2 campaigns with a survey · 3 ratings";
  assert.deepEqual(metricsIn(await read("?period=month")).eNPS, ["too uncertain", "", from]);
});

test("says whether campaigns had surveys and answers, or that it is not known", async (t) => {
  const { signIn, world } = await makeWebWorld(t);
  const [noSurvey, noYet] = ["No campaign had an eNPS survey", "None yet"];
  const unknown = [{ surveysCount: null }, { surveysCount: null }, { surveysCount: 0 }];
  const unanswered = { surveysCount: 1, metrics: { enps_reactions_count: 0, survey_reactions_count: 0 } };
  const rated = { surveysCount: 1, metrics: { enps_score_average: 7.56, enps_reactions_count: 249 } };
  const cases: [given: GivenCampaign[], value: string, note: string][] = [
    [[{ surveysCount: 0 }], noYet, noSurvey],
    // A pulse survey.
    [[{ surveysCount: null, metrics: { survey_reactions_count: 2 } }], noYet, noSurvey],
    [unknown, "Unknown", "No survey data in the import of 2 campaigns"],
    [[unanswered], noYet, "1 campaign with a survey, no answers yet"],
    [[{ surveysCount: 1 }], noYet, "from 0 of 1 campaign with a survey"],
    [[rated], "Average 7.56 of 10", "249 ratings, no eNPS in the import"],
  ];
  for (const [given, value, note] of cases) {
    const { organization } = await world.addOrganization();
    const campaigns = given.map(({ metrics, ...each }, index) =>
      sent(index + 1, "2026-06-02T09:00:00Z", { ...each, metrics: { ...metrics, read_time_read: null } }),
    );
    await world.save(organization, campaigns);
    const shown = metricsIn(await (await signIn("viewer", { organization })).read("/?period=month"));
    assert.deepEqual(shown.eNPS, [value, "", note]);
    assert.deepEqual(shown["Read over 9\u00a0s"], ["Unknown", "", "No read times in the import"]);
  }
});

test("starts with the year of the last campaign when none was sent in the last 90 days", async (t) => {
  const { read } = await start(t, [sent(1, "2023-02-01T00:00:00Z"), sent(2, "2022-12-31T00:00:00Z")]);
  const text = await read();
  assert.equal(metricsIn(text).Campaigns?.[0], "1");
  assert.match(text, /<span>2023</);
  const rows = rowsUnder(text, "Open rate");
  assert.deepEqual([rows.length, rows[1]?.[0], rows[12]?.[0]], [13, "Jan 2023", "Dec 2023"]);
});

test("compares the number of campaigns with no period that begins before the first one", async (t) => {
  const of = (days: readonly string[], from: number) =>
    days.map((day, index) => sent(from + index, `${day}T09:00:00Z`, { recipientCount: 100 }));
  const spring = ["2026-03-03", "2026-03-10", "2026-03-17", "2026-03-24", "2026-03-31"];
  const summer = ["2026-04-07", "2026-04-14", "2026-04-21", "2026-04-28", "2026-05-05", "2026-05-12"];
  const { world, organization, viewer, read } = await start(t, [...of(spring, 1), ...of(summer, 11)]);
  const quarter = "?from=2026-04-01&until=2026-06-15";
  assert.deepEqual(metricsIn(await read(quarter)).Campaigns, ["6", "", "5 before, the first on Mar 3, 2026"]);
  for (const language of ["de", "es", "fr", "sv"]) {
    assert.doesNotMatch(await viewer.read(`/${quarter}`, language), /the first on/);
  }
  await world.save(organization, [sent(21, "2026-01-05T09:00:00Z", { team: "Other" })]);
  assert.deepEqual(metricsIn(await read(quarter)).Campaigns, ["6", "+20%", "5 before"]);
});

test("calls a change of the open rate seasonal if the rate is as a year before", async (t) => {
  const of = (id: number, day: string, unique_opens: number) =>
    sent(id, `${day}T09:00:00Z`, { recipientCount: 1_000, metrics: { unique_opens, unique_clicks: 1 } });
  const days = ["2026-06-02", "2026-06-03", "2026-06-04", "2026-06-05", "2026-06-06"];
  const { world, organization, read } = await start(t, [
    ...days.map((day, index) => of(1 + index, day, 600 + index)),
    ...days.map((day, index) => of(11 + index, day.replace("-06-", "-05-"), 400 + index)),
    ...days.map((day, index) => of(21 + index, day.replace("2026", "2025"), 600 + index)),
  ]);
  const rate = async () => metricsIn(await read("?period=month"))["Open rate"]?.slice(1);
  assert.deepEqual(await rate(), ["+20.0 pts, about as a year ago (60.2%)", "40.2% before"]);
  assert.doesNotMatch(await read("?period=month"), /class="change better"/);
  await world.save(organization, [of(21, "2025-06-02", 300)]);
  assert.deepEqual(await rate(), ["+20.0 pts", "40.2% before"]);
  assert.match(await read("?period=month"), /class="change better"/);
  const year = metricsIn(await read("?period=month&compare=year"));
  assert.deepEqual(year["Open rate"]?.slice(1), ["+6.0 pts", "54.2% a year before"]);
  assert.deepEqual(year.Campaigns, ["5", "unchanged", "5 a year before"]);
});

test("shows human activity or everything, and the difference", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t);
  await world.register(organization, 1, { recipient_count: 4, surveys_count: 1 });
  const event = { campaign_id: 1, at: new Date(world.clock.now - 60_000).toISOString() };
  await world.ingest(organization, [
    { ...event, id: "1", recipient: "a", type: "open", device: "mobile" },
    { ...event, id: "2", recipient: "b", type: "open", machine: true },
    { ...event, id: "3", recipient: "a", type: "survey", survey_id: "s", kind: "enps", score: 10 },
  ]);
  const fresh = metricsIn(await (await signIn("viewer")).read("/"));
  assert.deepEqual(fresh["Open rate"], ["25.0% (5–70)", "so far", ""], "nothing to compare with");
  world.clock.now += 7 * dayMs;
  await world.publishDue();
  const viewer = await signIn("viewer");
  const rate = async (path: string) => metricsIn(await viewer.read(path))["Open rate"];
  assert.deepEqual(await rate("/"), ["25.0% (5–70)", "", ""]);
  assert.deepEqual(await rate("/?traffic=all"), ["50.0% (15–85)", "", ""]);
  assert.deepEqual(metricsIn(await viewer.read("/")).eNPS, ["too uncertain", "", "1 rating"]);
  assert.match(await viewer.read("/"), /Only human opens and clicks/);
  await world.database.transactionOf(organization.id, (scope) =>
    changeOrganization(scope, { countedTraffic: "all" }, world.clock.now),
  );
  assert.equal((await rate("/"))?.[0], "50.0% (15–85)");
  assert.match(await viewer.read("/?traffic=people"), /More filters · Human only/);
});

test("compares all activity only with campaigns that were counted here", async (t) => {
  const given = { recipientCount: 4, metrics: { unique_opens: 1 } };
  const { world, organization, read } = await start(t, [
    sent(3, "2026-06-03T09:00:00Z", given),
    ...[4, 5, 11, 12, 13].map((id) => sent(id, "2026-05-03T09:00:00Z", given)),
  ]);
  const opens = [1, 2].flatMap((id) =>
    [false, true].map((machine) => ({
      ...{ id: `${id} ${machine}`, campaign_id: id, type: "open", recipient: `${machine}`, machine },
      at: "2026-06-02T10:00:00Z",
    })),
  );
  const register = (id: number, sent_at: string) =>
    world.register(organization, id, { sent_at, recipient_count: 4 });
  for (const id of [1, 2]) await register(id, "2026-06-02T09:00:00Z");
  await world.ingest(organization, opens);
  const human = await read("?period=month");
  assert.deepEqual(metricsIn(human)["Open rate"]?.slice(1), ["unchanged", "25.0% before"]);
  const imported = "Imported, with numbers as reported:";
  assert.ok(human.includes(`Only human opens and clicks are counted. ${imported} 1 of 3 `));
  const reported = await read("?from=2026-05-01&until=2026-05-31");
  assert.ok(reported.includes(`${imported} 5 of 5 campaigns.`));
  assert.doesNotMatch(reported, /Only human opens and clicks are counted/);
  const all = await read("?period=month&traffic=all");
  assert.deepEqual(metricsIn(all)["Open rate"], ["41.7% (6–78)", "", ""]);
  assert.deepEqual(metricsIn(all).Campaigns?.slice(1), ["−40%", "5 before"]);
  const uncompared =
    "Opens and clicks are not compared: imported campaigns do not tell automated activity apart.";
  assert.ok(all.includes(`${imported} 1 of 3 campaigns. ${uncompared}`));
  const series = [human, all].map((text) => rowsUnder(text, "Open rate")[0]?.length);
  assert.deepEqual(series, [3, 2]);
  for (const id of [6, 7, 8, 9, 10]) await register(id, "2026-05-04T09:00:00Z");
  const half = await read("?period=month&traffic=all");
  assert.deepEqual(metricsIn(half)["Open rate"]?.slice(1), ["+29.2 pts", "12.5% before"]);
  assert.doesNotMatch(half, /not compared/);
});

test("leads from a month of the chart to its campaigns, by the organization's time zone", async (t) => {
  const of = (id: number, sentAt: string, recipientCount: number) =>
    campaign({ id, sentAt: at(sentAt), recipientCount, metrics: { unique_opens: 1 } });
  const campaigns = [
    ...[of(1, "2026-03-01T05:00:00Z", 2), of(2, "2026-04-01T03:59:59Z", 2)],
    ...[of(3, "2026-04-01T04:00:00Z", 4), of(4, "2026-03-01T04:59:59Z", 4)],
  ];
  const { read } = await start(t, campaigns, { timeZone: "America/New_York" });
  const text = await read("?period=2026&team=Default+Team");
  const rows = rowsUnder(text, "Open rate").map((row) => row.slice(0, 2));
  assert.deepEqual(rows.slice(1, 5), [
    ["Jan 2026", "– no value"],
    ["Feb 2026", "25.0% (0–100)"],
    ["Mar 2026", "50.0% (0–100)"],
    ["Apr 2026", "25.0% (0–100)"],
  ]);
  assert.match(text, /href="\/campaigns\?period=2026-03&amp;team=Default\+Team"/);
  assert.match(text, /Month not over/);
  const weeks = chartLinksIn(await read("?from=2026-03-01&until=2026-04-20"));
  assert.ok(weeks.includes("from=2026-03-02&amp;until=2026-03-08"));
  const day = await read("?from=2026-03-31&until=2026-03-31");
  assert.equal(metricsIn(day).Campaigns?.[0], "1");
  assert.deepEqual(rowsUnder(day, "Open rate")[1]?.slice(0, 2), ["Mar 31, 2026", "50.0% (9–91)"]);
});

test("ends the chart and the trends with the week, month or year that contains now", async (t) => {
  const now = "2026-11-23T12:00:00Z";
  const given = { recipientCount: 2, metrics: { unique_opens: 1 } };
  const campaigns = ["2026-10-01T00:00:00Z", "2026-11-23T11:00:00Z"].map((sentAt, index) =>
    campaign({ id: index + 1, sentAt: at(sentAt), ...given }),
  );
  const { world, read } = await start(t, campaigns, { now });
  world.clock.now += 7 * dayMs - hourMs;
  await world.publishDue();
  world.clock.now = at(now);
  const week = ["Nov 23 – 29, 2026", "from=2026-11-23&amp;until=2026-11-29"] as const;
  for (const [query, count, last, url] of [
    ["period=quarter", 9, ...week],
    ["period=month", 5, ...week],
    ["period=year", 11, "Nov 2026", "period=2026-11"],
    ["from=2026-11-01&until=2026-12-31", 5, ...week],
    ["from=2020-01-01&until=9999-12-31", 7, "2026", "period=2026"],
  ] as const) {
    const text = await read(`?${query}`);
    const rows = rowsUnder(text, "Open rate").slice(1);
    assert.equal(rows.length, count, query);
    assert.match(rows.at(-1)?.join(" ") ?? "", new RegExp(`^${last} 50\\.0%`), query);
    assert.match(text, /<rect fill="url\(#hatch\)" x=/, query);
    assert.equal(chartLinksIn(text).at(-1), url, query);
  }
});

test("hatches the last bucket of all time as long as it is not over, and no earlier one", async (t) => {
  const campaigns = ["2025-01-01T00:00:00Z", "2026-11-03T11:00:00Z"].map((sentAt, index) =>
    campaign({ id: index + 1, sentAt: at(sentAt) }),
  );
  const { world, read } = await start(t, campaigns, { now: "2026-11-28T12:00:00Z" });
  for (const isUnfinished of [true, false]) {
    const text = await read("?period=all");
    assert.equal(rowsUnder(text, "Open rate").at(-1)?.[0], "Nov 2026");
    assert.equal(/<rect fill="url\(#hatch\)" x=/.test(text), isUnfinished);
    assert.equal(chartLinksIn(text).at(-1), "period=2026-11");
    world.clock.now = at("2026-12-01T12:00:00Z");
  }
});

test("shows years when a period is long, and the last ones when it is very long", async (t) => {
  const { world, organization, read } = await start(t, [
    sent(1, "2010-06-01T00:00:00Z"),
    sent(2, "2026-06-01T00:00:00Z"),
  ]);
  const rows = async () => rowsUnder(await read("?period=all"), "Open rate");
  const years = await rows();
  assert.deepEqual([years.length, years[1]?.[0], years[17]?.[0]], [18, "2010", "2026"]);
  await world.save(organization, [sent(3, "0001-06-01T00:00:00Z")]);
  const ages = await rows();
  assert.deepEqual([ages.length, ages[1]?.[0]], [61, "1967"]);
  assert.equal(metricsIn(await read("?period=all")).Campaigns?.[0], "3");
});

test("divides into weeks where months with campaigns are few, and shows a dot for each campaign", async (t) => {
  const weekly = (id: number) =>
    sent(id, at("2025-09-01T09:00:00Z") + id * 7 * dayMs, {
      ...{ team: id % 2 === 0 ? "A" : "B & C", recipientCount: 100 * id, metrics: { unique_opens: 10 * id } },
    });
  const { world, organization, read } = await start(t, [1, 2, 3, 4, 5, 6, 7].map(weekly));
  const units = async () => rowsUnder(await read("?period=2025"), "Open rate")[0]?.[0];
  assert.equal(await units(), "Month");
  await world.save(organization, [weekly(8)]);
  assert.equal(await units(), "Week");
  const text = await read("?period=2025");
  const legend = /<ul class="legend">(.*?)<\/ul>/s.exec(text)?.[1] ?? "";
  assert.match(textOf(legend), /^Campaign \(size: recipients\)$/);
  const dots = [...text.matchAll(/<circle class="case (s\d)" cx="[^"]*%" cy="[^"]*" r="([^"]*)"/g)]
    .slice(0, 2)
    .map(([, color, size]) => `${color} ${size}`);
  assert.deepEqual(dots, ["s1 6", "s1 5.7"], "the newest is the largest");
});

test("lists best and worst subjects, and the numbers by team, tag and sending type", async (t) => {
  const of = (id: number, unique_opens: number, more: GivenCampaign) =>
    sent(id, "2026-06-01T00:00:00Z", {
      ...{ recipientCount: 100, ...more },
      metrics: { unique_opens, unique_clicks: 1, open_rate: unique_opens / 100 },
    });
  const { world, organization, read } = await start(t, [
    of(1, 90, { subject: "<b>First", team: "A & B", tags: ["News"], recipients: "Everybody, Sales" }),
    of(2, 80, { subject: "Second", team: "A & B", tags: ["News", "HR"], sendingType: "Immediate" }),
    of(3, 10, { subject: "Third", team: null, recipients: null }),
    of(4, 20, { subject: "Fourth", team: "C", tags: ["HR"] }),
    of(5, 15, { subject: "Fifth", team: "C" }),
    // It is within chance.
    of(6, 3, { subject: "Test", team: "C", recipientCount: 9 }),
  ]);
  const tooNew = { subject: "New", team: "C", sentAt: world.clock.now - 1 };
  await world.save(organization, [of(7, 100, tooNew)]);
  const text = await read("?period=month");
  assert.deepEqual(rowsUnder(text, "Highest open rates"), [
    ["<b>First Jun 1 · +47.2 pts vs. all: 42.8%", "90.0%"],
    ["Second Jun 1 · +37.2 pts vs. all: 42.8%", "80.0%"],
  ]);
  // The campaign leads back to the list, in the order of the card.
  for (const [id, order] of Object.entries({ 1: "sort%3Dopen_rate%26order%3Ddesc", 3: "sort%3Dopen_rate" })) {
    assert.ok(text.includes(`href="/campaigns/${id}?list=period%3Dmonth%26${order}"`), String(id));
  }
  assert.deepEqual(rowsUnder(text, "Lowest open rates"), [
    ["Third Jun 1 · −32.8 pts vs. all: 42.8%", "10.0%"],
    ["Fifth Jun 1 · −27.8 pts vs. all: 42.8%", "15.0%"],
    ["Fourth Jun 1 · −22.8 pts vs. all: 42.8%", "20.0%"],
  ]);
  assert.match(text, /<h2>Results by team<\/h2><a href="\/breakdown\?period=month">All 3 teams<\/a>/);
  assert.deepEqual(rowsUnder(text, "Results by team").slice(1), [
    ["A & B, +69.5 pts (15.5%) vs. others", "2", "85.0% (21–100)", "1.0% (0–4)", "– no value"],
    [
      "C, 1 still counting, −41.8 pts (60.0%) vs. others",
      ...["4", "18.2% (0–39)", "1.4% (0–7)", "– no value"],
    ],
    ["not set, −40.9 pts (50.9%) vs. others", "1", "10.0% (0–100)", "1.0% (0–4)", "– no value"],
  ]);
  assert.match(text, /<a href="\/\?period=month&amp;team=A\+%26\+B">/);
});

test("ranks subjects by their open rates", async (t) => {
  const of = (id: number, team: string, unique_opens: number) =>
    sent(id, at("2026-06-01T00:00:00Z") + id, {
      ...{ team, subject: `No. ${id}`, recipientCount: 100, metrics: { unique_opens, unique_clicks: 1 } },
    });
  const { read } = await start(t, [
    ...[of(1, "Lab", 20), of(2, "Lab", 22), of(3, "Lab", 18), of(4, "Lab", 25), of(5, "Lab", 19)],
    ...[of(11, "HR", 80), of(12, "HR", 82), of(13, "HR", 78), of(14, "HR", 30), of(15, "HR", 85)],
    ...[of(21, "IT", 30), of(22, "IT", 31), of(23, "IT", 29), of(24, "IT", 70)],
  ]);
  const byRate = await read("?period=month");
  const [lowest] = rowsUnder(byRate, "Lowest open rates");
  assert.equal(lowest?.[0], "No. 3 Jun 1 · −26.2 pts vs. all: 44.2%");
  const teams = rowsUnder(byRate, "Results by team").map(([name = ""]) => name.slice(0, 3));
  assert.deepEqual(teams.slice(1), ["HR,", "Lab", "IT,"], "those that differ by more than chance first");
});

test("names the team where campaigns of several teams have the same subject", async (t) => {
  const of = (id: number, team: string | null, unique_opens: number, subject = "The month in numbers") =>
    sent(id, "2026-06-01T00:00:00Z", {
      ...{ team, subject, recipientCount: 100, metrics: { unique_opens, unique_clicks: 1 } },
    });
  const { viewer, read } = await start(t, [
    ...[of(1, "Lab", 95), of(2, "HR", 90), of(3, "HR", 85, "Other"), of(4, "HR", 5), of(5, "HR", 8)],
  ]);
  const text = await read("?period=month");
  const first = (title: string) => rowsUnder(text, title).map(([name = ""]) => name.split(" · ")[0]);
  assert.deepEqual(first("Highest open rates"), [
    "The month in numbers Lab",
    "The month in numbers HR",
    "Other Jun 1",
  ]);
  assert.deepEqual(first("Lowest open rates"), Array(2).fill("The month in numbers Jun 1"));
  // Phones show the team of these rows.
  assert.equal((await viewer.read("/campaigns")).match(/<tr class="twin">/g)?.length, 4);
});

test("says that nothing stands out where rates differ only by chance", async (t) => {
  const of = (id: number, unique_opens: number) =>
    sent(id, "2026-06-01T00:00:00Z", { recipientCount: 10, metrics: { unique_opens, unique_clicks: 1 } });
  const { read } = await start(t, [of(1, 5), of(2, 6), of(3, 3), of(4, 4)]);
  const text = await read("?period=month");
  const nothing = "Nothing stands out in this period: the open rates differ no more than chance explains.";
  assert.ok(text.includes(nothing));
  assert.doesNotMatch(text, /Highest open rates|Lowest open rates/);
});

test("says which teams it shows if there are many, and that as many campaigns are no change", async (t) => {
  const ids = Array.from({ length: 13 }, (_, index) => index + 1);
  const campaigns = ids.flatMap((id) =>
    [id, 20 + id].map((each) =>
      campaign({
        ...{ id: each, sentAt: at(`2026-0${each > 20 ? 5 : 6}-02T09:00:00Z`) },
        ...{ recipientCount: 100 + each, team: `Team ${each}` },
      }),
    ),
  );
  const { read } = await start(t, campaigns);
  const text = await read("?period=month");
  const teams = rowsUnder(text, "Results by team").map(([name]) => name);
  assert.equal(teams.length, 13);
  assert.ok(!teams.includes("Team 1"), "it has the fewest recipients");
  assert.match(text, /The 12 with the most recipients, of 13/);
  assert.deepEqual(metricsIn(text).Campaigns?.slice(1), ["unchanged", "13 before"]);
});

test("shows the top links and the latest comments", async (t) => {
  const { world, organization, read } = await start(t, [], { timeZone: "Asia/Tokyo" });
  await world.register(organization, 1, {
    ...{ subject: "With comments", sent_at: "2026-06-15T09:00:00+09:00", tracking_type: "Anonymous" },
  });
  const event = (index: number, more: object) => ({
    ...{ id: JSON.stringify([index, more]), campaign_id: 1, recipient: `r${index}@example.com` },
    ...{ at: "2026-06-15T10:20:00+09:00", ...more },
  });
  const click = (index: number, url: string) => event(index, { type: "click", url });
  const answer = (index: number, comment: string) =>
    event(index, {
      ...{ type: "survey", survey_id: "s", kind: "enps", score: index, comment },
      at: `2026-06-15T10:2${index}:00+09:00`,
    });
  await world.ingest(organization, [
    ...[1, 2, 3].map((index) => event(index, { type: "open" })),
    event(4, { type: "open", machine: true }),
    click(5, "https://example.com/a?x=1"),
    click(6, "https://example.com/a?x=2"),
    click(7, "https://example.com/b"),
    ...[0, 1, 2, 3].map((index) => answer(index + 5, `Comment <${index}>`)),
  ]);
  const text = await read();
  assert.match(text, /From the one campaign that this service counts\./);
  assert.deepEqual(rowsUnder(text, "Top links").slice(1), [
    ["/a", "2"],
    ["/b", "1"],
  ]);
  assert.doesNotMatch(text, /<blockquote/, "withheld: only four people answered");
  await world.ingest(organization, [answer(9, "Comment <4>")]);
  const commented = await read();
  assert.match(commented, /<blockquote lang="" dir="auto">/);
  assert.match(commented, /<a href="\/campaigns\/1"><bdi[^>]*>With comments<\/bdi><\/a>/);
  assert.match(await read("?traffic=all"), /<a href="\/campaigns\/1\?traffic=all"><bdi[^>]*>With/);
  assert.doesNotMatch(commented, /r9@example/);
  const comments = [...commented.matchAll(/<blockquote[^>]*>(.*?)<\/blockquote>/g)].map(([, text]) => text);
  assert.deepEqual(comments, ["Comment &lt;4&gt;", "Comment &lt;3&gt;", "Comment &lt;2&gt;"]);
});

test("answers 400 with the input when a filter of the overview is invalid", async (t) => {
  const { viewer } = await start(t, [campaign({ id: 1 })]);
  for (const [query, problem] of [
    ["period=2-months", /Period: &quot;2-months&quot; is not accepted; use one of 7d, /],
    ["until=%3Cscript%3E", /Until: &quot;&lt;script&gt;&quot; is not a date/],
    ["tag_ids=1,x", /Tags: &quot;x&quot; is not the ID of a tag/],
  ] as const) {
    const page = await viewer.get(`/?${query}`);
    assertPage(page, 400, [/class="problem" role="alert"/, problem, /<div class="toolbar"/], query);
    assert.doesNotMatch(page.text, /<script>/);
  }
  assertPage(await viewer.get("/?from=2026-06-02&until=2026-06-01&team=A"), 400, [
    /class="problem" role="alert">From: Jun 2, 2026 is later than Until: Jun 1, 2026\./,
    /<details class="menu pick" id="menu-period" name="menu" open>/,
    /id="from" [^>]*aria-invalid="true"[^>]* value="2026-06-02">/,
    /id="until" [^>]*value="2026-06-01">/,
    /type="hidden" name="team" value="A"/,
  ]);
  assertPage(await viewer.get("/?tag_ids=99999"), 200, /No campaigns match these filters\./);
});
