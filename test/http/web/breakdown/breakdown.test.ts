// The breakdown page. That its numbers are those of the feed is tested with the overview.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMatches, rowsIn, textOf } from "../../../support/pages.ts";
import { makeWebWorld, makeWebWorldOf } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

test("sorts teams by any column, says how each changed, and has the same rows as a file", async (t) => {
  const { world, organization, viewer } = await makeWebWorldOf("viewer", t);
  const sent = (id: number, day: string, team: string | null, unique_opens: number, unique_clicks = 10) =>
    campaign({
      ...{ id, team, recipientCount: 1_000, sentAt: Date.parse(`${day}T09:00:00Z`) },
      metrics: { unique_opens, unique_clicks, enps_score_average: null, enps_reactions_count: null },
    });
  await world.save(organization, [
    ...[
      sent(1, "2026-06-02", "A & B", 600),
      ...[20, 21, 22, 23, 24].map((id) => sent(id, "2025-06-02", "A & B", 300)),
      sent(3, "2026-06-03", "C", 700),
    ],
    ...[
      ...[40, 41, 42, 43, 44].map((id) => sent(id, "2025-06-03", "C", 690)),
      sent(50, "2025-06-04", "New", 690),
      sent(5, "2026-06-04", "New", 650),
      sent(6, "2026-06-04", null, 900, 600),
    ],
  ]);
  const namesIn = (text: string) => rowsIn(text).map(([name]) => name?.replace(/, .*/, ""));
  const month = "/breakdown?period=month";
  const text = await viewer.read(month);
  assert.deepEqual(namesIn(text), ["C", "New", "A & B", "not set"]);
  assert.match(text, /Change of the open rate from Jun 1\s–\s15, 2025/);
  assert.match(rowsIn(text)[2]?.[0] ?? "", /^A & B, −15\.0 pts \(75\.0%\) vs\. others$/);
  const byChange = await viewer.read(`${month}&sort=change`);
  assert.deepEqual(namesIn(byChange), ["A & B", "C", "New", "not set"]);
  // One campaign does not say how much those of its team differ, so all of the period do.
  const changes = rowsIn(byChange)
    .slice(0, 3)
    .map(([name, ...row]) => [name?.replace(/, .*/, ""), ...row.slice(0, 5)]);
  assert.deepEqual(changes, [
    ["A & B", "1", "1,000", "60.0% (18–100)", "+30.0 pts 30.0%", "1.0% (0–95)"],
    ["C", "1", "1,000", "70.0% (28–100)", "+1.0 pts 69.0%", "1.0% (0–95)"],
    ["New", "1", "1,000", "65.0% (23–100)", "– no value", "1.0% (0–95)"],
  ]);
  assertMatches(byChange, [
    /<th scope="row" class="text"><a href="\/series\?team=A\+%26\+B">/,
    /aria-sort="descending"><a href="\/breakdown\?period=month&amp;sort=change&amp;order=asc"/,
    /<a href="\/breakdown\?period=month&amp;by=tag#results-by">Tags<\/a>/,
  ]);
  // Nothing is compared without a period.
  assert.doesNotMatch(await viewer.read("/breakdown?period=all"), /year before/);
  const file = await viewer.read("/breakdown.csv?period=month&sort=change");
  const [header = "", first = "", , third = ""] = file.split("\r\n");
  const names = "Team,Campaigns,Emails,Open rate (%),vs. year before (points),Click rate (%),";
  assert.ok(header.includes(names), header);
  assert.match(first, /^A & B,1,1000,60,30,1,/);
  assert.match(third, /^New,1,1000,65,,1,/);
  const hours = await viewer.read("/breakdown?period=month&by=hour");
  assert.match(hours, /No campaign of this period has opens by hour\./, "all are imported");
  const refused = await viewer.get("/breakdown?by=subject");
  assert.equal(refused.status, 400);
  const problem = 'Break results down by: "subject" is not accepted; use one of team, tag, hour.';
  assert.ok(textOf(refused.text).includes(problem), refused.text);
});

test("shows who opened within two hours by the hour of sending, without campaigns that are still counting", async (t) => {
  const { signIn, world, organization } = await makeWebWorld(t, { timeZone: "Asia/Tokyo" });
  // A Monday, 23:30 in Tokyo.
  const sentAt = Date.parse("2026-06-01T14:30:00Z");
  const register = (id: number, at: number) =>
    world.register(organization, id, { sent_at: new Date(at).toISOString(), recipient_count: 20 });
  await register(1, sentAt);
  await register(2, sentAt + 60_000);
  await register(3, world.clock.now - 1);
  const open = (campaign_id: number, recipient: number, minutes: number) => ({
    ...{ id: `${campaign_id} ${recipient}`, campaign_id, type: "open", recipient: `r${recipient}` },
    at: new Date(sentAt + (campaign_id - 1 + minutes) * 60_000).toISOString(),
  });
  const [early, late] = [120, 121];
  await world.ingest(organization, [open(1, 1, 1), open(1, 2, early), open(1, 3, late), open(2, 1, 30)]);
  const viewer = await signIn("viewer");
  const text = await viewer.read("/breakdown?period=month&by=hour");
  assertMatches(text, [
    /No hour stands out\./,
    /7\.5% of all recipients opened within two hours, in 2 campaigns\./,
    /title="Mon 11 PM: 2 campaigns, 40 recipients, 7\.5% opened"><span aria-hidden="true">–<\/span>.*<small>n\u00a0=\u00a02</,
  ]);
  const file = (await viewer.read("/breakdown.csv?period=month&by=hour")).split("\r\n");
  assert.deepEqual([file.length, file[1]?.split(",").slice(0, 5)], [3, ["Mon", "23", "2", "40", "7.5"]]);
  // At another hour, the same kind of mail is opened sooner: both are as far from their mean.
  await register(4, sentAt - 12 * 3_600_000);
  await world.ingest(
    organization,
    ["a", "b", "c", "d", "e"].map((recipient) => ({
      ...{ id: `4 ${recipient}`, campaign_id: 4, type: "open", recipient },
      at: new Date(sentAt - 12 * 3_600_000).toISOString(),
    })),
  );
  const compared = await viewer.read("/breakdown?period=month&by=hour");
  assert.match(compared, /title="Mon 11 AM: 1 campaign, 20 recipients, 25\.0% opened, \+14\.3 pts \(/);
});
