// The language of pages: that of the browser, or the one that the user chose.

import assert from "node:assert/strict";
import test from "node:test";
import { assertMatches, assertPage } from "../../support/pages.ts";
import { makeWebWorld, makeWebWorldOf, requestPage } from "../../support/web-world.ts";
import { campaign } from "../../support/world.ts";

test("shows pages in the language of the browser until the user chooses one", async (t) => {
  const { service, signIn } = await makeWebWorld(t);
  const { cookie, post, read } = await signIn("viewer");
  const languageOf = async (path: string, acceptLanguage: string, session?: string) => {
    const headers = { "accept-language": acceptLanguage };
    const { text } = await requestPage(service.url + path, { cookie: session, headers });
    return /<html lang="([^"]*)">/.exec(text)?.[1];
  };
  assert.equal(await languageOf("/sign-in", "de-CH, en;q=0.5"), "de");
  assert.equal(await languageOf("/sign-in", "nl, *"), "en");
  assert.equal(await languageOf("/", "sv", cookie), "sv");
  assert.equal(await languageOf("/campaigns/1", "fr", cookie), "fr");
  const chosen = await post("/settings/account", "language", { language: "en" });
  assert.equal(chosen.notice, "Language saved.");
  assert.equal(await languageOf("/", "de", cookie), "en");
  assert.match(await read("/settings/account"), /<option value="en" selected>English</);
  const unknown = await post("/settings/account", "language", { language: "tlh" });
  assertPage(unknown, 400, /Language: &quot;tlh&quot; is not one of en/);
  await post("/settings/account", "language", { language: "" });
  assert.match(await read("/settings/account"), /<option value="" selected>Language of the browser</);
});

test("says in the new language that the language was saved", async (t) => {
  const { service, signIn } = await makeWebWorld(t);
  const { cookie, csrfToken } = await signIn("viewer");
  const choose = async (language: string) => {
    const fields = { form_token: csrfToken, action: "language", language };
    const headers = { "accept-language": "sv" };
    return (await requestPage(`${service.url}/settings/account`, { cookie, fields, headers })).notice;
  };
  assert.equal(await choose("de"), "Sprache gespeichert.");
  assert.equal(await choose(""), "Språket har sparats.");
});

test("names values of the API and marks English pages in the language of the page", async (t) => {
  const { viewer, world, organization } = await makeWebWorldOf("viewer", t);
  const fields = { sending_type: "Timezone", tracking_type: "Anonymous" };
  await world.register(organization, 1, fields);
  await world.save(organization, [
    campaign({ id: 2, sentAt: world.clock.now - 1, sendingType: "Fax", trackingType: "constructor" }),
  ]);
  const inSwedish = (path: string) => viewer.read(path, "sv");
  const details = await inSwedish("/campaigns/1?tab=details");
  assert.match(details, /<td class="text">Lokal tid<\/td>[\s\S]*<td class="text">Anonym<\/td>/);
  assert.match(await inSwedish("/campaigns/2?tab=details"), /text">Fax<\/td>[\s\S]*text">constructor<\/td>/);
  assert.match(await inSwedish("/"), /<option value="Timezone">Lokal tid<\/option>/);
  const steps = /<h2>Steg[\s\S]*?<\/ol>/;
  const [excel = "", airbyte = ""] = await Promise.all(
    ["excel", "airbyte"].map(async (tool) => steps.exec(await inSwedish(`/connect/${tool}`))?.[0]),
  );
  assert.match(excel, /<ol><li>Öppna filen <code>emails\.odc<\/code> i Windows/);
  assert.doesNotMatch(excel, /på engelska/);
  assert.match(airbyte, /på engelska[\s\S]*<ol lang="en">/);
  assertMatches(await inSwedish("/help"), [
    /<a href="\/help\/glossary" hreflang="en">Ordlista<\/a> <span[^>]*>\(på engelska\)/,
    /<a href="\/help\/fields">[^<]*<\/a><\/dt>/,
  ]);
  assert.doesNotMatch(await viewer.read("/help", "en"), /in English/);
  assertMatches(await inSwedish("/help/glossary"), [
    /<h1 lang="en">Glossary<\/h1>.*<p class="lead"><span[^>]*>\(på engelska\)/,
    /<article class="card document" lang="en">/,
  ]);
  assert.match(await viewer.read("/help/glossary", "en"), /<h1>Glossary<\/h1><\/div><div/);
});

test("names a wrong value in a URL in the language of the page, with its quotation marks", async (t) => {
  const { service, signIn, world, organization } = await makeWebWorld(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const { cookie } = await signIn("viewer");
  const inGerman = async (path: string) =>
    (await requestPage(service.url + path, { cookie, headers: { "accept-language": "de" } })).text;
  assert.match(
    await inGerman("/campaigns?tag_ids=abc"),
    /Schlagwörter: „abc“ ist keine ID eines Schlagworts/,
  );
  const many = Array.from({ length: 1_001 }, (_, id) => id).join();
  assert.match(await inGerman(`/links?tag_ids=${many}`), /Schlagwörter: Zulässig sind bis zu 1\.000\./);
  assert.match(await inGerman("/campaigns/abc"), /Ihre Organisation hat keine Kampagne „abc“\./);
});

test("explains the fields in the language of the page", async (t) => {
  const { viewer } = await makeWebWorldOf("viewer", t);
  for (const [language, unit, meaning] of [
    ["de", "Anteil von 0 bis 1", "Anteil der Empfänger, die die Kampagne geöffnet haben\\."],
    ["fr", "fraction de 0 à 1", "Part des destinataires qui ont ouvert la campagne\\."],
    ["sv", "andel från 0 till 1", "Andel av mottagarna som har öppnat kampanjen\\."],
    ["es", "fracción de 0 a 1", "Proporción de destinatarios que abrieron la campaña\\."],
  ] as const) {
    const text = await viewer.read("/help/fields", language);
    const row = /<tr id="open_rate">.*?<\/tr>/s.exec(text)?.[0] ?? "";
    assert.match(row, new RegExp(`${meaning}</td>.*${unit}</td>`, "s"));
    assert.doesNotMatch(text.slice(text.indexOf("<main")), /lang="|The import has|rounded|Counted opens/);
  }
});

test("reports errors in the language of the page", async (t) => {
  const { service, signIn } = await makeWebWorld(t);
  const { cookie, csrfToken, user } = await signIn("admin");
  const removal = { form_token: csrfToken, action: "remove", user: String(user.id) };
  const refused = await requestPage(`${service.url}/settings/people`, {
    cookie,
    fields: removal,
    headers: { "accept-language": "sv" },
  });
  assert.equal(refused.status, 409);
  assert.match(refused.text, new RegExp(`role="alert">.*${user.email} är den sista användaren`));
});
