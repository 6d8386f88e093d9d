// The rates of a campaign have one definition: each page that shows one shows the same text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../../support/histories.ts";
import { rowsUnder, textOf } from "../../../support/pages.ts";
import { randomCases } from "../../../support/random-cases.ts";
import {
  makeWebWorld,
  makeWebWorldOf,
  type SignedInClient,
  type WebWorld,
} from "../../../support/web-world.ts";
import { campaign, present } from "../../../support/world.ts";

const dayMs = 86_400_000;

/** The columns of the list that are rates, by their name in the URL. */
const columns = {
  open_rate: "Open rate",
  click_rate: "Click rate",
  click_to_open_rate: "Click-to-open rate",
  read_time: "Read over 9 s",
  enps: "eNPS",
  average_rating: "Average rating",
  devices: "Opens on desktop",
} as const;

const withoutBadges = (markup: string) => markup.replaceAll(/<span class="badge.*?<\/span>/g, "");

/** The cells of a table by the text of their row's header. Badges are left out. */
const rowsOf = (page: string, caption: string) =>
  new Map(rowsUnder(withoutBadges(page), caption).map(([head = "", ...others]) => [head, others]));

/** The texts of each campaign's rates on the list. */
async function listedRates(viewer: SignedInClient): Promise<Map<string, string[]>> {
  const text = await viewer.read(`/campaigns?period=all&rows=100&columns=${Object.keys(columns)}`);
  return rowsOf(text, "\\d+ campaigns");
}

/** The same rates on a campaign's page; undefined where it shows no card. */
async function ratesOnPage(viewer: SignedInClient, id: number): Promise<(string | undefined)[]> {
  const summary = await viewer.read(`/campaigns/${id}`);
  const cards = new Map(
    [...summary.matchAll(/<span class="name">(.*?)<\/span>\s*<span class="value"><b[^>]*>(.*?)<\/b>/gs)].map(
      ([, name = "", value = ""]) => [name, textOf(value)],
    ),
  );
  const [, desktop] = /<dt>Desktop<\/dt>.*?<dd>(.*?)<\/dd>/s.exec(summary) ?? [];
  const names = Object.values(columns).slice(0, -1);
  const share =
    desktop === undefined ? undefined : textOf(desktop.replaceAll(/<small class.*?<\/small>/g, ""));
  return [...names.map((name) => cards.get(name)), share];
}

async function expectSameTexts(viewer: SignedInClient, subjects: readonly string[]): Promise<void> {
  const listed = await listedRates(viewer);
  const ids = subjects.map((_, index) => index + 1);
  for (const [index, subject] of subjects.entries()) {
    const rates = listed.get(subject) ?? assert.fail(subject);
    const onPage = await ratesOnPage(viewer, index + 1);
    for (const [column, shown] of onPage.entries()) {
      if (shown === undefined || shown === "no ratings") continue;
      // The page prints narrow ranges too.
      const same = rates[column]?.includes("(") ? shown : shown.replace(/ \(.*\)$/, "");
      assert.equal(same, rates[column], `${subject}, ${Object.values(columns)[column]}`);
    }
    const details = await viewer.read(`/campaigns/${index + 1}?tab=details`);
    const fields = rowsOf(details, "The fields of the Analytics API.*?");
    const inDetails = ["Open rate", "Click rate"].map((name) => fields.get(name)?.[0]);
    for (const [column, shown] of inDetails.entries()) {
      if (shown !== "– no value") assert.equal(shown, rates[column], `${subject}, details`);
    }
  }
  const compared = rowsOf(await viewer.read(`/campaigns/compare?ids=${ids}`), "[^<]*side by side");
  for (const [column, title] of Object.values(columns).entries()) {
    const cells = subjects.map((subject) => listed.get(subject)?.[column]);
    assert.deepEqual(compared.get(title), cells, title);
  }
  const overview = await viewer.read("/?period=all");
  const ranked = [...rowsOf(overview, "Highest open rates"), ...rowsOf(overview, "Lowest open rates")];
  for (const [subject, [rate]] of ranked) {
    if (listed.has(subject)) assert.equal(rate, listed.get(subject)?.[0], `${subject}, ranked`);
  }
  assert.ok(ranked.length > 2);
}

/** A campaign with random counts, which are rarely round percentages. */
async function addCounted(
  { world }: WebWorld,
  organization: WebWorld["organization"],
  random: Random,
  id: number,
) {
  const recipients = random.between(11, 40);
  await world.register(organization, id, {
    ...{ subject: `Counted ${id}`, recipient_count: recipients, sent_at: "2026-06-01T11:00:00Z" },
  });
  const events = Array.from({ length: random.between(1, recipients) }, (_, index) => ({
    ...{ id: `${id} ${index}`, campaign_id: id, recipient: `r${index}`, at: "2026-06-02T11:00:00Z" },
    ...random.pick([
      { type: "open", device: random.pick(["desktop", "mobile"]) },
      { type: "click", url: "https://x.example/" },
      { type: "read", seconds: random.pick([2, 5, 20]) },
      { type: "survey", survey_id: "s", kind: "enps", score: random.between(0, 10) },
    ]),
  }));
  await world.ingest(organization, events);
}

/** A campaign whose numbers were imported, some of them without counts. */
function importedCampaign(random: Random, id: number) {
  const maybe = (most: number) => (random.chance(30) ? null : random.between(0, most));
  return campaign({
    ...{ id, subject: `Imported ${id}`, sentAt: present - 9 * dayMs, recipientCount: random.between(11, 98) },
    metrics: {
      ...{ unique_opens: maybe(98), unique_clicks: maybe(40), open_rate: random.between(0, 9_999) / 10_000 },
      ...{
        click_per_unique_open_rate: maybe(100),
        desktop_open_rate: maybe(100),
        mobile_open_rate: maybe(50),
      },
      ...{ read_time_read: maybe(100), read_time_skimmed: maybe(30), read_time_glanced: maybe(30) },
      ...{ enps_score_average: random.between(0, 1_000) / 100, enps_reactions_count: maybe(9) },
    },
  });
}

test("shows the same text for a rate on the list, the campaign's page, Compare and the overview", async (t) => {
  const site = await makeWebWorld(t);
  for (let seed = 1; seed <= randomCases(2); seed++) {
    const random = new Random(seed);
    const { organization } = await site.world.addOrganization();
    for (const id of [1, 2, 3]) await addCounted(site, organization, random, id);
    await site.world.save(organization, [importedCampaign(random, 4), importedCampaign(random, 5)]);
    const subjects = ["Counted 1", "Counted 2", "Counted 3", "Imported 4", "Imported 5"];
    await expectSameTexts(await site.signIn("viewer", { organization }), subjects);
  }
});

test("shows and sorts by rates from the counts, not by the rounded rates of records", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  const sent = (id: number, recipientCount: number, opens: number) =>
    campaign({
      ...{ id, subject: `${opens} of ${recipientCount}`, sentAt: present - 8 * dayMs - id, recipientCount },
      metrics: { unique_opens: opens, open_rate: Math.round((10_000 * opens) / recipientCount) / 10_000 },
    });
  // Records have 0.6735 for the first two; the first is 67.3469 %, the second 67.3500 %, the third the same as the first.
  await world.save(organization, [sent(3, 98, 66), sent(2, 2_000, 1_347), sent(1, 49, 33)]);
  const listOf = async (order: string) => {
    const text = await viewer.read(`/campaigns?period=all&sort=open_rate&order=${order}`);
    const rows = [...rowsOf(text, "\\d+ campaigns")].filter(([subject]) => / of \d+$/.test(subject));
    return rows.map(([subject, cells]) => [subject, cells[3]]);
  };
  const [oldest, half, newest] = [
    ["66 of 98", "67.3%"],
    ["1347 of 2000", "67.4%"],
    ["33 of 49", "67.3% (53–79)"],
  ];
  assert.deepEqual(await listOf("asc"), [newest, oldest, half]);
  assert.deepEqual(await listOf("desc"), [half, newest, oldest]);
});

test("shows no difference of all activity from a team whose campaigns were imported, nor of an imported one", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  const at = (daysAgo: number) => present - (daysAgo + 7) * dayMs;
  const imported = (id: number, daysAgo: number) =>
    campaign({
      ...{ id, subject: `No. ${id}`, team: "HR", sentAt: at(daysAgo), recipientCount: 100 },
      metrics: { unique_opens: 50 },
    });
  await world.save(organization, [imported(1, 40), imported(2, 39), imported(3, 38), imported(9, 1)]);
  for (const id of [4, 5, 6, 7]) {
    await world.register(organization, id, {
      ...{ subject: `No. ${id}`, team: "HR", sent_at: new Date(at(20 - id)).toISOString() },
      recipient_count: 100,
    });
  }
  const text = await viewer.read("/campaigns?period=all&traffic=all");
  assert.match(text, /Total of 8 campaigns<small>4 imported, as reported<\/small>/);
  assert.doesNotMatch(await viewer.read("/campaigns?period=all"), /imported, as reported/);
  const compared = async (ids: string, traffic: string) => {
    const text = await viewer.read(`/campaigns/compare?ids=${ids}&traffic=${traffic}`);
    const row = /<th scope="row">Open rate<\/th>.*?<\/tr>/s.exec(text)?.[0] ?? "";
    return [/>best</.test(row), /Opens and clicks are not compared/.test(text)];
  };
  assert.deepEqual(await compared("7,9", "people"), [true, false]);
  assert.deepEqual(await compared("7,9", "all"), [false, true]);
  for (const [id, isCompared] of Object.entries({ 6: false, 7: true, 9: false })) {
    const page = await viewer.read(`/campaigns/${id}?traffic=all`);
    const card = /<span class="name">Open rate<.*?<\/li>/s.exec(page)?.[0] ?? "";
    assert.equal(/class="change/.test(card), isCompared, `${id}`);
    assert.equal(/Team: \d/.test(card), isCompared, `${id}`);
    assert.equal(/Opens and clicks are not compared: imported campaigns/.test(page), !isCompared, `${id}`);
  }
});
