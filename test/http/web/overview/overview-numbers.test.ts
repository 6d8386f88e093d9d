// The numbers of the overview and the breakdown in random worlds: sums of the records of the API.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedRecord } from "../../../../src/campaign/feed/feed-fields.ts";
import type { FeedRow } from "../../../../src/campaign/feed/feed-tables.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { requestDownload } from "../../../support/downloads.ts";
import { readFeedFile } from "../../../support/feed-records.ts";
import { Random } from "../../../support/histories.ts";
import { readRows } from "../../../support/odata.ts";
import { rowsUnder } from "../../../support/pages.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { makeWebWorld, type SignedInClient } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";
import { metricsIn, withoutRange } from "./read-overview.ts";

interface RandomFilter {
  query: string;
  matches(record: FeedRecord): boolean;
}

const isRated = (record: FeedRecord) => (record.enps_reactions_count ?? 0) > 0;
const hasSurveys = (record: FeedRecord) =>
  isRated(record) || (record.survey_reactions_count ?? 0) > 0 || (record.surveys_count ?? 0) > 0;

function randomFilter(random: Random): RandomFilter {
  const parts: [query: string, matches: (record: FeedRecord) => boolean][] = [
    ["period=2025", (record) => record.sent_on.startsWith("2025")],
    ["period=2025-Q2", (record) => /^2025-0[456]/.test(record.sent_on)],
    ["from=2025-03-09&until=2025-11-02", ({ sent_on }) => sent_on >= "2025-03-09" && sent_on <= "2025-11-02"],
    ["period=all", () => true],
  ];
  const others: typeof parts = [
    ["team=A", (record) => record.organization_team === "A"],
    ["sending_type=Immediate", (record) => record.sending_type === "Immediate"],
    ["group=Sales", (record) => (record.recipients ?? "").split(", ").includes("Sales")],
    random.pick<(typeof parts)[number]>([
      ["surveys=rated", isRated],
      ["surveys=some", hasSurveys],
      ["surveys=none", (record) => !hasSurveys(record)],
    ]),
    ["q=NEWS", (record) => record.subject.toLowerCase().includes("news")],
  ];
  const chosen = [random.pick(parts), ...random.shuffle(others).slice(0, random.between(0, 2))];
  return {
    query: chosen.map(([query]) => query).join("&"),
    matches: (record) => chosen.every(([, matches]) => matches(record)),
  };
}

/** What the page shows of records, computed from the records of the API alone. */
function expectedMetrics(records: readonly FeedRecord[]): Record<string, [value: string, from: string]> {
  const { format, t } = locales.en;
  const sum = (values: (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const perRecipient = (name: "unique_opens" | "unique_clicks"): [string, string] => {
    const known = records.filter((each) => each[name] !== null && each.recipient_count !== null);
    const reached = known.map((each) => Math.min(each[name] ?? 0, each.recipient_count ?? 0));
    const recipients = sum(known.map((each) => each.recipient_count));
    const from = known.filter((each) => each.recipient_count !== 0).length;
    return shown(from, recipients > 0 ? sum(reached) / recipients : null);
  };
  const shown = (from: number, rate: number | null): [string, string] => {
    const coverage = from < records.length ? t("overview.from", { from, of: records.length }) : "";
    return [rate === null ? "None yet" : format.rate(rate), coverage];
  };
  return {
    Campaigns: [format.count(records.length), ""],
    "Open rate": perRecipient("unique_opens"),
    "Click rate": perRecipient("unique_clicks"),
  };
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const weekdayOf = ({ sent_on }: FeedRecord) => weekdays[new Date(sent_on).getUTCDay()] as string;

const breakdowns: Record<string, (record: FeedRecord) => readonly string[]> = {
  team: ({ organization_team }) => [organization_team ?? "not set"],
  tag: ({ tags }) => tags.map(({ name }) => name),
};

/** The rows of a breakdown by the names of their values, computed from the records of the API alone. */
function expectedRows(records: readonly FeedRecord[], valuesOf: (record: FeedRecord) => readonly string[]) {
  const values = [...new Set(records.flatMap(valuesOf))];
  return values.map((value) => {
    const own = records.filter((record) => valuesOf(record).includes(value));
    const metrics = expectedMetrics(own);
    const emails = own.reduce((sum, { recipient_count }) => sum + (recipient_count ?? 0), 0);
    const rates = ["Open rate", "Click rate"].map((name) => metrics[name]?.[0]);
    return [
      ...[value, formatCount(own.length), formatCount(emails)],
      ...rates.map((rate) => (rate === "None yet" ? "– no value" : rate)),
    ];
  });
}

/** The page has the sums of the field in its URL. */
async function expectBreakdowns(
  viewer: SignedInClient,
  records: readonly FeedRecord[],
  query: string,
): Promise<void> {
  for (const [by, valuesOf] of Object.entries(breakdowns)) {
    const text = await viewer.read(`/breakdown?${query}&by=${by}`);
    const [titles = [], ...rows] = rowsUnder(text, "Results by [^<]*");
    const place = titles.findIndex((title) => title.startsWith("Click rate"));
    const shown = rows.map(([name, campaigns, emails, open, ...others]) => [
      ...[name?.replace(/( only|,) .*/, ""), campaigns, emails],
      ...[open, others[place - 4]].map(withoutRange),
    ]);
    assert.deepEqual(shown.toSorted(), expectedRows(records, valuesOf).toSorted(), `${query}, ${by}`);
  }
  const text = await viewer.read(`/breakdown.csv?${query}&by=hour`);
  const lines = text.trim().split("\r\n").slice(1);
  const shown = lines.map((line) => {
    const [weekday, hour, campaigns, recipients, ...rates] = line.split(",");
    return [weekday, hour, campaigns, recipients, ...rates.slice(0, 2).map(roundText)].join();
  });
  assert.deepEqual(shown.toSorted(), expectedTimes(records).toSorted(), query);
}

/** How early each weekday and hour was opened, and how that differs from the campaigns with the same tags, or of the same team. */
function expectedTimes(records: readonly FeedRecord[]): string[] {
  // All events of these campaigns are within two hours.
  const counted = records
    .filter(({ id, recipient_count }) => id > 100 && recipient_count !== 0)
    .map((record) => {
      const { recipient_count: count, unique_opens, tags, organization_team: team } = record;
      const recipients = count ?? 0;
      return {
        ...{ recipients, opens: Math.min(unique_opens ?? 0, recipients) },
        time: `${weekdayOf(record)},${record.sent_hour}`,
        series: tags.length > 0 ? tags.map(({ name }) => name).sort() : [team ?? ""],
      };
    });
  const rateOf = (some: readonly { opens: number; recipients: number }[]) =>
    sumOf(some.map(({ opens }) => opens)) / sumOf(some.map(({ recipients }) => recipients));
  const compared = [...Map.groupBy(counted, ({ series }) => series.join("\n")).values()].flatMap((own) =>
    new Set(own.map(({ time }) => time)).size < 2
      ? []
      : own.map(({ time, opens, recipients }) => {
          const difference = (opens / recipients - rateOf(own)) * Math.sqrt(own.length / (own.length - 1));
          return { time, recipients, opens: difference * recipients };
        }),
  );
  return [...Map.groupBy(counted, ({ time }) => time)].map(([time, own]) => {
    const others = compared.filter((each) => each.time === time);
    const difference = others.length > 0 ? String(100 * rateOf(others)) : "";
    const recipients = sumOf(own.map((each) => each.recipients));
    const rates = [String(100 * rateOf(own)), difference].map(roundText);
    return [time, own.length, recipients, ...rates].join();
  });
}

/** Sums in another order differ in the last digits. */
const roundText = (number: string) => number && String(Math.round(1e6 * Number(number)) / 1e6 + 0);

async function expectPage(
  viewer: SignedInClient,
  records: readonly FeedRecord[],
  filter: RandomFilter,
  seed: string,
) {
  const matching = records.filter((record) => filter.matches(record));
  const page = await viewer.read(`/?${filter.query}&compare=none`);
  if (matching.length === 0) {
    assert.match(page, /No campaigns match these filters/, seed);
    return;
  }
  const found = metricsIn(page);
  for (const [name, [value, from]] of Object.entries(expectedMetrics(matching))) {
    const [shownValue, , shownFrom = ""] = found[name] ?? [];
    const [coverage = ""] = shownFrom.split(" · ");
    assert.deepEqual([withoutRange(shownValue), coverage], [value, from], `${seed}, ${name}`);
  }
  await expectBreakdowns(viewer, matching, filter.query);
}

const formatCount = (count: number) => locales.en.format.count(count);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Both pages of links show the sums of the links of the API. */
async function expectLinks(
  viewer: SignedInClient,
  { ids, links }: { ids: ReadonlySet<number>; links: readonly FeedRow[] },
  query: string,
) {
  const matching = links.filter(({ email_id }) => ids.has(Number(email_id)));
  const clicksOf = ({ human_clicks, automated_clicks }: FeedRow) =>
    Number(human_clicks) + (query.endsWith("all") ? Number(automated_clicks) : 0);
  const byUrl = Map.groupBy(matching, ({ url }) => String(url));
  const text = await viewer.read(`/links?${query}`);
  const listed = rowsUnder(text, "\\d+ links?, by clicks").slice(1);
  const shown = listed.map(([url, clicks, , campaigns]) => [`https://x.example${url}`, clicks, campaigns]);
  const expected = [...byUrl].map(([url, rows]) => [
    url,
    formatCount(sumOf(rows.map(clicksOf))),
    formatCount(rows.length),
  ]);
  assert.deepEqual(shown.toSorted(), expected.toSorted(), query);
}

test("numbers on the page equal sums of the records of the API, in random worlds with random filters", async (t) => {
  const { world, service, signIn } = await makeWebWorld(t);
  for (let seed = 1; seed <= randomCases(3); seed++) {
    const random = new Random(seed);
    const { organization, key } = await world.addOrganization({ timeZone: "America/New_York" });
    const number = (most: number) => (random.chance(25) ? null : random.between(0, most));
    const facts = () => ({
      subject: random.pick(["The News", "newsletter", "Other"]),
      sentAt:
        Date.parse("2025-01-01T00:00:00Z") +
        random.between(-50, 420) * 86_400_000 +
        random.between(0, 86_399_999),
      team: random.pick(["A", "B", null]),
      sendingType: random.pick(["Immediate", "Timezone"]),
      recipients: random.pick(["Sales", "Everybody, Sales", null]),
      tags: random.pick([[], ["News"], ["News", "HR"]]),
      recipientCount: number(50),
      surveysCount: number(1),
    });
    const reported = Array.from({ length: random.between(1, 30) }, (_, index) =>
      campaign({
        id: index + 1,
        ...facts(),
        metrics: {
          ...{ unique_opens: number(60), unique_clicks: number(9) },
          ...{ enps_reactions_count: number(1), survey_reactions_count: number(1) },
        },
      }),
    );
    await world.save(organization, reported);
    for (let id = 101; id <= 100 + random.between(1, 4); id++) {
      const { subject, sentAt, sendingType, recipientCount } = facts();
      const at = new Date(sentAt).toISOString();
      const given = { subject, sent_at: at, team: "A", sending_type: sendingType };
      await world.register(organization, id, { ...given, recipient_count: recipientCount ?? 3 });
      const events = Array.from({ length: random.between(0, 6) }, (_, index) => ({
        ...{ id: `${id} ${index}`, campaign_id: id, recipient: `r${index}` },
        at: new Date(sentAt + 1).toISOString(),
        ...random.pick([
          { type: "open" },
          { type: "open", machine: true },
          { type: "click", url: random.pick(["https://x.example/", "https://x.example/a?b=1"]) },
          { type: "click", url: "https://x.example/a", machine: true },
          { type: "survey", survey_id: "s", kind: "enps", score: 9 },
        ]),
      }));
      await world.ingest(organization, events);
    }
    const { bytes } = await requestDownload(`${service.url}/data_api/v1/emails.ndjson`, { key });
    const records = await readFeedFile("ndjson", bytes);
    const links = await readRows({ url: service.url, key }, "/email_links");
    const viewer = await signIn("viewer", { organization });
    for (let page = 0; page < 4; page++) {
      const filter = randomFilter(random);
      await expectPage(viewer, records, filter, `seed ${seed}, ${filter.query}`);
      const ids = new Set(records.filter(filter.matches).map(({ id }) => id));
      await expectLinks(viewer, { ids, links }, `${filter.query}&traffic=${random.pick(["people", "all"])}`);
    }
  }
});
