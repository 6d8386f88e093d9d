// The sentence above the cards of the overview: what it says, where it says nothing, and that its numbers are those of the page.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { dateAt } from "../../../../src/campaign/calendar/calendar-date.ts";
import { dayMs, hourMs } from "../../../../src/campaign/calendar/durations.ts";
import { readReport } from "../../../../src/listing/reports/period-report.ts";
import { type ReportPeriod, reportPeriod } from "../../../../src/listing/reports/report-period.ts";
import { Html } from "../../../../src/locale/html.ts";
import { plainText } from "../../../../src/locale/isolated-text.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { clausesText } from "../../../../src/locale/write-clauses.ts";
import type { Organization } from "../../../../src/storage/organizations/organizations.ts";
import { Random } from "../../../support/histories.ts";
import { mainTextOf, rowsUnder, textOf } from "../../../support/pages.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { makeWebWorld, makeWebWorldOf, type WebWorld } from "../../../support/web-world.ts";
import { campaign, present, type World } from "../../../support/world.ts";
import { metricsIn, withoutRange } from "./read-overview.ts";

const sentenceIn = (page: string) => /<div id="results"[^>]*><p>(.*?)<\/p>/s.exec(page)?.[1];
const said = (page: string) => textOf(sentenceIn(page) ?? "").replaceAll(/ ([.:])/g, "$1");

interface Given {
  age: number;
  recipients?: number;
  /** How many of them open it within an hour, and two days later. */
  opens?: readonly [soon: number, late: number];
  scores?: readonly number[];
  tracking?: string;
}

/** Campaigns of one team that the service counts, with ids from 1. */
async function addCounted(world: World, organization: Organization, campaigns: readonly Given[]) {
  for (const [
    index,
    { age, recipients = 400, opens = [0, 0], scores = [], tracking },
  ] of campaigns.entries()) {
    const [id, sentAt] = [index + 1, present - age];
    await world.register(organization, id, {
      ...{ subject: `No. ${id}`, sent_at: new Date(sentAt).toISOString(), recipient_count: recipients },
      ...(tracking !== undefined && { tracking_type: tracking }),
    });
    const at = (after: number) => new Date(sentAt + after).toISOString();
    const [soon, late] = opens;
    const events = Array.from({ length: soon + late }, (_, number) => ({
      ...{ id: `${id} ${number}`, campaign_id: id, recipient: `r${number}`, type: "open" },
      at: at(number < soon ? hourMs / 2 : 50 * hourMs),
    }));
    const answers = scores.map((score, number) => ({
      ...{ id: `${id} s${number}`, campaign_id: id, recipient: `r${number}`, type: "survey" },
      ...{ survey_id: "s", kind: "enps", score, comment: `Comment ${number}`, at: at(hourMs / 2) },
    }));
    const due = [...events, ...answers].filter((event) => Date.parse(event.at) < present);
    if (due.length > 0) await world.ingest(organization, due);
  }
}

const imported = (id: number, age: number, unique_opens: number | null, recipientCount = 1_000) =>
  campaign({
    ...{ id, subject: `No. ${id}`, sentAt: present - age, team: null, recipientCount },
    metrics: { unique_opens, unique_clicks: 1 },
  });

/** Eight final campaigns that half of the recipients open. */
const usual = Array.from({ length: 8 }, (_, index) => ({
  age: (20 + 7 * index) * dayMs,
  opens: [160 + (index % 3), 40] as const,
}));

/** What a viewer reads of an organization with these campaigns. */
async function readWith(
  { world, signIn }: WebWorld,
  { counted = [], reported = [] }: { counted?: Given[]; reported?: ReturnType<typeof imported>[] },
) {
  const { organization } = await world.addOrganization();
  await world.save(organization, reported);
  await addCounted(world, organization, counted);
  const viewer = await signIn("viewer", { organization });
  const read = (path: string, language?: string) => viewer.read(path, language);
  return Object.assign(read, { organization });
}

const start = (t: TestContext) => makeWebWorld(t);

test("says nothing without campaigns, and no more than a rate of a single or an imported one", async (t) => {
  const web = await start(t);
  const none = await readWith(web, {});
  assert.equal(sentenceIn(await none("/")), undefined);
  const one = await readWith(web, { reported: [imported(1, 20 * dayMs, 545)] });
  assert.equal(said(await one("/")), "1 campaign: 54.5% opened.");
  assert.equal(sentenceIn(await one("/?from=2020-01-01&until=2020-12-31")), undefined, "no campaign matches");
  const alike = [1, 2, 3, 4, 5].map((id) => imported(id, id * 9 * dayMs, 500 + id));
  const some = await readWith(web, { reported: alike });
  assert.equal(said(await some("/?period=all")), "5 campaigns: 50.3% opened.");
  const unknown = await readWith(web, {
    reported: [imported(1, 20 * dayMs, 500), ...[2, 3].map((id) => imported(id, id * 9 * dayMs, null))],
  });
  assert.equal(said(await unknown("/?period=all")), "3 campaigns.", "most have no open rate");
});

test("says of sample data what its cards show", async (t) => {
  const web = await makeWebWorldOf("admin", t);
  assert.equal((await web.admin.post("/campaigns/import", "sample")).status, 303);
  const page = await web.admin.read("/");
  const [, campaigns, rate] =
    /^(\d+) campaigns(?:, \d+ still counting)?: ([\d.]+%) opened/.exec(said(page)) ?? [];
  const cards = metricsIn(page);
  assert.deepEqual([cards.Campaigns?.[0], withoutRange(cards["Open rate"]?.[0])], [campaigns, rate]);
});

test("says a change only if it is more than chance, and that the season explains it", async (t) => {
  const web = await start(t);
  const month = (from: number, first: number, opens: number) =>
    [0, 1, 2, 3, 4].map((index) => imported(from + index, (first + index) * dayMs, opens + index));
  const [now, yearBefore] = [month(1, 9, 600), month(21, 374, 600)];
  const period = "/?from=2026-06-01&until=2026-06-14";
  const alone = await readWith(web, { reported: [...now, ...month(11, 20, 600)] });
  assert.equal(said(await alone(period)), "5 campaigns: 60.2% opened.");
  const better = await readWith(web, { reported: [...now, ...month(11, 20, 400)] });
  assert.equal(said(await better(period)), "5 campaigns: 60.2% opened, +20.0 pts (40.2% before).");
  const season = await readWith(web, { reported: [...now, ...month(11, 20, 400), ...yearBefore] });
  const seasonal = "5 campaigns: 60.2% opened, +20.0 pts, about as a year ago (60.2%).";
  assert.equal(said(await season(period)), seasonal);
  assert.equal(said(await season(`${period}&compare=none`)), "5 campaigns: 60.2% opened.");
});

test("says bounces and complaints only if they stand out", async (t) => {
  const web = await start(t);
  const opened = { unique_opens: 500, unique_clicks: 1 };
  const saidOf = async (now: Record<string, number>, before: Record<string, number> = now) => {
    const month = (from: number, first: number, metrics: Record<string, number>) =>
      [0, 1, 2, 3, 4].map((index) => {
        const sent = { id: from + index, sentAt: present - (first + index) * dayMs, team: null };
        return campaign({ ...sent, recipientCount: 1_000, metrics: { ...opened, ...metrics } });
      });
    const read = await readWith(web, { reported: [...month(1, 9, now), ...month(11, 20, before)] });
    const page = await read("/?from=2026-06-01&until=2026-06-14");
    return { text: said(page).replace("5 campaigns: 50.0% opened.", "").trim(), page, read };
  };
  const bounced = await saidOf({ sent: 1_000, bounced: 40 }, { sent: 1_000, bounced: 10 });
  assert.equal(bounced.text, "4.0% bounced, more than before (1.0%).");
  assert.match(textOf(bounced.page), /Bounce rate: 4\.0%/);
  const fewer = [
    [
      { sent: 1_000, bounced: 11 },
      { sent: 1_000, bounced: 10 },
    ],
    [
      { sent: 1_000, bounced: 10 },
      { sent: 1_000, bounced: 40 },
    ],
    [
      { sent: 20, bounced: 1 },
      { sent: 20, bounced: 0 },
    ],
  ] as const;
  for (const [now, before] of fewer) assert.equal((await saidOf(now, before)).text, "");
  const reported = await saidOf({ delivered: 1_000, complained: 2, unsubscribed: 5 });
  assert.equal(reported.text, "0.20% were reported as spam.");
  assert.match(textOf(reported.page), /Unsubscribe rate: 0\.5%\. Complaint rate: 0\.20%/);
  assert.equal((await saidOf({ delivered: 10_000, complained: 9 })).text, "", "below 0.1 %");
  assert.equal((await saidOf({ delivered: 10_000, complained: 10 })).text, "0.10% were reported as spam.");
  assert.equal((await saidOf({ delivered: 20, complained: 0 })).text, "");
  for (const { read } of [bounced, reported]) {
    for (const language of ["de", "fr", "es", "sv"]) {
      const text = said(await read("/?from=2026-06-01&until=2026-06-14", language));
      assert.doesNotMatch(text, /bounced|reported|undefined/);
      assert.equal(text.match(/%/g)?.length, read === bounced.read ? 3 : 2, text);
    }
  }
});

test("names one campaign that differs from the others, in the language of the reader", async (t) => {
  const { world, signIn } = await start(t);
  const { organization } = await world.addOrganization();
  const of = (id: number, team: string, unique_opens: number) =>
    campaign({
      ...{ id, team, subject: `No. ${id}`, sentAt: present - (60 - id) * dayMs, recipientCount: 100 },
      metrics: { unique_opens, unique_clicks: 1 },
    });
  await world.save(organization, [
    ...[80, 82, 78, 30, 85].map((opens, index) => of(index + 1, "HR", opens)),
    ...[30, 31, 29, 28].map((opens, index) => of(index + 11, "IT", opens)),
  ]);
  const viewer = await signIn("viewer", { organization });
  const page = await viewer.read("/?period=all");
  assert.match(
    said(page),
    /^9 campaigns: 52\.6% opened\. "No\. 14" was opened less than the others: 28\.0%\.$/,
  );
  assert.match(sentenceIn(page) ?? "", /<a href="\/campaigns\/14\?list=period%3Dall"><bdi/);
  const languages = { de: "seltener", fr: "moins", es: "menos", sv: "mindre" };
  for (const [language, word] of Object.entries(languages)) {
    const text = said(await viewer.read("/?period=all", language));
    assert.ok(text.includes(word) && !/opened|campaigns|undefined/.test(text), text);
  }
});

test("says of four fresh campaigns of the last week how they do so far, as the cards do", async (t) => {
  const web = await start(t);
  const fresh = [1, 2, 3, 4].map((days) => ({ age: (days - 0.5) * dayMs, opens: [160, 40] as const }));
  const read = await readWith(web, { counted: [...fresh, ...usual] });
  const asUsual = await read("/?period=7d");
  // 160 of 400 opened at once, and 40 more after 50 hours, which two of the four have reached.
  const [, end = ""] =
    /^4 campaigns, all still counting: 45\.0% so far, as usual, (on course for [\d.]+%–[\d.]+%)\.$/.exec(
      said(asUsual),
    ) ?? [];
  assert.deepEqual(metricsIn(asUsual)["Open rate"], [
    "45.0%",
    "so far −0.2 pts",
    `at the same age: 42.5%, usually 42.7% · ${end}`,
  ]);
  assert.equal(asUsual.match(/class="metric provisional"/g)?.length, 2, "open rate and click rate");
  assert.equal(asUsual.match(/class="case hollow s1"/g)?.length, 4, "dots");
  assert.match(textOf(asUsual), /% And 1 more\.$/);
  const groups = await read("/breakdown?period=7d");
  assert.match(textOf(groups), /, so far,/);
  assert.doesNotMatch(textOf(groups), /Change of the open rate/, "without a column of it");
  assert.match(textOf(groups), /at the same age · on course for [\d.]+%–[\d.]+%/);
  assert.match(await read("/breakdown.csv?period=7d"), /,Still counting \(0\/1\)\r\n.*,4,1600,45,.*,1\r\n/);
  assert.match(await read("/breakdown.csv?period=all"), /,12,4800,.*,0\r\n/);
  const better = [...fresh.slice(0, 1), { age: 1.5 * dayMs, opens: [280, 0] as const }, ...fresh.slice(2)];
  const above = await readWith(web, { counted: [...better, ...usual] });
  const week = await above("/?period=7d");
  assert.match(
    said(week),
    /still counting: 52\.5% so far, more than usual, on course for .*%\. "No\. 2": 70\.0% so far, more than usual(, on course for [\d.]+%–[\d.]+%)?\.$/,
  );
  // Among many final ones, only the one that differs is news, and the cards keep the rates of the others.
  const all = await above("/?period=all");
  assert.match(said(all), /^12 campaigns, 4 still counting: 50\.2% opened the rest\. "No\. 2":/);
  assert.match(
    metricsIn(all)["Open rate"]?.join(" ") ?? "",
    /^50\.2% {2}with the 4 still counting: on course for 5\d\.\d%–5\d\.\d%$/,
  );
  assert.doesNotMatch(all, /provisional/);
  const card = "<h2>Still counting</h2>";
  assert.ok(all.includes(`<section class="card no-print">${card}`), "a report has the final ones");
  assert.ok(week.includes(`<section class="card">${card}`), "a report of a week has no others");
  assert.match(said(await read("/?period=all")), /opened the rest\.$/);
  const few = await readWith(web, { counted: fresh });
  assert.equal(said(await few("/?period=7d")), "4 campaigns, all still counting: 45.0% so far.");
  const one = await readWith(web, { counted: [{ age: 1.5 * dayMs, opens: [280, 0] }, ...usual] });
  const alone = await one("/?period=7d");
  assert.match(
    said(alone),
    /^1 campaign, still counting: 70\.0% so far, more than usual(, on [^.]*course[^"]*)?\.$/,
  );
  for (const language of ["de", "fr", "es", "sv"]) {
    assert.doesNotMatch(said(await read("/?period=7d", language)), /so far|usual,|course/);
  }
});

test("counts the comments of a few campaigns, or the low ones among the newest", async (t) => {
  const web = await start(t);
  const answered = (scores: readonly number[], tracking?: string) => ({
    ...{ age: 20 * dayMs, opens: [200, 0] as const, scores },
    ...(tracking !== undefined && { tracking }),
  });
  const lowOf = async (campaigns: Given[]) => {
    const read = await readWith(web, { counted: campaigns });
    const text = said(await read("/?period=all"));
    return { text: text.replace(/^.*opened\.( |$)/, ""), read };
  };
  assert.equal((await lowOf([answered([9, 10])])).text, "2 comments.");
  const two = await lowOf([answered([9, 0, 3]), answered([10])]);
  assert.equal(two.text, "4 comments, 2 with low ratings.");
  assert.match(textOf(await two.read("/comments?period=all")), /4 comments on 2 campaigns|4 comments/);
  assert.match(textOf(await two.read("/comments?period=all&rating=low")), /2 comments/);
  const withheld = await lowOf([answered([0, 0, 0, 0], "Anonymous"), answered([9])]);
  assert.equal(withheld.text, "1 comment.", "withheld from fewer than five answers");
  const many = await lowOf([answered([0, 9]), ...[8, 9, 10].map((score) => answered([score]))]);
  assert.equal(many.text, "", "more campaigns than are read, and the newest are not low");
  const low = await lowOf([9, 9, 9, 2].map((score) => answered([score])));
  assert.match(low.text, /^1 of the 3 newest comments has a low rating\.$/);
});

test("says no number that its cards, rows and links do not have, in random worlds", async (t) => {
  const web = await start(t);
  for (let seed = 1; seed <= randomCases(4); seed++) {
    const random = new Random(seed);
    const rate = random.between(10, 80);
    const counted = Array.from({ length: random.between(1, 12) }, (_, index) => {
      const opens = () => Math.max(0, Math.min(100, rate + random.between(-12, 12)));
      const share = random.between(0, 99) < 15 ? opens() / 3 : opens();
      return {
        age: random.pick([hourMs * random.between(1, 160), dayMs * random.between(8, 120)]) + index,
        recipients: 200,
        opens: [Math.round(share), Math.round(share / 4)] as const,
        scores: random.chance(70) ? [] : [random.between(0, 10), random.between(0, 10)],
      };
    });
    const reported = Array.from({ length: random.between(0, 6) }, (_, index) =>
      imported(101 + index, dayMs * random.between(1, 120), random.chance(20) ? null : 10 * rate),
    );
    const read = await readWith(web, { counted, reported });
    const context = { database: web.world.database, now: () => present };
    const period = reportPeriod("30d", dateAt(present, read.organization.timeZone)) as ReportPeriod;
    const letter = await readReport(context, read.organization, period);
    for (const query of ["period=7d", "period=30d", "period=all", "period=90d&traffic=all"]) {
      const page = await read(`/?${query}`);
      const text = said(page);
      const about = `seed ${seed}, ${query}: ${text}`;
      const cards = metricsIn(page);
      if (query === "period=30d" && letter && letter.sent.campaigns > 0) {
        const withoutComments = (sentenceIn(page) ?? "").replace(/<span class="with-comments">.*/s, "");
        const ofLetter = clausesText(locales.en, letter.clauses, "previous");
        assert.equal(ofLetter, plainText(new Html(withoutComments)), about);
      }
      if (sentenceIn(page) === undefined) {
        assert.match(mainTextOf(page), /No campaigns match/, about);
        continue;
      }
      const [, campaigns, fresh] =
        /^([\d,]+) campaigns?(?:, ((?:\d+ |all )?)still counting)?/.exec(text) ?? [];
      const counting = fresh === undefined ? "0" : String(Number.parseInt(fresh, 10) || campaigns);
      assert.equal(cards.Campaigns?.[0], campaigns, about);
      assert.equal(/without (\d+) campaign/.exec(mainTextOf(page))?.[1] ?? "0", counting, about);
      const [, opened] = /: ([\d.]+%) opened/.exec(text) ?? [];
      if (opened) assert.equal(withoutRange(cards["Open rate"]?.[0]), opened, about);
      const [, soFarAll, ending] =
        /counting: ([\d.]+%) so far(?:, (?:as|more than|less than) usual)?(?:, (on course for (?:about )?[^ ]+?))?\.(?: |$)/.exec(
          text,
        ) ?? [];
      if (soFarAll) {
        assert.equal(withoutRange(cards["Open rate"]?.[0]), soFarAll, about);
        assert.match(cards["Open rate"]?.[1] ?? "", /^so far/, about);
        assert.equal(/on course .*$/.exec(cards["Open rate"]?.[2] ?? "")?.[0], ending, about);
        const dots = rowsUnder(page, "Still counting");
        if (campaigns === "1" && ending) assert.ok(dots[0]?.[0]?.endsWith(ending), about);
      } else assert.doesNotMatch(cards["Open rate"]?.[1] ?? "", /^so far/, about);
      const [, change] = /opened(?: the rest)?, (.*?) \(/.exec(text) ?? [];
      if (change) assert.ok(cards["Open rate"]?.[1]?.startsWith(change), about);
      const [, name, soFar, end] =
        /"(No\. \d+)": ([\d.]+%) so far.*?(?:, (on course for (?:about )?[^ ]+?))?\.(?: |$)/.exec(text) ?? [];
      if (name) {
        const row = rowsUnder(page, "Still counting").find(([cell]) => cell?.startsWith(`${name} `));
        assert.equal(withoutRange(row?.[1]), soFar, about);
        if (end) assert.ok(row?.[0]?.endsWith(end), `${about} ${row}`);
      }
      const [, ranked, which, value] =
        /"(No\. \d+)" was opened (more|less) than .*?: ([\d.]+%)/.exec(text) ?? [];
      if (ranked) {
        const title = which === "more" ? "Highest open rates" : "Lowest open rates";
        const row = rowsUnder(page, title).find(([cell]) => cell?.startsWith(`${ranked} `));
        assert.equal(withoutRange(row?.[1]), value, about);
      }
      const [, comments, low = "0"] = /(\d+) comments?(?:, (\d+) with)?/.exec(text) ?? [];
      if (comments && !text.includes("newest")) {
        const countOf = async (rating: string) =>
          /(\d+) comments?\b/.exec(mainTextOf(await read(`/comments?${query}${rating}`)))?.[1] ?? "0";
        assert.equal(await countOf(""), comments, about);
        assert.equal(await countOf("&rating=low"), low, about);
      }
    }
  }
});
