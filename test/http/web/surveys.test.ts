// The page of surveys: each question by month, with the numbers of the feed.

import assert from "node:assert/strict";
import test from "node:test";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { requestDownload } from "../../support/downloads.ts";
import { readFeedFile } from "../../support/feed-records.ts";
import { rowsIn, textOf } from "../../support/pages.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeWebWorld, makeWebWorldOf, type WebWorld } from "../../support/web-world.ts";
import { campaign } from "../../support/world.ts";

let events = 0;

function answer(campaignId: number, recipient: number, given: Record<string, unknown>) {
  events += 1;
  return {
    ...{ id: `e-${events}`, type: "survey", campaign_id: campaignId, recipient: `p${recipient}@example.com` },
    ...{ survey_id: "s", kind: "enps", at: "2026-06-15T11:05:00Z", ...given },
  };
}

const scores = (campaignId: number, given: readonly number[]) =>
  given.map((score, index) => answer(campaignId, index, { score }));

const pulse = (campaignId: number, survey: string, given: readonly string[]) =>
  given.map((text, index) => answer(campaignId, index, { survey_id: survey, kind: "pulse", answer: text }));

const useful = "Was this <useful>?";

async function fill({ world }: WebWorld, organization: Organization): Promise<void> {
  for (const [id, sent_at, tracking_type] of [
    [1, "2026-04-10T08:00:00Z", "Anonymous"],
    [2, "2026-04-20T08:00:00Z", "Individual"],
    [3, "2026-05-05T08:00:00Z", "Anonymous"],
    [4, "2026-06-14T08:00:00Z", "Individual"],
  ] as const) {
    const enps = { survey_id: "s", kind: "enps", question: "Would you recommend us?" };
    const surveys = [enps, { survey_id: `u${id}`, kind: "pulse", question: useful }];
    await world.register(organization, id, { sent_at, tracking_type, surveys, team: "IT" });
  }
  // Three scores of the third campaign wait, because they are fewer than five. The fourth is still counting.
  await world.ingest(organization, [
    ...[...scores(1, [10, 9, 9, 7, 3, 0]), ...scores(2, [9, 2]), ...scores(3, [10, 10, 10])],
    ...[...scores(4, [0, 0, 0]), ...pulse(1, "u1", ["Yes", "Yes", "No", "No", "Yes"])],
    ...[...pulse(2, "u2", ["Yes", "Partly"]), ...pulse(3, "u3", ["No"]), ...pulse(4, "u4", ["No"])],
  ]);
  const imported = { enps_reactions_count: 20, enps_score_average: 5, survey_reactions_count: 0 };
  await world.save(organization, [
    campaign({ id: 9, sentAt: Date.UTC(2026, 4, 6), trackingType: "Individual", metrics: imported }),
  ]);
}

/** The rows of a section, without empty cells. */
const rowsOf = (text: string, heading: string) =>
  rowsIn(text.split('<section class="card answers">').find((each) => each.includes(heading)) ?? "").map(
    (row) => row.filter((cell) => cell !== ""),
  );

const url = "/surveys?from=2026-04-01&until=2026-06-30";

test("shows each question by month with the numbers of the feed, without those that wait or are still counting", async (t) => {
  const site = await makeWebWorld(t);
  const { organization, key } = await site.world.addOrganization();
  await fill(site, organization);
  const text = await (await site.signIn("viewer", { organization })).read(url);
  // 4 of 8 promoters, 3 detractors: 12.5 is 13. The range of eight ratings is wider than half of the scale.
  assert.deepEqual(rowsOf(text, "<h2>eNPS"), [
    ["Apr 2026", "37.5% (14–69)", "12.5% (2–47)", "50.0% (22–78)", "too uncertain", "8"],
  ]);
  assert.match(text, /<span class="soft" title="\+13 \(−93 to \+100\)">too uncertain<\/span>/);
  assert.deepEqual(rowsOf(text, "Was this &lt;useful&gt;?"), [
    ["Apr 2026", "57.1% (25–84)", "28.6% (8–64)", "14.3% (3–51)", "7"],
  ]);
  assert.match(text, /eNPS: from 2 of 3\./);

  const { bytes } = await requestDownload(`${site.service.url}/data_api/v1/emails.ndjson`, { key });
  const records = await readFeedFile("ndjson", bytes);
  const settled = records.filter(({ id }) => id !== 4);
  const rated = settled.filter(
    (each) => each.enps_score_average !== null && Number(each.enps_reactions_count) > 0,
  );
  const ratings = rated.reduce((sum, each) => sum + Number(each.enps_reactions_count), 0);
  const scored = rated.reduce(
    (sum, each) => sum + Number(each.enps_reactions_count) * Number(each.enps_score_average),
    0,
  );
  const mean = (Math.round((100 * scored) / ratings) / 100).toFixed(2);
  const [, summary = ""] = /<\/h2><span class="soft">(.*?)<\/span><\/div>/s.exec(text) ?? [];
  const counted = `${ratings} ratings · 3 more still counting · average ${mean}`;
  assert.equal(textOf(summary), `too uncertain · ${counted}`);
  const answered = settled.reduce((sum, each) => sum + (each.survey_reactions_count ?? 0), 0);
  assert.match(text, new RegExp(`<span class="soft">${answered} answers · 1 more still counting</span>`));
  assert.match(text, /class="heading">.*Rates are without 1 campaign that is still counting\..*<form/s);
});

sqliteTest("gives a month the eNPS and the range of the overview's chart", async (t) => {
  const { organization, world, viewer } = await makeWebWorldOf("viewer", t);
  const days = ["2026-02-03", "2026-02-17", "2026-03-03", "2026-03-20", "2026-04-07", "2026-04-21"];
  const high = [24, 22, 30, 17, 26, 2];
  const low = [10, 7, 12, 9, 11, 1];
  for (const [index, day] of days.entries()) {
    const sent_at = `${day}T08:00:00Z`;
    await world.register(organization, index + 1, { sent_at, tracking_type: "Individual" });
    const ratings = [Array<number>(high[index] ?? 0).fill(10), Array<number>(low[index] ?? 0).fill(3)].flat();
    await world.ingest(organization, scores(index + 1, [...ratings, 8, 8, 7]));
  }
  const ofMonths = (await viewer.read("/?period=2026&chart=enps")).matchAll(
    /<tr><th scope="row"><a [^>]*>((?:Feb|Mar|Apr) 2026)<\/a><\/th><td[^>]*>(.*?)<\/td>/g,
  );
  const charted = [...ofMonths].map(([, month, cell = ""]) => [month, textOf(cell)]);
  const rows = rowsOf(await viewer.read("/surveys?period=2026"), "<h2>eNPS");
  const listed = rows.map((cells) => [cells[0], cells[4]]).reverse();
  assert.deepEqual(listed, charted);
  assert.equal(charted.length, 3);
  assert.match(charted[1]?.[1] ?? "", /^\+\d+ \(/);
});

sqliteTest("shows no answers of other organizations, and says when there are none", async (t) => {
  const site = await makeWebWorld(t);
  await fill(site, site.organization);
  const { organization } = await site.world.addOrganization();
  const none = { enps_reactions_count: 0, enps_score_average: 0, survey_reactions_count: 0 };
  await site.world.save(organization, [campaign({ id: 1, metrics: none })]);
  const stranger = await site.signIn("admin", { organization });
  const text = await stranger.read("/surveys?period=all");
  assert.match(text, /No answers to show/);
  assert.doesNotMatch(text, /useful|recommend us/);
  assert.equal((await stranger.get("/surveys?from=x")).status, 400);
});
