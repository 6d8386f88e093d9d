// No page compares with a campaign that is still counting: two services that differ only in the opens and clicks of fresh
// campaigns show the same averages, differences, rankings and trends.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { rowOf, textOf } from "../../support/pages.ts";
import { makeWebWorld } from "../../support/web-world.ts";
import { campaign, present } from "../../support/world.ts";

const dayMs = 86_400_000;
const teams = ["HR", "IT"];

/** Six older campaigns of each team with different rates, and two fresh ones, one of them counted. */
async function makeSite(t: TestContext, fresh: { opens: number; clicks: number }) {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  const imported = (id: number, days: number, unique_opens: number, unique_clicks: number) =>
    campaign({
      ...{ id, team: teams[id % 2] ?? null, sentAt: present - days * dayMs, recipientCount: 1_000 },
      ...{ tags: [`Tag ${id % 3}`], recipients: `Group ${id % 2}` },
      sendingType: id % 4 ? "Immediate" : "Scheduled",
      metrics: {
        ...{ unique_opens, open_rate: unique_opens / 1_000 },
        ...{ unique_clicks, click_rate: unique_clicks / 1_000 },
        ...{ enps_score_average: null, enps_reactions_count: 0, survey_reactions_count: 0 },
      },
    });
  await world.save(organization, [
    ...Array.from({ length: 12 }, (_, id) => imported(id + 1, 8 + 9 * id, 400 + 37 * id, 20 + 7 * id)),
    imported(21, 6.9, fresh.opens, fresh.clicks),
    imported(22, 0.1, fresh.opens, fresh.clicks),
  ]);
  await world.register(organization, 23, { team: "HR", recipient_count: 10 });
  const events = Array.from({ length: fresh.opens / 100 }, (_, number) => ({
    ...{ id: `e-${number}`, campaign_id: 23, recipient: `${number}@example.com`, type: "open" },
    at: new Date(present - 30 * 60_000).toISOString(),
  }));
  if (events.length > 0) await world.ingest(organization, events);
  const viewer = await site.signIn("viewer");
  /** Without what only a fresh campaign of its own shows. */
  const read = async (url: string) => {
    const text = await viewer.read(url);
    return text
      .replaceAll(site.service.url, "")
      .replaceAll(/ value="[\w-]{43}"/g, "")
      .split(/(?=<tr|\r\n)/)
      .filter((row) => !/\/campaigns\/2[123]\b|^\r\n2[123],/.test(row))
      .join("");
  };
  return { read, viewer };
}

test("no average, difference, ranking or trend of a page or its CSV has a campaign that is still counting", async (t) => {
  const [low, high] = [
    await makeSite(t, { opens: 0, clicks: 0 }),
    await makeSite(t, { opens: 1_000, clicks: 1_000 }),
  ];
  const rates = "open_rate,click_rate,click_to_open_rate";
  const urls = [
    // Where most campaigns are still counting, cards show the numbers so far.
    ...["/", "/?period=all", "/?from=2026-05-01", "/?compare=year"],
    "/?team=HR&period=all",
    ...["team", "tag", "sending_type"].map((by) => `/?period=all&by=${by}`),
    ...["open_rate", "click_rate"].flatMap((sort) => [
      `/campaigns?period=all&columns=${rates}&sort=${sort}`,
      `/campaigns.csv?period=all&columns=${rates}&sort=${sort}&order=desc`,
    ]),
    ...["/campaigns/1", "/campaigns/2?tab=details", "/campaigns/compare?ids=1,2,3", "/help/fields"],
  ];
  for (const url of urls) {
    // Clicks by link are no comparison.
    const withoutActivity = (page: string) =>
      page
        // The chart has hollow dots of fresh campaigns; its numbers are in the table below it.
        .replace(/<div class="plot">[\s\S]*?(?=<table|<\/figure>)/g, "")
        .replace(/<section class="card">\s*<div class="card-head"><h2>Links[\s\S]*?<\/section>/g, "");
    assert.equal(withoutActivity(await high.read(url)), withoutActivity(await low.read(url)), url);
  }
});

test("each place that leaves out campaigns that are still counting says so", async (t) => {
  const { viewer } = await makeSite(t, { opens: 100, clicks: 10 });
  const read = async (url: string) => textOf(await viewer.read(url));
  const overview = await read("/?period=all");
  const notes = {
    "sentence and tiles":
      /15 campaigns, 3 still counting: .* Rates are without 3 campaigns that are still counting\./,
    "its own card": /Still counting Campaign 23 1 h 10\.0% \(2–40\) Campaign 22 2 h/,
    "legend of the chart": /Campaign \(size: recipients\) Still counting/,
    "tip of a week": /Jun 15 – 21, 2026 2 campaigns still counting Open rate still counting/,
    rankings: /differ by more than chance\. 3 campaigns still counting are not ranked\./,
    "row of a team": /IT, 1 still counting,/,
  };
  for (const [place, note] of Object.entries(notes)) assert.match(overview, note, place);
  const list = await read("/campaigns?period=all");
  assert.match(list, /Total of 15 campaigns Rates are without 3 campaigns that are still counting/);
  assert.match(
    await read("/campaigns/compare?ids=1,21"),
    /Campaign 21 still counting .* 1 campaign is still counting: rates are compared only at the same age/,
  );
  assert.match(await read("/campaigns/21"), /Counts in averages from Jun 15, 2026/);
  assert.doesNotMatch(await read("/?from=2026-06-14"), /Nothing stands out|No data yet/);
  const file = await viewer.read("/campaigns.csv?period=all");
  const marked = file.split("\r\n").filter((line) => line.endsWith(",1"));
  assert.equal(marked.map((line) => line.split(",")[0]).join(), "23,22,21");
});

test("compares with a campaign that is still counting at the same age", async (t) => {
  const { world, organization, signIn } = await makeWebWorld(t);
  for (const [id, sentAt, opens] of [
    [1, present - 20 * dayMs, 60],
    [2, present - 3.5 * 3_600_000, 20],
  ] as const) {
    await world.register(organization, id, { sent_at: new Date(sentAt).toISOString(), recipient_count: 100 });
    const events = Array.from({ length: opens }, (_, number) => ({
      ...{ id: `${number}`, campaign_id: id, recipient: `${number}@example.com`, type: "open" },
      at: new Date(sentAt + (number < 50 ? 1 : 5) * 3_600_000).toISOString(),
    }));
    await world.ingest(organization, events);
  }
  const text = await (await signIn("viewer")).read("/campaigns/compare?ids=1,2");
  assert.deepEqual(rowOf(text, "Open rate after 3 h"), ["50.0% best", "20.0%"]);
});
