// Answers to surveys: a page to confirm on, and what becomes of what is confirmed there.

import assert from "node:assert/strict";
import test from "node:test";
import { fetchAs, type ReaderWorld, serveReaders } from "../../support/reading.ts";
import { run } from "../../support/world.ts";

const enps = {
  surveyId: "s-1",
  kind: "enps" as const,
  question: "Would you <b>recommend</b> us?",
  answer: 9,
};
const pulse = { surveyId: "s-2", kind: "pulse" as const, question: "Is it useful?", answer: 'Yes & "more"' };

const formType = { "content-type": "application/x-www-form-urlencoded" };
const post = (url: string, fields: Record<string, string>) =>
  fetchAs(url, { method: "POST", headers: formType, body: String(new URLSearchParams(fields)) });

const answers = ({ numbers }: ReaderWorld) =>
  numbers(
    "enps_score_average",
    "enps_reactions_count",
    "enps_comments_count",
    "survey_reactions_count",
    "survey_reactions_comments_count",
  );

test("an answer counts when it is confirmed, not when its link is followed", async (t) => {
  const given = await serveReaders(t, { register: { surveys_count: 2 } });
  const { trackingUrls, ann } = given;
  const address = trackingUrls.build("survey", { ...ann, ...enps });
  const page = await fetchAs(address);
  assert.equal(page.status, 200);
  assert.deepEqual(await answers(given), [0, 0, 0, 0, 0]);
  assert.match((await post(address, { score: "7", comment: "Für alle\r\nda" })).body.toString(), /Thank you/);
  assert.deepEqual(await answers(given), [7, 1, 1, 0, 0]);
  await post(trackingUrls.build("survey", { ...ann, ...pulse }), { comment: " " });
  assert.deepEqual(await answers(given), [7, 1, 1, 1, 0]);
  assert.deepEqual(await given.numbers("unique_opens", "unique_clicks"), [1, 0]);
});

test("the page shows the question and the answer as text, and nothing in it can run or be loaded", async (t) => {
  const { trackingUrls, ann } = await serveReaders(t);
  const page = await fetchAs(trackingUrls.build("survey", { ...ann, ...enps }));
  const html = page.body.toString();
  assert.match(html, /<h1>Would you &lt;b&gt;recommend&lt;\/b&gt; us\?<\/h1>/);
  assert.match(html, /value="9" required checked/);
  assert.match(
    String(page.headers["content-security-policy"]),
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
  );
  assert.equal(page.headers["cache-control"], "no-store");
  const other = await fetchAs(trackingUrls.build("survey", { ...ann, ...pulse }));
  assert.match(other.body.toString(), /Yes &amp; &quot;more&quot;/);
});

test("the last of several answers of one recipient counts", async (t) => {
  const given = await serveReaders(t);
  const address = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  for (const score of ["9", "3"]) {
    given.world.clock.now += 1000;
    await post(address, { score });
  }
  assert.deepEqual(await answers(given), [3, 1, 0, 0, 0]);
});

test("what is no answer is said on the page, and what was written stays in it", async (t) => {
  const given = await serveReaders(t);
  const address = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  for (const score of ["", "11", "-1", "1e0", "9.5", "٣"]) {
    const page = await post(address, { score, comment: "<words>" });
    assert.equal(page.status, 400, score);
    assert.match(page.body.toString(), /role="alert">Please choose a rating from 0 to 10/);
    assert.match(page.body.toString(), /&lt;words&gt;<\/textarea>/);
  }
  const long = await post(address, { score: "9", comment: "x".repeat(10_001) });
  assert.equal(long.status, 400);
  assert.match(long.body.toString(), /up to 10000 characters/);
  assert.deepEqual(await answers(given), [0, 0, 0, 0, 0]);
});

test("words with a zero byte or half a character are saved without it", async (t) => {
  const given = await serveReaders(t);
  const address = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  const page = await fetchAs(address, {
    method: "POST",
    headers: formType,
    body: "score=9&comment=a%00b%ED%A0%80c",
  });
  assert.equal(page.status, 200);
  assert.deepEqual(await answers(given), [9, 1, 1, 0, 0]);
});

test("an answer that cannot be saved is not thanked for, and what was written stays on the page", async (t) => {
  const given = await serveReaders(t, { queueBytesMax: 1_000 });
  const giveBack = given.writing.reserve(given.ann.organizationId, 1_000);
  const address = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  const page = await post(address, { score: "4", comment: "Long thoughts" });
  assert.equal(page.status, 503);
  assert.match(page.body.toString(), /could not be saved just now/);
  assert.match(page.body.toString(), /Long thoughts<\/textarea>/);
  assert.match(page.body.toString(), /value="4" required checked/);
  giveBack();
});

test("of a closed campaign no answer is taken, and the page says so", async (t) => {
  const given = await serveReaders(t);
  const address = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  await post(address, { score: "8" });
  const closed = await run(given.world.databaseUrl, [
    "campaign",
    "close",
    "--organization",
    "1",
    "--id",
    "1",
  ]);
  assert.equal(closed.exitCode, 0, closed.stderr);
  const page = await post(address, { score: "2" });
  assert.equal(page.status, 410);
  assert.match(page.body.toString(), /This survey has ended/);
  assert.deepEqual(await answers(given), [8, 1, 0, 0, 0]);
});

test("a damaged survey address is a page that says so, for reading and for answering", async (t) => {
  const { service } = await serveReaders(t);
  const address = `${service.url}/t/s/${"A".repeat(60)}`;
  for (const page of [await fetchAs(address), await post(address, { score: "9" })]) {
    assert.equal(page.status, 404);
    assert.match(page.body.toString(), /This link does not work/);
  }
});

test("a survey answer in another form than a browser's is a 415, too large a one a 413", async (t) => {
  const { trackingUrls, ann } = await serveReaders(t);
  const address = trackingUrls.build("survey", { ...ann, ...enps });
  const headers = { "content-type": "application/json" };
  assert.equal((await fetchAs(address, { method: "POST", headers, body: "{}" })).status, 415);
  assert.equal((await post(address, { comment: "x".repeat(200_000) })).status, 413);
});
