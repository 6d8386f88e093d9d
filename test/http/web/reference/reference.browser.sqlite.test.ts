// The API reference at /docs: everything of the OpenAPI document, and requests that the page sends.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { openApiDocument } from "../../../../src/http/api/openapi.ts";
import { findPageProblems } from "../../../support/axe.ts";
import { closeBrowser } from "../../../support/browser.ts";
import { openSite } from "../../../support/site.ts";
import { makeWebWorld, requestPage } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

after(closeBrowser);

test("shows every operation, parameter, response and field of the OpenAPI document, without a session", async (t) => {
  const { service } = await makeWebWorld(t);
  const { status, text } = await requestPage(`${service.url}/docs`);
  assert.equal(status, 200);
  const { paths, components } = openApiDocument("http://127.0.0.1");
  const sectionOf = (id: string) =>
    new RegExp(`<section class="card" id="${id}">.*?</section>`, "s").exec(text)?.[0] ?? assert.fail(id);
  for (const [path, { get }] of Object.entries(paths)) {
    const section = sectionOf(get.operationId);
    assert.ok(section.includes(`<code>GET ${path}</code>`), path);
    assert.match(section, /<pre id="curl-\w+">curl .*http:\/\/127\.0\.0\.1\/data_api\/v1/);
    for (const name of [...(get.parameters ?? []).map((each) => each.name)]) {
      assert.ok(section.includes(`<code>${name}</code>`), name);
    }
    for (const code of Object.keys(get.responses)) {
      const places = [section, sectionOf("errors")].filter((each) =>
        each.includes(`<th scope="row">${code}</th>`),
      );
      assert.equal(places.length, 1, `${path}: ${code}, once`);
    }
    // A CSV link is its own credential, so no form has its URL.
    assert.equal(section.includes(`data-try="${path}"`), !path.includes("{"), path);
  }
  for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
    const section = sectionOf(`schema-${name}`);
    for (const field of Object.keys(properties)) assert.ok(section.includes(`<code>${field}</code>`), field);
  }
  for (const header of ["Authorization: Bearer", "bearer_auth", "bearer-auth"]) {
    assert.match(/<h2>Authentication<.*?<\/ul>/s.exec(text)?.[0] ?? "", new RegExp(`<code>${header}\\b`));
  }
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [, id] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(id));
});

test("sends a request with the key in a header only, and shows its answer", async (t) => {
  const site = await openSite(t);
  await site.world.save(site.organization, [campaign({ id: 7, subject: "Town hall" }), campaign({ id: 8 })]);
  const page = await site.openWindow({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.goto(`${site.url}/docs`);
  const emails = page.locator("#listEmails form");
  assert.equal(await emails.getByLabel("per_page").getAttribute("placeholder"), "e.g. 100");
  await emails.getByText("at most the first 50,000 characters").waitFor();
  await emails.getByRole("button").click();
  await emails.getByText("The API key is missing").waitFor();
  await page.getByLabel("API key", { exact: true }).fill(site.key);
  await emails.getByLabel("per_page").fill("1");
  await emails.getByLabel("tag_ids").press("Enter");
  await emails.getByText("200 · /data_api/v1/emails?per_page=1 · application/json").waitFor();
  assert.match(await emails.locator("pre").innerText(), /"total_entries": 2/);
  const csv = page.locator("#downloadEmailsCSV form");
  await csv.getByRole("button").click();
  await csv.getByText("Town hall").waitFor();
  const parquet = page.locator("#downloadEmailsParquet form");
  await parquet.getByRole("button").click();
  await parquet.getByText("The answer is a binary file.").waitFor();
  assert.deepEqual(await findPageProblems(page), []);
  const secret = site.key.slice(site.key.lastIndexOf("_") + 1);
  assert.ok(!urls.some((url) => url.includes(secret)) && !site.service.log().includes(secret));
  assert.deepEqual(
    urls.filter((url) => !url.startsWith(site.url) && !url.startsWith("data:")),
    [],
  );
});

test("shows curl lines and no form without JavaScript", async (t) => {
  const site = await openSite(t);
  const page = await site.openWindow({ javaScriptEnabled: false });
  await page.goto(`${site.url}/docs`);
  assert.equal(await page.locator("form:visible, input:visible, button:visible").count(), 0);
  assert.match(await page.locator("noscript p").innerText(), /Without it, copy the curl lines\./);
  assert.match(
    await page.locator("#curl-listEmails").innerText(),
    /^curl -H "Authorization: Bearer <API_KEY>" "/,
  );
});
