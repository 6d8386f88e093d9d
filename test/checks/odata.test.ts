// Sends random OData requests and compares every answer with a plain filter, sort and slice over all records. The data
// changes in between.

import assert from "node:assert/strict";
import test from "node:test";
import { pino } from "pino";
import type { FeedRecord } from "../../src/campaign/feed/feed-fields.ts";
import { type FeedRow, feedTables } from "../../src/campaign/feed/feed-tables.ts";
import { downloadRecords } from "../support/downloads.ts";
import { open } from "../support/events.ts";
import { Random } from "../support/histories.ts";
import { askOData, readPages } from "../support/odata.ts";
import { isFullSize, randomCases, report } from "../support/random-cases.ts";
import { randomCondition } from "../support/random-filter.ts";
import {
  campaign,
  makeDatabase,
  makeWorldOn,
  present,
  type Service,
  serve,
  type World,
} from "../support/world.ts";

const queries = randomCases(40, 100_000);
const campaigns = isFullSize ? 100 : 30;
const queriesPerState = 50;
const queriesPerLine = 5_000;
/** A computer that pauses cuts no download. */
const maxSeconds = 3_600;

interface Check {
  world: World;
  service: Service;
  random: Random;
  key: string;
  counts: Record<"pages" | "counts" | "empty" | "filtered" | "sorted", number>;
}

test("every answer equals that of a plain filter, sort and slice", async (t) => {
  const databaseUrl = await makeDatabase(t);
  const world = await makeWorldOn(t, databaseUrl);
  const downloads = { databaseUrl, maxDownloads: 2, maxSeconds };
  const service = await serve(t, world, { log: pino({ level: "silent" }), downloads });
  const { organization, key } = await world.addOrganization({ timeZone: "America/St_Johns" });
  await world.register(organization, campaigns + 1);
  const random = new Random(queries);
  const counts = { pages: 0, counts: 0, empty: 0, filtered: 0, sorted: 0 };
  const check: Check = { world, service, random, key, counts };
  for (let left = queries; left > 0; left -= queriesPerState) {
    const changed = Array.from({ length: random.between(1, campaigns) }, () =>
      randomCampaign(random, random.between(1, campaigns)),
    );
    await world.save(organization, [...new Map(changed.map((each) => [each.campaign.id, each])).values()]);
    await world.ingest(organization, [open(left, { campaign_id: campaigns + 1 })]);
    world.clock.now += random.between(0, 3_600_000);
    const records = await downloadRecords({ url: service.url, key }, "ndjson");
    for (let some = Math.min(left, queriesPerState); some > 0; some--) await checkQuery(check, records);
    const done = Math.min(queries - left + queriesPerState, queries);
    if (done % queriesPerLine === 0 || done === queries) {
      report(
        `${done} queries of up to ${campaigns + 1} campaigns equal the oracle's: ${JSON.stringify(counts)}`,
      );
    }
  }
});

const subjects = ["It's here", "Ünïcödé + 100 %", "", "a", "A", "日本語", "null", "x".repeat(300)];
const day = 86_400_000;

function randomCampaign(random: Random, id: number) {
  const maybe = (value: number) => (random.chance(20) ? null : value);
  return campaign({
    id,
    subject: random.pick(subjects),
    // Few times, so that many are equal; some are still to come.
    sentAt: present - random.between(-2, 40) * day + random.pick([0, 1, 43_200_000]),
    team: random.pick([null, "Team A", "Team B"]),
    recipientCount: random.pick([null, 0, 1, 135]),
    tags: random.shuffle(["HR", "News", "It's"]).slice(0, random.between(0, 3)),
    metrics: {
      open_rate: random.pick([0, 0.25, 1]),
      unique_opens: maybe(random.between(0, 5)),
      enps_score_average: random.pick([0, 7.5]),
      enps_reactions_count: maybe(random.between(0, 1)),
    },
  });
}

async function checkQuery(
  { service, random, key, counts }: Check,
  records: readonly FeedRecord[],
): Promise<void> {
  const rows: readonly FeedRow[] = records;
  const filter = random.chance(80) ? randomCondition({ random, rows }) : undefined;
  const order = random.chance(50) ? randomOrder(random) : [];
  const matching = filter ? rows.filter((row) => filter.valueIn(row) === true) : rows;
  const sorted = [...matching].sort(comparing([...order, ["sent_at", "desc"], ["id", "desc"]]));
  const [skip, top] = [
    random.chance(30) ? random.between(0, 20) : 0,
    random.chance(30) ? random.between(0, 20) : undefined,
  ];
  const expected = sorted.slice(skip, top === undefined ? undefined : skip + top);
  const hasCount = random.chance(30);
  const query = [
    ...(filter ? [`$filter=${encodeURIComponent(filter.text)}`] : []),
    ...(order.length > 0
      ? [`$orderby=${order.map((each) => each.join(" ")).join(random.pick([",", ", "]))}`]
      : []),
    ...(skip > 0 ? [`$skip=${skip}`] : []),
    ...(top === undefined ? [] : [`$top=${top}`]),
    ...(hasCount ? ["$count=true"] : []),
  ];
  const size = random.chance(40) ? random.between(1, 15) : undefined;
  const headers = size === undefined ? {} : { prefer: `odata.maxpagesize=${size}` };
  const source = { url: service.url, key, headers };
  const path = `/emails?${random.shuffle(query).join("&")}`;
  const what = `${path} ${JSON.stringify(headers)} ${filter?.text}`;
  const pages = await readPages(source, path);
  const shown = pages.flatMap(({ value }) => value);
  assert.deepEqual(shown, expected, what);
  if (size !== undefined && top === undefined) {
    const lengths = pages.slice(0, -1).map(({ value }) => value.length);
    assert.ok(
      lengths.every((length) => length === size),
      what,
    );
    assert.ok(pages.length === 1 || (pages.at(-1)?.value.length ?? 0) > 0, `empty last page: ${what}`);
  } else assert.equal(pages.length, 1, what);
  if (hasCount) assert.equal(pages[0]?.["@odata.count"], matching.length, what);
  if (random.chance(10)) {
    const suffix = filter ? `?$filter=${encodeURIComponent(filter.text)}` : "";
    assert.equal((await askOData(source, `/emails/$count${suffix}`)).text, String(matching.length), what);
    counts.counts += 1;
  }
  counts.pages += pages.length;
  counts.empty += Number(expected.length === 0);
  counts.filtered += Number(filter !== undefined);
  counts.sorted += Number(order.length > 0);
}

type Order = [field: string, direction: "asc" | "desc"];

function randomOrder(random: Random): Order[] {
  const fields = random.chance(50) ? ["sent_at", "id", "updated_at"] : feedTables.emails.sortedBy;
  const some = random.shuffle([...fields]).slice(0, random.between(1, 3));
  return some.map((field) => [field, random.pick(["asc", "desc"])]);
}

/** Instants are compared as text, which has one form. Null is the lowest. */
function comparing(order: readonly Order[]) {
  return (a: FeedRow, b: FeedRow) => {
    for (const [field, direction] of order) {
      const [left, right] = [a[field], b[field]] as [number | null, number | null];
      if (left === right) continue;
      const isBefore = left === null || (right !== null && left < right);
      return isBefore === (direction === "asc") ? -1 : 1;
    }
    return 0;
  };
}
