// Survey links: the form they open, and the answers that readers submit with it.

import assert from "node:assert/strict";
import test from "node:test";
import { answerLimits } from "../../../src/http/tracking/answer-limit.ts";
import { preferredLanguage } from "../../../src/locale/preferred-language.ts";
import { saveOrganization } from "../../../src/storage/organizations/organizations.ts";
import { fetchAs, type ReaderWorld, serveReaders } from "../../support/serve-readers.ts";
import { desktopAgent } from "../../support/user-agents.ts";
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

test("counts a survey answer when the form is submitted, not when the link is followed", async (t) => {
  const given = await serveReaders(t, { register: { surveys_count: 2 } });
  const { trackingUrls, ann } = given;
  const url = trackingUrls.build("survey", { ...ann, ...enps });
  const page = await fetchAs(url);
  assert.equal(page.status, 200);
  assert.deepEqual(await answers(given), [0, 0, 0, 0, 0]);
  assert.match((await post(url, { score: "7", comment: "Für alle\r\nda" })).body.toString(), /Thank you/);
  assert.deepEqual(await answers(given), [7, 1, 1, 0, 0]);
  await post(trackingUrls.build("survey", { ...ann, ...pulse }), { comment: " " });
  assert.deepEqual(await answers(given), [7, 1, 1, 1, 0]);
  assert.deepEqual(await given.numbers("unique_opens", "unique_clicks"), [1, 0]);
});

test("escapes the question and the answer in the survey form, and forbids scripts and resources", async (t) => {
  const { trackingUrls, ann } = await serveReaders(t);
  const page = await fetchAs(trackingUrls.build("survey", { ...ann, ...enps }));
  const html = page.body.toString();
  assert.match(html, /<h1 lang="" dir="auto">Would you &lt;b&gt;recommend&lt;\/b&gt; us\?<\/h1>/);
  assert.match(html, /value="9" required checked/);
  const text = /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/;
  assert.match(String(page.headers["content-security-policy"]), text);
  assert.equal(page.headers["cache-control"], "no-store");
  const other = await fetchAs(trackingUrls.build("survey", { ...ann, ...pulse }));
  assert.match(other.body.toString(), /Yes &amp; &quot;more&quot;/);
});

test("shows the survey form and its messages in the language of the reader's browser", async (t) => {
  const given = await serveReaders(t);
  const url = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  for (const [acceptLanguage, lang, submit, tooLong, missing] of [
    ["en-GB", "en", "Send my answer", "to 10,000 characters", "choose a rating"],
    ["de-CH, en;q=0.5", "de", "Antwort senden", "auf 10'000 Zeichen", "wählen Sie eine Bewertung"],
    ["fr", "fr", "Envoyer ma réponse", "à 10\u202f000 caractères", "choisir une note"],
    ["sv-SE", "sv", "Skicka mitt svar", "till 10\u00a0000 tecken", "Välj ett betyg"],
    ["es-MX", "es", "Enviar mi respuesta", "a 10,000 caracteres", "Elija una puntuación"],
  ] as const) {
    const headers = { ...formType, "accept-language": acceptLanguage };
    const form = (await fetchAs(url, { headers })).body.toString();
    assert.match(form, new RegExp(`<html lang="${lang}">.*<button>${submit}</button>`, "s"));
    const reject = async (body: string) =>
      (await fetchAs(url, { method: "POST", headers, body })).body.toString();
    assert.ok((await reject(`score=1&comment=${"x".repeat(10_001)}`)).includes(tooLong), lang);
    assert.ok((await reject("score=11")).includes(missing), lang);
  }
});

test("prefers a language by weight, then position, ignores the region, and falls back to English", () => {
  const chosen = (header: string | undefined) => preferredLanguage(header).language;
  assert.equal(chosen(undefined), "en");
  assert.equal(chosen("fr;q=0.3, es-419;q=0.7, de;q=0.5"), "es");
  assert.equal(chosen("nb, sv, de"), "sv");
  assert.equal(chosen("DE-at"), "de");
  assert.equal(chosen("de;q=0, it"), "en");
  assert.equal(chosen("*"), "en");
  assert.equal(chosen("de;q=x, fr;q=0.1"), "fr");
  assert.equal(chosen(",;,q=1"), "en");
});

test("explains an invalid survey answer on the page and keeps the comment", async (t) => {
  const given = await serveReaders(t);
  const url = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  for (const score of ["", "11", "-1", "1e0", "9.5", "٣"]) {
    const page = await post(url, { score, comment: "<text>" });
    assert.equal(page.status, 400, score);
    assert.match(page.body.toString(), /role="alert">Please choose a rating from 0 to 10/);
    assert.match(page.body.toString(), /&lt;text&gt;<\/textarea>/);
  }
  const long = await post(url, { score: "9", comment: "x".repeat(10_001) });
  assert.equal(long.status, 400);
  assert.match(long.body.toString(), /shorten it to 10,000 characters/);
  assert.deepEqual(await answers(given), [0, 0, 0, 0, 0]);
});

test("removes zero bytes and lone surrogates from the comment of a survey answer", async (t) => {
  const given = await serveReaders(t);
  const url = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  const page = await fetchAs(url, {
    method: "POST",
    headers: formType,
    body: "score=9&comment=a%00b%ED%A0%80c",
  });
  assert.equal(page.status, 200);
  assert.deepEqual(await answers(given), [9, 1, 1, 0, 0]);
});

test("asks to try again and keeps the comment when a survey answer cannot be saved", async (t) => {
  const given = await serveReaders(t, { maxQueueBytes: 1_000 });
  const release = given.writer.reserve(given.ann.organizationId, 1_000);
  const url = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  const page = await post(url, { score: "4", comment: "Long thoughts" });
  assert.equal(page.status, 503);
  assert.match(page.body.toString(), /could not be saved just now/);
  assert.match(page.body.toString(), /Long thoughts<\/textarea>/);
  assert.match(page.body.toString(), /value="4" required checked/);
  release();
});

test("shows that the survey has ended when its campaign is closed, and when it is deleted", async (t) => {
  const given = await serveReaders(t);
  const url = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  await post(url, { score: "8" });
  const closed = await run(
    given.world.databaseUrl,
    `campaign close --yes --organization ${given.organization.id} --id 1`,
  );
  assert.equal(closed.exitCode, 0, closed.stderr);
  const page = await post(url, { score: "2" });
  assert.equal(page.status, 410);
  assert.match(page.body.toString(), /This survey has ended/);
  assert.deepEqual(await answers(given), [8, 1, 0, 0, 0]);
  await given.remove(1);
  assert.equal((await post(url, { score: "2" })).status, 410);
});

test("asks to send the answer again when the form was on another site", async (t) => {
  const given = await serveReaders(t);
  const url = given.trackingUrls.build("survey", { ...given.ann, ...enps });
  const send = (headers: Record<string, string>) =>
    fetchAs(url, { method: "POST", headers: { ...formType, ...headers }, body: "score=0&comment=Forged" });
  const { host } = new URL(url);
  const foreign = { origin: "https://evil.example" };
  for (const headers of [
    { "sec-fetch-site": "cross-site", ...foreign },
    { "sec-fetch-site": "same-site", ...foreign },
    foreign,
    { origin: "null" },
  ]) {
    const page = await send(headers);
    assert.equal(page.status, 403, JSON.stringify(headers));
    assert.match(page.body.toString(), /role="alert">Your answer was sent from another page/);
    assert.doesNotMatch(page.body.toString(), /Forged/);
  }
  assert.deepEqual(await answers(given), [0, 0, 0, 0, 0]);
  for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: `http://${host}` }]) {
    assert.equal((await send(headers)).status, 200, JSON.stringify(headers));
  }
  assert.deepEqual(await answers(given), [0, 1, 1, 0, 0]);
});

test("lets a limited number of devices of one network answer a survey with Overall tracking", async (t) => {
  const given = await serveReaders(t);
  await given.put(1, { tracking_type: "Overall" });
  const { recipient: _, ...everyone } = given.ann;
  await given.world.write({ id: everyone.organizationId }, (scope) =>
    saveOrganization(scope, { minAnswers: 1 }),
  );
  const url = given.trackingUrls.build("survey", { ...everyone, ...enps });
  const answerAs = (device: number, comment = "") =>
    fetchAs(url, {
      method: "POST",
      headers: formType,
      agent: `${desktopAgent} Edg/${device}.0`,
      body: String(new URLSearchParams({ score: "0", comment })),
    });
  const { devices, windowMs } = answerLimits;
  const first = await Promise.all(Array.from({ length: devices }, (_, device) => answerAs(device)));
  assert.deepEqual([...new Set(first.map(({ status }) => status))], [200]);
  const next = await answerAs(devices, "Long thoughts");
  assert.equal(next.status, 429);
  assert.match(next.body.toString(), /role="alert">Many answers have come from your network/);
  assert.match(next.body.toString(), /Long thoughts<\/textarea>/);
  assert.equal((await answerAs(0)).status, 200);
  assert.deepEqual(await answers(given), [0, devices, 0, 0, 0]);
  given.world.clock.now += windowMs;
  assert.equal((await answerAs(devices)).status, 200);
  assert.deepEqual(await answers(given), [0, devices + 1, 0, 0, 0]);
});

test("shows that a survey link is broken, both when it is opened and when an answer is submitted", async (t) => {
  const { service } = await serveReaders(t);
  const url = `${service.url}/t/s/${"A".repeat(60)}`;
  for (const page of [await fetchAs(url), await post(url, { score: "9" })]) {
    assert.equal(page.status, 404);
    assert.match(page.body.toString(), /This link does not work/);
  }
});

test("answers 415 when a survey answer is not a form, and 413 when it is too large", async (t) => {
  const { trackingUrls, ann } = await serveReaders(t);
  const url = trackingUrls.build("survey", { ...ann, ...enps });
  const headers = { "content-type": "application/json" };
  assert.equal((await fetchAs(url, { method: "POST", headers, body: "{}" })).status, 415);
  assert.equal((await post(url, { comment: "x".repeat(200_000) })).status, 413);
});
