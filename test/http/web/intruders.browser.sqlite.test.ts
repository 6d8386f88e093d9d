// Attacks in a real browser: expired sessions, CSRF and XSS.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import test, { after, type TestContext } from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { closeBrowser } from "../../support/browser.ts";
import { open } from "../../support/events.ts";
import { invite } from "../../support/guest.ts";
import {
  choosePassword,
  noticeOn,
  openSite,
  password,
  pathOf,
  press,
  rowsOf,
  type Site,
  signIn,
} from "../../support/site.ts";

after(closeBrowser);

const keysPath = "/settings/integrations/analytics-api";
const tagsPath = "/settings/tags";

const tagsOf = async ({ service, key }: Site) => (await service.emails(key)).emails[0]?.tags;

test("ignores a form after the session ended, and returns to its page after sign-in", async (t) => {
  const site = await openSite(t);
  const { world, organization, url } = site;
  await world.register(organization, 1, { tags: [{ name: "News" }] });
  const before = await tagsOf(site);
  const { user } = await site.signIn("admin", { email: "ada@example.com" });
  const { path } = await invite(site, user);
  const page = await site.openWindow();
  await choosePassword(page, url + path);
  await page.goto(`${url}${tagsPath}/1`);
  world.clock.now += 31 * dayMs;
  await page.getByLabel("Name").fill("Changed too late");
  await press(page, "Save");
  assert.equal(pathOf(page), `/sign-in?to=${encodeURIComponent(`${tagsPath}/1`)}`);
  assert.deepEqual(await tagsOf(site), before);
  await signIn(page, "ada@example.com", password);
  assert.equal(pathOf(page), `${tagsPath}/1`);
  assert.equal(await page.getByLabel("Name").inputValue(), "News");
  await page.getByLabel("Name").fill("Changed in time");
  await press(page, "Save");
  assert.match(await noticeOn(page), /Changed in time/);
});

/** Serves a page of another origin. */
async function serveOtherOrigin(t: TestContext, pageOf: () => string): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pageOf());
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

test("rejects a form of another origin, and one of another site, which has no cookies", async (t) => {
  const site = await openSite(t);
  const { world, organization, url } = site;
  await world.register(organization, 1, { tags: [{ name: "News" }] });
  const page = await site.openWindowOf("admin");
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "POST") statuses.push(response.status());
  });
  const names = async () => {
    await page.goto(url + tagsPath);
    return (await rowsOf(page, "tag")).map(([name]) => name);
  };
  await page.goto(url + tagsPath);
  const token = await page.locator('main [name="form_token"]').first().inputValue();
  // Even with the right token: another port is another origin, and another host is another site, without cookies.
  const port = await serveOtherOrigin(
    t,
    () => `<form method="post" action="${url}${tagsPath}"><input name="form_token" value="${token}">
<input name="action" value="add"><input name="name" value="From elsewhere"><input name="color" value="#000000">
<button>Send</button></form>`,
  );
  await page.goto(`http://127.0.0.1:${port}/`);
  await press(page, "Send");
  assert.deepEqual(statuses.splice(0), [403]);
  assert.equal(page.url(), url + tagsPath);
  await page.goto(`http://localhost:${port}/`);
  await press(page, "Send");
  // The form arrived without the session cookie, so it redirects to the sign-in page, which redirects back.
  await page.waitForURL(url + tagsPath);
  assert.deepEqual(statuses.splice(0), [303]);
  assert.deepEqual(await names(), ["News"]);
  // The page's own form still works.
  await page.getByLabel("Name").fill("By hand");
  await press(page, "Add tag");
  assert.deepEqual((await names()).toSorted(), ["By hand", "News"]);
});

test("shows script in subjects, tags, teams, links, keys and comments as text", async (t) => {
  const site = await openSite(t);
  const { world, url } = site;
  const script = (of: string) =>
    `</script><script>alert("${of}")</script><img src=x onerror=alert(1)> ' ${of}`;
  const { organization } = await world.addOrganization({ name: script("owner") });
  await world.register(organization, 1, {
    ...{ subject: script("subject"), team: script("team"), tags: [{ name: script("tag") }] },
    ...{ recipient_groups: [script("group")], surveys_count: 1 },
  });
  const survey = { type: "survey", survey_id: "s", kind: "enps", score: 9, comment: script("comment") };
  await world.ingest(organization, [
    ...[1, 2, 3, 4, 5].map((person) => open(person, survey)),
    open(6, { type: "click", url: "javascript:alert(1)" }),
    open(7, { type: "click", url: `https://example.com/${script("link")}` }),
    open(8, { campaign_id: script("unknown") }),
  ]);
  const page = await site.openWindowOf("admin", { organization });
  const shows: [path: string, ...of: string[]][] = [
    ["/", "owner", "team", "tag"],
    ["/campaigns", "subject", "team", "tag"],
    ["/campaigns/1", "subject", "team", "tag", "comment"],
    ["/campaigns/1?tab=surveys", "comment"],
    ["/campaigns/1?tab=details", "group"],
    [tagsPath, "tag"],
    [`${tagsPath}/1`, "tag"],
    ["/settings/people", "owner"],
  ];
  for (const [path, ...of] of shows) {
    assert.equal((await page.goto(url + path))?.status(), 200, path);
    const text = (await page.locator("body").textContent()) ?? "";
    for (const each of of) assert.ok(text.includes(script(each)), `${each} on ${path}`);
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    assert.equal(await page.locator("body img, body script").count(), 0, path);
    assert.equal(await page.locator('a[href^="javascript:" i]').count(), 0, path);
  }
  await page.goto(`${url}/sources`);
  assert.ok((await page.locator("main").textContent())?.includes('alert(\\"unknown\\")'));
  await page.goto(url + keysPath);
  await page.getByLabel("Name").fill(script("key"));
  await press(page, "Create key");
  assert.equal(await page.locator("h2").first().innerText(), script("key"));
  // The rejected input is shown in the field and in the message.
  await page.goto(url + tagsPath);
  await page.getByLabel("Name").fill(script("tag"));
  await press(page, "Add tag");
  assert.ok((await page.getByRole("alert").innerText()).includes("onerror=alert(1)"));
  assert.equal(await page.getByLabel("Name").inputValue(), script("tag"));
});
