// Journeys on the overview: a month of the chart, the results by tag, human activity against all of it, and the page on paper.

import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { FeedRecord } from "../../src/campaign/feed/feed-fields.ts";
import { metricsOf } from "../../src/campaign/metrics.ts";
import { findCampaigns } from "../../src/storage/campaigns/campaigns.ts";
import type { DemoSite } from "../../test/support/demo-site.ts";
import { pathOf, rowsOf } from "../../test/support/site.ts";
import { printPage } from "./print-page.ts";
import { assertRate, listedOn, openRateOf, recordOf, totalsOn } from "./shown-numbers.ts";
import { last90Days, lastMonth, monthText, rangeText, sentIn, thisQuarter } from "./spans.ts";
import { assertInSight, choose, type Journey, menuOf, type Walk } from "./walk.ts";

export const monthOfChart: Journey = {
  name: "a month of the chart",
  role: "viewer",
  async walk(walk) {
    const { page, hand, demo, way } = walk;
    await walk.open("/");
    await choose(walk, menuOf(walk), "Last 12 calendar months");
    await walk.look();
    const month = lastMonth(demo);
    const records = sentIn(demo, month);
    const band = page.locator(".hits a").filter({ hasText: monthText(month.from) });
    // Without the script, a tap follows the link at once.
    if (way.hand !== "finger" || way.hasScript) {
      await hand.point(band);
      const tip = band.locator(".tip");
      assert.equal(
        await tip.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).opacity),
        "1",
      );
      assertRate((await tip.innerText()).replace(/^.*?Open rate/s, ""), openRateOf(records));
      await assertInSight(walk, tip);
      await walk.look();
    }
    await hand.follow(band);
    assert.equal(pathOf(page), `/campaigns?period=${month.from.slice(0, 7)}`);
    const listed = await listedOn(page);
    assert.deepEqual(
      listed.map(({ id }) => id),
      records.map(({ id }) => id),
    );
    for (const { id, cells } of listed) assertRate(cells["Open rate"], recordOf(demo, id).open_rate);
    assertRate((await totalsOn(page))["Open rate"], openRateOf(records));
    await walk.look();
  },
};

export const humanAgainstAll: Journey = {
  name: "human against all activity",
  role: "viewer",
  async walk(walk) {
    const { page, hand, demo } = walk;
    await walk.open("/");
    const records = sentIn(demo, last90Days(demo));
    const all = await withAllTraffic(demo, records);
    const [human, everything] = [openRateOf(records), openRateOf([...all.values()])];
    assert.ok(everything > human);
    const metric = page.locator(".metrics li").filter({ hasText: /^\s*Open rate/ });
    const assertMetric = async (shown: number, noted: RegExp, other: number) => {
      assertRate(await metric.locator(".value b").innerText(), shown);
      const note = await metric.locator(".from").innerText();
      assert.match(note, noted);
      assertRate(note, other);
    };
    await assertMetric(human, /With automated activity/, everything);
    await walk.look();
    await hand.follow(page.getByRole("link", { name: "All activity", exact: true }));
    assert.equal(pathOf(page), "/?traffic=all");
    await assertMetric(everything, /Human only/, human);
    await walk.look();
    await hand.follow(page.getByRole("link", { name: "View campaigns" }));
    assert.equal(pathOf(page), "/campaigns?traffic=all");
    for (const { id, cells } of await listedOn(page)) {
      const numbers = all.get(id);
      assert.ok(numbers);
      assertRate(cells["Open rate"], numbers.open_rate);
    }
    assertRate((await totalsOn(page))["Open rate"], everything);
    await assertInSight(walk, page.locator("[data-list] [data-label='Open rate']").first());
    await walk.look();
  },
};

export const resultsByTag: Journey = {
  name: "the results by tag",
  role: "viewer",
  async walk(walk) {
    const { page, hand, demo } = walk;
    await walk.open("/");
    await hand.follow(page.locator(".tabs").getByRole("link", { name: "Tags", exact: true }));
    assert.equal(pathOf(page), "/?by=tag#results-by");
    const table = page.getByRole("table", { name: "Results by tag" });
    await assertScrolledTo(table.getByRole("row").first());
    assert.equal(await page.locator("#results-by:focus").innerText(), "Tags");
    await assertInSight(walk, table.locator("td").last());
    await walk.look();
    const records = sentIn(demo, last90Days(demo));
    const taggedWith = (tag = "") => records.filter(({ tags }) => tags.some(({ name }) => name === tag));
    const rows = await rowsOf(page, "Results by tag");
    assert.equal(rows.length, new Set(records.flatMap(({ tags }) => tags.map(({ name }) => name))).size);
    for (const [header = "", openRate] of rows) {
      const [, tag, count] = /^(.*), (\d+) campaigns?$/.exec(header) ?? [];
      assert.equal(Number(count), taggedWith(tag).length, header);
      assertRate(openRate, openRateOf(taggedWith(tag)));
    }
    const best = table.locator("tbody a").first();
    const tag = await best.innerText();
    await hand.follow(best);
    assert.match(pathOf(page), /^\/\?tag_ids=\d+&by=tag$/);
    const metric = page.locator(".metrics li").filter({ hasText: /^\s*Open rate/ });
    assertRate(await metric.locator(".value b").innerText(), openRateOf(taggedWith(tag)));
    await walk.look();
  },
};

/** Checks that the window shows an element of a long page. */
async function assertScrolledTo(target: Locator): Promise<void> {
  const top = await target.evaluate((element) => element.getBoundingClientRect().top);
  const height = await target.evaluate((element) => element.ownerDocument.defaultView.innerHeight);
  assert.ok(top >= 0 && top < height, `${target} at ${top} of ${height}`);
}

/** The opens of campaigns with automated ones, which the API returns for organizations that count them. */
async function withAllTraffic({ site, organization }: DemoSite, records: readonly FeedRecord[]) {
  const ids = records.map(({ id }) => id);
  const found = await site.world.database.query((queries) => findCampaigns(queries, organization.id, ids));
  return new Map(
    found.map(({ campaign: { id, recipientCount }, numbers }) => {
      const { unique_opens, open_rate } = metricsOf(numbers, recipientCount, "all");
      return [id, { unique_opens, open_rate, recipient_count: recipientCount }];
    }),
  );
}

const team = "Human Resources";

export const printedPage: Journey = {
  name: "a page printed",
  role: "viewer",
  async walk(walk: Walk) {
    const { page, hand, demo } = walk;
    await walk.open("/");
    await hand.follow(page.locator(".tabs").getByRole("link", { name: "Tags", exact: true }));
    await choose(walk, menuOf(walk), "This quarter");
    await choose(walk, menuOf(walk, "All teams"), team);
    const scope = ["This quarter", rangeText(thisQuarter(demo)), team];
    await printPage(walk, scope, [".metrics b", ".plot", ".card:has(.tabs) h2", ".cards tbody th"]);
    await hand.follow(page.getByRole("link", { name: "View campaigns" }));
    await printPage(walk, scope, ["[data-list] tbody th", "[data-list] td[data-label='Open rate']"]);
    await hand.follow(page.locator("[data-list] tbody th a").first());
    await printPage(walk, [], ["h1", ".metrics b", ".plot"]);
  },
};
