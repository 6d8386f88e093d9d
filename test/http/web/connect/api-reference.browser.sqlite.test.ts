// The API reference at /docs: Swagger UI with every operation, and requests that it sends, under our Content-Security-Policy.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { openApiDocument } from "../../../../src/http/api/contract/openapi.ts";
import { findExcessWidth } from "../../../support/axe.ts";
import { closeBrowser } from "../../../support/browser.ts";
import { openSite } from "../../../support/site.ts";
import { requestPage } from "../../../support/web-world.ts";
import { campaign } from "../../../support/world.ts";

after(closeBrowser);

// Swagger UI takes seconds to show itself, so it is opened once, where it has the least room.
test("shows every operation without a session, and sends a request with the key in a header only", async (t) => {
  const site = await openSite(t);
  await site.world.save(site.organization, [campaign({ id: 7, subject: "Town hall" }), campaign({ id: 8 })]);
  const page = await site.openWindow({ viewport: { width: 390, height: 900 }, colorScheme: "dark" });
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.goto(`${site.url}/docs`);
  const shown = page.locator(".opblock [data-path]");
  await shown.first().waitFor();
  assert.deepEqual(
    await shown.evaluateAll((elements) => elements.map(({ dataset }) => dataset.path)),
    Object.keys(openApiDocument("").paths),
  );
  const description = await page.locator(".info__description, .info .description").first().innerText();
  assert.match(description, /Authorization: Bearer <API_KEY>.* bearer_auth /);
  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".dialog-ux");
  assert.match(await dialog.innerText(), /The API key in the header bearer_auth/);
  await dialog.getByLabel("auth-bearer-value").fill(site.key);
  await dialog.getByRole("button", { name: "Apply credentials" }).first().click();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  const emails = page.locator("#operations-emails-listEmails");
  await emails.locator("button").first().click();
  await page.locator("#operations-emails-listEmails td.parameters-col_description").first().waitFor();
  assert.deepEqual(await findExcessWidth(page), []);
  await emails.getByRole("button", { name: "Try it out" }).click();
  await emails.getByPlaceholder("per_page").fill("1");
  await emails.getByRole("button", { name: "Execute" }).click();
  await emails.getByText('"total_entries": 2').first().waitFor();
  assert.ok(urls.includes(`${site.url}/data_api/v1/emails?page=1&per_page=1`), urls.join("\n"));
  const secret = site.key.slice(site.key.lastIndexOf("_") + 1);
  assert.ok(!urls.some((url) => url.includes(secret)) && !site.service.log().includes(secret));
  assert.deepEqual(
    urls.filter((url) => !url.startsWith(site.url) && !url.startsWith("data:")),
    [],
  );
});

test("loosens the Content-Security-Policy for icons in style sheets only", async (t) => {
  const { url } = await openSite(t);
  const [reference, page] = await Promise.all(["/docs", "/sign-in"].map((path) => requestPage(url + path)));
  const policies = [reference, page].map((each) => each?.headers.get("content-security-policy"));
  assert.equal(policies[0]?.replace("img-src 'self' data:", "img-src 'self'"), policies[1]);
  assert.match(reference?.text ?? "", /<noscript><p>.*<a href="\/data_api\/v1\/openapi.json">/);
});
