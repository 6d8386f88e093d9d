// The digest has the numbers of the pages and of the feed.

import assert from "node:assert/strict";
import test from "node:test";
import { digestOf } from "../support/digest.ts";
import { makeNotifiedWorld } from "../support/notified-world.ts";
import { run } from "../support/world.ts";

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

test("the digest has the numbers of the overview and of the feed, and leaves out campaigns that are still counting", async (t) => {
  const web = await makeNotifiedWorld(t);
  const { world, key, service, signIn } = web;
  const { emails } = await service.emails(key, "?per_page=100");
  const records = emails.filter(({ id }) => [21, 22, 23].includes(Number(id)));
  const sum = (name: string) => records.reduce((total, record) => total + Number(record[name]), 0);
  const { text } = await digestOf(web);
  for (const [name, opened] of [
    ["Open rate", "unique_opens"],
    ["Click rate", "unique_clicks"],
  ] as const) {
    const percent = ((100 * sum(opened)) / sum("recipient_count")).toFixed(1);
    assert.ok(text.includes(`- ${name}: ${percent}%`), `${name}: ${percent}`);
  }
  const rows = [...text.matchAll(/^- (Open rate|Click rate): (.*)\n {2}(.*), \S+ before/gm)];
  assert.equal(rows.length, 2);
  const url = /http\S+/.exec(text.split("Open the overview:")[1] ?? "")?.[0] ?? "";
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
  assert.match(text, /OPENED MORE THAN USUAL\n- Pay <day> & parking: 90\.0% \(88–92\)\n {2}↗ \+/);
  assert.match(text, /1 CAMPAIGN STILL COUNTING\n- Campaign 31: 25\.0% \(14–40\)\n {2}72.h/);
  assert.match(text, /10 COMMENTS .*\n- "Comment \d": 9\n {2}Campaign 31/);
  const change = ["organization", "change", "--min-answers", "11"];
  assert.equal((await run(world.databaseUrl, change)).stderr, "");
  const { html } = await digestOf(web);
  assert.match(html, /<bdi>Pay &lt;day&gt; &amp; parking<\/bdi>/);
  assert.doesNotMatch(html, /<img|<style|<script|Comment \d/);
});
