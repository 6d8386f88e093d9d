// The command `report` prints the numbers of the pages and of the feed.

import assert from "node:assert/strict";
import test from "node:test";
import { makeNotifiedWorld } from "../support/notified-world.ts";
import { sqliteTest } from "../support/sqlite-test.ts";
import { run } from "../support/world.ts";

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

test("report has the numbers of the overview and of the feed, and leaves out campaigns that are still counting", async (t) => {
  const { world, key, service, signIn } = await makeNotifiedWorld(t);
  const { exitCode, stdout } = await run(world.databaseUrl, ["report", "--format", "json"]);
  assert.equal(exitCode, 0);
  const report = JSON.parse(stdout);
  assert.deepEqual(report.period, { from: "2026-06-08", until: "2026-06-14" });
  assert.deepEqual([report.campaigns, report.recipients], [1, 40]);
  const { open_rate: openRate, click_rate: clickRate, ...rates } = report.rates;
  assert.deepEqual(rates.period, { from: "2026-06-01", until: "2026-06-07" });
  assert.deepEqual(rates.compared_with, { from: "2026-05-25", until: "2026-05-31" });
  const { emails } = await service.emails(key, "?per_page=100");
  const records = emails.filter(({ id }) => [21, 22, 23].includes(Number(id)));
  const sum = (name: string) => records.reduce((total, record) => total + Number(record[name]), 0);
  assert.equal(openRate.value, sum("unique_opens") / sum("recipient_count"));
  assert.equal(openRate.before.value, 0.505);
  assert.equal(clickRate.value, sum("unique_clicks") / sum("recipient_count"));
  assert.deepEqual(
    report.best.map((each: { id: number; open_rate: { value: number } }) => [each.id, each.open_rate.value]),
    [[23, 0.9]],
  );
  assert.equal(report.still_counting.campaigns, 1);
  assert.deepEqual(report.still_counting.newest[0].open_rate.value, 0.25);
  assert.equal(report.comments.count, 10);
  const week = await (await signIn("viewer")).get("/?from=2026-06-08&until=2026-06-14");
  const [, said = ""] =
    /<div id="results"[^>]*><p>(.*?)\.<span class="with-comments">/s.exec(week.text) ?? [];
  assert.equal(`${plain(said)}.`, report.sentence);
  assert.equal(report.sentence, "1 campaign, still counting: 25.0% so far.");

  const text = await run(world.databaseUrl, ["report"]);
  assert.match(text.stdout, /2026\.\n\n1 campaign, still counting: 25\.0% so far\.\n\n/);
  const rows = [...text.stdout.matchAll(/^- (Open rate|Click rate): (.*)\n {2}(.*), \S+ before/gm)];
  assert.equal(rows.length, 2);
  const url = /http\S+/.exec(text.stdout.split("Open the overview:")[1] ?? "")?.[0] ?? "";
  const page = plain((await (await signIn("viewer")).get(new URL(url).pathname + new URL(url).search)).text);
  for (const [, name, value = "", change = ""] of rows) {
    // The page leaves out a narrow range.
    const shown = [value, value.replace(/ \(.*\)$/, "")].map(
      (each) => `${name} ${each} ${change.replace(/^[↗↘] /, "")}`,
    );
    assert.ok(
      shown.some((each) => page.includes(each)),
      shown.join(" or "),
    );
  }
  assert.match(text.stdout, /OPENED MORE THAN USUAL\n- Pay <day> & parking: 90\.0% \(88–92\)\n {2}↗ \+/);
  assert.match(text.stdout, /1 CAMPAIGN STILL COUNTING\n- Campaign 31: 25\.0% \(14–40\)\n {2}72.h/);
  assert.match(text.stdout, /10 COMMENTS .*\n- "Comment \d": 9\n {2}Campaign 31/);
  const change = ["organization", "change", "--min-answers", "11"];
  assert.equal((await run(world.databaseUrl, change)).stderr, "");
  const html = await run(world.databaseUrl, ["report", "--format", "html"]);
  assert.match(html.stdout, /<bdi>Pay &lt;day&gt; &amp; parking<\/bdi>/);
  assert.doesNotMatch(html.stdout, /<img|<style|<script|Comment \d/);
});

sqliteTest("report takes other periods, and says which if there is none or nothing was sent", async (t) => {
  const { world } = await makeNotifiedWorld(t);
  const month = await run(world.databaseUrl, ["report", "--period", "last-month", "--language", "de"]);
  assert.match(
    month.stdout,
    /^Acme hat in diesem Zeitraum \d+ Kampagnen und [\d.]+ E-Mails gesendet: 1\.–31\. Mai 2026\.\n/,
  );
  assert.match(month.stdout, /\?from=2026-05-01&until=2026-05-31/);
  const unknown = await run(world.databaseUrl, ["report", "--period", "all"]);
  assert.deepEqual([unknown.exitCode, unknown.stdout], [2, ""]);
  assert.match(unknown.stderr, /one of last-week, 7d, 30d, .*, last-month, .*, YYYY-MM\.\n$/);
  const empty = await run(world.databaseUrl, ["report", "--period", "2019"]);
  assert.equal(empty.exitCode, 1);
  assert.match(empty.stderr, /no campaign was sent in the period 2019/);
});
