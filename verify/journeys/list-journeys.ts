// Journeys on the list of campaigns: the worst open rates, two campaigns compared, and a saved view.

import assert from "node:assert/strict";
import { noticeOn, pathOf, rowsOf } from "../../test/support/site.ts";
import { assertRate, listedOn, openRateOf, recordOf, totalsOn } from "./shown-numbers.ts";
import { last90Days, sentIn, thisQuarter } from "./spans.ts";
import { assertInSight, choose, type Journey, menuOf, openMenu, type Walk } from "./walk.ts";

export const worstOpenRates: Journey = {
  name: "the five worst open rates of the quarter",
  role: "viewer",
  async walk(walk) {
    const { page, hand, demo, way } = walk;
    await walk.open("/campaigns");
    await walk.look();
    await sortThisQuarter(walk);
    // On phones, menus replace the head of the table.
    assert.equal(hand.presses, way.hand === "finger" ? 4 : 2);
    assert.equal(pathOf(page), "/campaigns?period=quarter&sort=open_rate");
    const records = sentIn(demo, thisQuarter(demo));
    const listed = await listedOn(page);
    const worst = records.map((record) => openRateOf([record])).toSorted((a, b) => a - b);
    for (const [index, { id, subject, cells }] of listed.entries()) {
      const record = recordOf(demo, id);
      assert.equal(subject, record.subject);
      assert.equal(openRateOf([record]), worst[index]);
      assertRate(cells["Open rate"], record.open_rate);
    }
    assert.equal(listed.length, Math.min(records.length, 25));
    assertRate((await totalsOn(page))["Open rate"], openRateOf(records));
    await assertInSight(walk, page.locator("[data-list] tbody tr [data-label='Open rate']").nth(4));
    await walk.look();
    await hand.follow(page.locator("[data-list] tbody th a").first());
    const list = encodeURIComponent("period=quarter&sort=open_rate");
    assert.equal(pathOf(page), `/campaigns/${listed[0]?.id}?list=${list}`);
    assert.equal(await page.locator("h1").innerText(), listed[0]?.subject);
    await walk.look();
    await hand.follow(page.locator(".crumbs a"));
    assert.equal(pathOf(page), "/campaigns?period=quarter&sort=open_rate");
  },
};

/** Shows the campaigns of this quarter, those with the lowest open rates first. */
async function sortThisQuarter(walk: Walk): Promise<void> {
  const { page, hand } = walk;
  await hand.follow(page.locator(".tabs").getByRole("link", { name: "This quarter" }));
  await sortByOpenRate(walk);
}

/** Lists the campaigns with the lowest open rates first. */
async function sortByOpenRate(walk: Walk): Promise<void> {
  const { page, hand, way } = walk;
  if (way.hand === "finger") {
    const menu = page.locator("summary").filter({ hasText: "Sort" });
    await choose(walk, menu, "Open rate, sort lowest first");
  } else {
    await hand.follow(page.getByRole("columnheader", { name: /^Open rate/ }).getByRole("link"));
  }
}

/** From the overview to the comments, with the keys that move the focus. */
const maxKeysToComments = 50;

export const commentsOfWorst: Journey = {
  name: "the comments of the campaign with the worst open rate",
  role: "viewer",
  async walk(walk) {
    const { page, hand, demo, way } = walk;
    await walk.open("/");
    await walk.navigate("Campaigns");
    await openMenu(walk, menuOf(walk, "More filters"));
    await hand.select(page.getByLabel("Surveys"), "With ratings");
    await hand.follow(page.locator("details[open]").getByRole("button", { name: "Apply" }));
    await sortByOpenRate(walk);
    const records = sentIn(demo, last90Days(demo)).filter(
      (record) => Number(record.enps_reactions_count) > 0,
    );
    const rates = records.map((record) => openRateOf([record]));
    const [worst] = await listedOn(page);
    assert.equal(openRateOf([recordOf(demo, worst?.id ?? 0)]), Math.min(...rates));
    await hand.follow(page.locator("[data-list] tbody th a").first());
    await hand.follow(page.locator(".tabs").getByRole("link", { name: /^Surveys/ }));
    assert.equal(await page.locator("h1").innerText(), worst?.subject);
    await page.locator(".comment").first().waitFor();
    await walk.look();
    if (way.hand === "keys") assert.ok(hand.keys <= maxKeysToComments, `${hand.keys} keys`);
  },
};

export const twoCompared: Journey = {
  name: "two campaigns compared",
  role: "viewer",
  async walk(walk) {
    const { page, hand, demo, way } = walk;
    await walk.open("/campaigns");
    const [newest, , third] = await listedOn(page);
    const ids = [newest, third].map((each) => each?.id ?? 0);
    const compare = page.locator("main").getByRole("button", { name: "Compare", includeHidden: true });
    if (way.hand === "keys") await readShortcuts(walk);
    if (way.hasScript) assert.ok(await compare.isDisabled());
    for (const id of ids) await hand.press(page.locator(`[data-list] [name=ids][value="${id}"]`));
    await walk.look();
    await hand.follow(compare);
    assert.equal(pathOf(page), `/campaigns/compare?${ids.map((id) => `ids=${id}`).join("&")}`);
    const records = ids.map((id) => recordOf(demo, id));
    const heads = page.locator("main thead").first().locator("th");
    assert.deepEqual(
      (await heads.allInnerTexts()).slice(1),
      records.map(({ subject }) => subject),
    );
    const rows = new Map((await rowsOf(page, "side by side")).map(([name = "", ...cells]) => [name, cells]));
    const rates = records.map((record) => openRateOf([record]));
    for (const [index, record] of records.entries()) {
      const rate = rates[index] ?? 0;
      const shown = rows.get("Open rate")?.[index];
      assertRate(shown, rate);
      assert.equal(shown?.endsWith("best"), rate === Math.max(...rates) && rate > Math.min(...rates));
      assert.equal(Number(rows.get("Unique opens")?.[index]), record.unique_opens);
      assert.equal(Number(rows.get("Recipients")?.[index]), record.recipient_count);
    }
    await assertInSight(
      walk,
      page
        .getByRole("row", { name: /^Open rate/ })
        .locator("td")
        .last(),
    );
    await walk.look();
  },
};

/** The list of shortcuts opens and closes with the same key. */
async function readShortcuts({ page }: Walk): Promise<void> {
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  for (const key of ["/", "j", "k", "?"]) {
    assert.ok(await dialog.locator("kbd").getByText(key, { exact: true }).isVisible());
  }
  await page.keyboard.press("?");
  assert.ok(await dialog.isHidden());
}

export const savedView: Journey = {
  name: "a saved view",
  role: "viewer",
  async walk(walk) {
    const { page, hand } = walk;
    const name = "Worst of the quarter";
    await walk.open("/campaigns");
    await sortThisQuarter(walk);
    const listed = await listedOn(page);
    await openMenu(walk, page.locator("summary").filter({ hasText: "Save view" }));
    await walk.look();
    await hand.write(page.getByLabel("Name", { exact: true }), name);
    await hand.follow(page.getByRole("button", { name: "Save", exact: true }));
    assert.equal(await noticeOn(page), `Saved the view "${name}".`);
    await walk.look();

    await walk.navigate("Campaigns");
    assert.notDeepEqual(await listedOn(page), listed);
    const tab = page.locator(".tabs").getByRole("link", { name });
    await hand.follow(tab);
    assert.deepEqual(await listedOn(page), listed);
    assert.equal(await tab.getAttribute("aria-current"), "page");
    await openMenu(walk, page.locator("summary").filter({ hasText: "Edit view" }));
    await walk.look();
    await hand.follow(page.getByRole("button", { name: "Delete view" }));
    assert.equal(await noticeOn(page), `Deleted the view "${name}".`);
    assert.equal(await tab.count(), 0);
  },
};
