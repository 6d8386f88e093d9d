// Journeys to single people: a comment found, and a recipient found by an admin and refused to a viewer.

import assert from "node:assert/strict";
import { headOffice } from "../../src/cli/demo/branches.ts";
import { demoCounted } from "../../src/cli/demo/counted-campaigns.ts";
import { demoSendings } from "../../src/cli/demo/sendings.ts";
import type { DemoSite } from "../../test/support/demo-site.ts";
import { pathOf } from "../../test/support/site.ts";
import { last90Days, sentIn } from "./spans.ts";
import { assertInSight, type Journey } from "./walk.ts";

export const commentFound: Journey = {
  name: "a comment found",
  role: "viewer",
  async walk(walk) {
    const { page, hand, demo } = walk;
    const comments = commentsOf(demo);
    const wanted = comments.find(({ score }) => score !== undefined && score <= 6);
    assert.ok(wanted);
    await walk.open("/");
    await walk.navigate("Comments");
    assert.ok(await page.getByText(`${comments.length} comments`).isVisible());
    await walk.look();

    const rated = comments.filter(({ score }) => score !== undefined && score <= 6);
    await hand.follow(page.getByRole("link", { name: "0 to 6", exact: true }));
    const cards = page.locator(".comment");
    assert.deepEqual((await cards.locator("blockquote").allInnerTexts()).toSorted(), textsOf(rated));
    const scores = await cards.locator(".score [aria-hidden]").allInnerTexts();
    assert.ok(scores.length === rated.length && scores.every((score) => Number(score) <= 6));

    const words = wanted.text.split(" ").slice(0, 3).join(" ").toLowerCase();
    await hand.write(page.getByRole("searchbox"), words);
    await hand.submit();
    const found = rated.filter(({ text }) => text.toLowerCase().includes(words));
    assert.deepEqual((await cards.locator("blockquote").allInnerTexts()).toSorted(), textsOf(found));
    await assertInSight(walk, cards.first());
    await walk.look();
    await hand.follow(cards.first().getByRole("link"));
    assert.ok((await page.locator("main").innerText()).includes(wanted.text));
    await walk.look();
  },
};

interface SentComment {
  text: string;
  /** Of an eNPS survey. */
  score: number | undefined;
}

const textsOf = (comments: readonly SentComment[]) => comments.map(({ text }) => text).toSorted();

/** The comments on the campaigns of the last 90 days, by the events that the demo sent. */
function commentsOf(demo: DemoSite): SentComment[] {
  return sentIn(demo, last90Days(demo)).flatMap(({ id }) =>
    eventsOf(demo, id).flatMap(({ comment, score }) =>
      comment === undefined
        ? []
        : { text: String(comment), score: score === undefined ? score : Number(score) },
    ),
  );
}

export const recipientFound: Journey = {
  name: "a recipient found, and refused to a viewer",
  role: "admin",
  async walk(walk) {
    const { page, hand, demo } = walk;
    const record = demo.records.find(({ tracking_type }) => tracking_type === "Individual");
    assert.ok(record);
    const opened = openersOf(demo, record.id);
    assert.equal(opened.length, record.unique_opens);
    const prefix = opened[0]?.slice(0, 4) ?? "";
    const looks = () =>
      demo.site.service.logged.filter((line) => line.campaign === record.id && line.user).length;
    const before = looks();
    await walk.open("/campaigns");
    await hand.follow(page.locator(`[data-list] a[href$="/${record.id}"]`));
    await hand.follow(page.locator(".tabs").getByRole("link", { name: "Recipients" }));
    await walk.look();
    assert.ok((await page.locator("caption").innerText()).includes(`Opened: ${record.unique_opens}.`));
    await hand.follow(page.getByRole("link", { name: "Opened", exact: true }));
    await hand.write(page.getByRole("searchbox"), prefix);
    await hand.submit();
    assert.equal(pathOf(page), `/campaigns/${record.id}/recipients?filter=opened&q=${prefix}`);
    const names = page.locator("tbody th");
    assert.deepEqual(
      await names.allInnerTexts(),
      opened.filter((name) => name.startsWith(prefix)),
    );
    await assertInSight(walk, names.first());
    await walk.look();
    assert.equal(looks() - before, 3, "each look is logged");

    const viewer = await walk.as("viewer");
    await viewer.open(`/campaigns/${record.id}`);
    assert.equal(await viewer.page.getByRole("link", { name: "Recipients" }).count(), 0);
    await viewer.open(pathOf(page));
    assert.equal(await viewer.page.locator("h1").innerText(), "You need the Admin role");
    assert.ok(!(await viewer.page.content()).includes(prefix));
    await viewer.look();
  },
};

/** Who opened a campaign. Mail clients that prefetch images do not count. */
function openersOf(demo: DemoSite, id: number): string[] {
  const opens = eventsOf(demo, id).filter(({ type }) => type === "open");
  const human = opens.filter(({ user_agent }) => user_agent !== "Mozilla/5.0");
  return [...new Set(human.map(({ recipient }) => String(recipient)))].toSorted();
}

/** The events of a campaign, as the demo sent them. */
function eventsOf({ site }: DemoSite, id: number) {
  const { now } = site.world.clock;
  const sendings = demoSendings(headOffice, now).filter((sending) => sending.id === id);
  const { events } = demoCounted(sendings, headOffice.domain, now);
  return events.filter(({ campaign_id }) => campaign_id === id);
}
