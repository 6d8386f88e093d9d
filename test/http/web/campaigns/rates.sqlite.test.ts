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
    return rows.map(([subject, cells]) => [subject, cells[4]]);
  };
  const [oldest, half, newest] = [
    ["66 of 98", "67.3% (58–76)"],
    ["1347 of 2000", "67.4%"],
    ["33 of 49", "67.3% (53–79)"],
  ];
  assert.deepEqual(await listOf("asc"), [newest, oldest, half]);
  assert.deepEqual(await listOf("desc"), [half, newest, oldest]);
});

test("shows and sorts by the difference from the usual rate of the team, as the campaign's page does", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  const sent = (id: number, team: string | null, opens: number | null, daysAgo: number) =>
    campaign({
      ...{ id, subject: `No. ${id}`, team, sentAt: present - (daysAgo + 5) * dayMs, recipientCount: 100 },
      metrics: { unique_opens: opens, open_rate: null },
    });
  await world.save(organization, [
    ...[sent(1, "HR", 60, 395), sent(2, "HR", 80, 40), sent(3, "HR", 70, 30), sent(4, "HR", 90, 20)],
    ...[sent(5, "HR", 67, 10), sent(6, "IT", 20, 30), sent(7, "IT", 30, 20), sent(8, "IT", 25, 10)],
    ...[sent(9, "IT", 24, 5), sent(10, null, 5, 4), sent(11, "HR", null, 3)],
  ]);
  const query = "period=all&sort=open_rate_vs_team&columns=open_rate,open_rate_vs_team";
  const text = await viewer.read(`/campaigns?${query}`);
  const rows = [...rowsOf(text, "\\d+ campaigns")].filter(([subject]) => subject.startsWith("No. "));
  const tooFew = "– fewer than three campaigns of its team with this rate in the year before";
  assert.deepEqual(rows, [
    // 80 + 70 + 90 of 300; the first campaign was sent more than a year before.
    ["No. 5", ["67.0% (57–75)", "−13.0 pts (may be chance, vs. HR: 80.0%)"]],
    ["No. 9", ["24.0% (17–33)", "−1.0 pts (may be chance, vs. IT: 25.0%)"]],
    ["No. 11", ["– no value", "– no value"]],
    ["No. 10", ["5.0%", "– no team"]],
    ["No. 8", ["25.0% (18–34)", tooFew]],
    ["No. 7", ["30.0% (22–40)", tooFew]],
    ["No. 4", ["90.0% (83–94)", tooFew]],
    ["No. 6", ["20.0% (13–29)", tooFew]],
    ["No. 3", ["70.0% (60–78)", tooFew]],
    ["No. 2", ["80.0% (71–87)", tooFew]],
    ["No. 1", ["60.0% (50–69)", tooFew]],
  ]);
  assert.match(text, /<th [^>]*aria-sort="ascending"><a [^>]*>Open rate vs\. team</);
  assert.match(text, /<span class="change" title="may be chance, vs\. HR: 80\.0%">/);
  const page = textOf(await viewer.read("/campaigns/5"));
  assert.match(
    page,
    /Open rate 67\.0% \(57–75\) −13\.0 pts · Team: 80\.0% \(−13\.0 pts, may be chance, vs\. [^)]*\)\) 67 of 100/,
  );
  const file = await viewer.get(`/campaigns.csv?${query},enps_vs_team`);
  const [header, ...lines] = file.text.split("\r\n");
  const names = ",Open rate (%),Open rate vs. team (pts),eNPS vs. team,Still counting (0/1)";
  assert.ok(header?.endsWith(names), file.text);
  assert.deepEqual(lines.slice(0, 3), ["5,No. 5,67,-13,,0", "9,No. 9,24,-1,,0", "11,No. 11,,,,0"]);
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
  const query = "period=all&rows=100&columns=open_rate_vs_team";
  const cellsOf = async (traffic: string) => {
    const text = await viewer.read(`/campaigns?${query}&traffic=${traffic}`);
    const rows = [...rowsOf(text, "\\d+ campaigns")].filter(([subject]) => subject.startsWith("No. "));
    return Object.fromEntries(rows.map(([subject, cells]) => [subject.slice(4), cells[0]]));
  };
  const human = await cellsOf("people");
  assert.equal(human[4], "−50.0 pts (vs. HR: 50.0%)");
  assert.equal(human[7], "−25.0 pts (may be chance, vs. HR: 25.0%)");
  assert.equal(human[9], "+28.6 pts (may be chance, vs. HR: 21.4%)");
  const notToldApart = "– imported campaigns do not tell automated activity apart";
  const all = await cellsOf("all");
  // Half of the campaigns before the last counted one were counted; the last was imported.
  assert.deepEqual(
    [all[4], all[6], all[7], all[9]],
    [notToldApart, notToldApart, "−25.0 pts (may be chance, vs. HR: 25.0%)", notToldApart],
  );
  const text = await viewer.read(`/campaigns?${query}&traffic=all`);
  assert.match(text, /Total of 8 campaigns<small>4 imported, as reported<\/small>/);
  assert.match(text, /title="imported campaigns do not tell automated activity apart">–</);
  assert.doesNotMatch(await viewer.read(`/campaigns?${query}`), /imported, as reported/);
  const file = await viewer.get(`/campaigns.csv?${query}&traffic=all&sort=open_rate_vs_team`);
  const lines = file.text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));
  assert.deepEqual(lines[0]?.slice(1), ["No. 7", "-25", "0"]);
  assert.deepEqual(new Set(lines.slice(1).map((line) => line[2])), new Set([""]));
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
