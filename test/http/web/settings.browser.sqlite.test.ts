// The settings in a real browser: invite links, API keys and tags, with and without JavaScript.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { closeBrowser } from "../../support/browser.ts";
import {
  choosePassword,
  follow,
  noticeOn,
  openSite,
  password,
  pathOf,
  press,
  problemOn,
  rowsOf,
  type Site,
  signIn,
  signOut,
  titleOf,
} from "../../support/site.ts";
import { region, run } from "../../support/world.ts";

after(closeBrowser);

const tagsPath = "/settings/tags";

const statusWith = async ({ service }: Site, key: string) =>
  (await service.get("/data_api/v1/emails", { key })).status;

test("lets a user added on the command line choose a password, sign out, and return to the requested page", async (t) => {
  const site = await openSite(t);
  const { world, url, organization } = site;
  const email = "ada@example.com";
  const added = await run(
    world.databaseUrl,
    ["user", "add", "--organization", String(organization.id), "--email", email, "--role", "admin"],
    {
      environment: {
        DATABASE_URL: world.databaseUrl,
        REGION: region,
        LOG_LEVEL: "silent",
        PUBLIC_URL: url,
      },
    },
  );
  const [link = ""] = added.stdout.split("\n");
  assert.ok(link.startsWith(`${url}/sign-in/password/`), added.stdout + added.stderr);

  const page = await site.openWindow();
  await page.goto(link);
  const chosen = page.getByLabel("New password");
  assert.equal(await page.getByLabel("Email").inputValue(), email);
  await chosen.pressSequentially("too short");
  await page.getByLabel("Repeat password").pressSequentially("too short");
  await press(page, "Set password and sign in");
  // The browser validates the field and submits nothing.
  assert.equal(await page.evaluate("document.activeElement.id"), "new_password");
  assert.equal(await page.evaluate("document.activeElement.validity.tooShort"), true);
  assert.equal(page.url(), link);
  // Without validation in the browser the server rejects the password, and the link still works.
  await page.evaluate("document.querySelector('form').noValidate = true");
  await press(page, "Set password and sign in");
  assert.equal(await problemOn(page), "New password: it has 9 characters; use 12 to 200.");
  await chosen.fill(password);
  await page.getByLabel("Repeat password").fill("nine green ships sink");
  await press(page, "Set password and sign in");
  assert.match(await problemOn(page), /The passwords do not match\. Type both again\./);

  await choosePassword(page, link);
  assert.equal(pathOf(page), "/");
  assert.equal(await titleOf(page), "Overview");
  assert.equal(await noticeOn(page), "Welcome! Your password is set, and you are signed in.");
  assert.equal((await page.goto(link))?.status(), 404);
  await page.goto(url);
  await signOut(page);
  assert.equal(await noticeOn(page), "You are signed out.");

  const wanted = "/campaigns?range=all&subject=week";
  await page.goto(url + wanted);
  assert.equal(pathOf(page), `/sign-in?to=${encodeURIComponent(wanted)}`);
  await signIn(page, email, "nine green ships sink");
  assert.equal(await problemOn(page), "Wrong email or password. Try again.");
  assert.equal(await page.getByLabel("Email").inputValue(), email);
  assert.equal(await page.getByRole("navigation").count(), 0);
  await signIn(page, "nobody@example.com", password);
  assert.equal(await problemOn(page), "Wrong email or password. Try again.");
  await signIn(page, email, password);
  assert.equal(pathOf(page), wanted);
  assert.equal(await titleOf(page), "Campaigns");

  // Signing in in one tab also signs in the other one, whatever password is typed there.
  await signOut(page);
  const other = await page.context().newPage();
  await other.goto(`${url}/sources`);
  await page.goto(url + wanted);
  await signIn(page, email, password);
  await signIn(other, email, "nine green ships sink");
  assert.equal(pathOf(other), "/sources");
  // A form of an earlier session is rejected, and accepted after a reload.
  await other.goto(url + tagsPath);
  await signOut(page);
  await signIn(page, email, password);
  await other.getByLabel("Name").fill("News");
  await press(other, "Add tag");
  assert.equal(await titleOf(other), "Your changes were not saved");
  await other.reload();
  await other.getByLabel("Name").fill("News");
  await press(other, "Add tag");
  assert.equal(await noticeOn(other), 'Added the tag "News".');
});

test("shows a new key once, and the key works until it is deleted", async (t) => {
  const site = await openSite(t);
  const page = await site.openWindowOf("admin", { email: "ada@example.com" });
  await page.goto(site.url);
  await follow(page, "Settings");
  await follow(page, "Analytics API");
  assert.equal(await page.locator("#base-address").innerText(), site.url);
  const createKey = async (name: string) => {
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Scope").selectOption("read");
    await press(page, "Create key");
    assert.equal(await titleOf(page), "Your new API key");
    const key = await page.locator("#key").innerText();
    assert.equal(await statusWith(site, key), 200);
    await follow(page, "I copied the key. Back to all keys");
    return key;
  };
  const first = await createKey("Power BI");
  const rows = await rowsOf(page, "keys");
  const row = rows.find(([name]) => name === "Power BI") ?? [];
  assert.equal(row[1], "readexpires in 12 months");
  assert.equal(row[2], `${first.slice(0, (row[2] ?? "").length - 1)}…`);
  assert.ok((row[2] ?? "").length < first.length / 2);
  assert.equal(row[3], "1 second agoada@example.com");
  const second = await createKey("Spreadsheet");
  assert.notEqual(first, second);
  await page.reload();
  assert.equal(await titleOf(page), "Analytics API");
  const text = await page.content();
  for (const key of [first, second]) assert.ok(!text.includes(key) && !text.includes(key.slice(-20)));

  await follow(page, "Change Power BI");
  assert.match(await page.locator(".warning").innerText(), /their next request fails with 401/);
  assert.equal(await statusWith(site, first), 200);
  await follow(page, "Cancel");
  await follow(page, "Change Power BI");
  await press(page, "Delete key");
  assert.equal(await noticeOn(page), 'Deleted the key "Power BI".');
  assert.equal(await statusWith(site, first), 401);
  assert.equal(await statusWith(site, second), 200);
  assert.equal(await page.getByRole("link", { name: "Change Power BI" }).count(), 0);
  await page.reload();
  assert.equal(await page.locator(".notice").count(), 0);
  await signOut(page);
  assert.equal(await noticeOn(page), "You are signed out.");
  await page.goBack();
  await page.waitForURL(/\/sign-in\?to=/);
});

test("submits a form once when its button is double-clicked or the response reloaded", async (t) => {
  const site = await openSite(t);
  const page = await site.openWindowOf("admin");
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") sent += 1;
  });
  await page.goto(`${site.url}/settings/integrations/analytics-api`);
  await page.getByLabel("Name").fill("Power BI");
  // Holds back the response of the first submission until the second click.
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/*", async (route) => {
    if (route.request().method() === "POST") await isAnswered;
    await route.continue();
  });
  const button = page.getByRole("button", { name: "Create key" });
  await button.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
  const first = page.waitForRequest((request) => request.method() === "POST");
  await page.mouse.click(x + 5, y + 5);
  await first;
  await page.mouse.click(x + 5, y + 5);
  answer();
  await page.waitForSelector("#key");
  // The script makes the reload safe, and it runs when the whole page has arrived.
  await page.waitForLoadState();
  await page.reload();
  assert.equal(await titleOf(page), "Analytics API");
  assert.equal(sent, 1);
  const names = (await rowsOf(page, "keys")).map(([name]) => name);
  assert.deepEqual(names, ["test", "sender", "Power BI"]);
});

test("shows changes of a tag in the next API response", async (t) => {
  const site = await openSite(t);
  const { world, organization, service, key } = site;
  const page = await site.openWindowOf("admin");
  const tagsOf = async (query = "") => (await service.emails(key, query)).emails[0]?.tags;
  await page.goto(site.url + tagsPath);
  await page.getByLabel("Name").fill("  Näwsletter ");
  await page.getByLabel("Color").fill("#112233");
  await press(page, "Add tag");
  assert.equal(await noticeOn(page), 'Added the tag "Näwsletter".');
  const [[, id = ""] = []] = await rowsOf(page, "1 tag");
  const number = /\d+/.exec(id)?.[0] ?? "";
  // A campaign names the tag.
  await world.register(organization, 1, { tags: [{ name: "Näwsletter" }] });
  assert.deepEqual(await tagsOf(), [{ name: "Näwsletter", color: "#112233" }]);

  await page.locator(`a[href="${tagsPath}/${number}"]`).click();
  await page.getByLabel("Name").fill("News & more");
  await press(page, "Save");
  assert.equal(await noticeOn(page), 'Saved the tag "News & more". The API returns it immediately.');
  assert.deepEqual(await tagsOf(`?tag_ids=${number}`), [{ name: "News & more", color: "#112233" }]);
  await page.locator(`a[href="${tagsPath}/${number}"]`).click();
  await page.getByLabel("Color").fill("#aabbcc");
  await press(page, "Save");
  assert.deepEqual(await tagsOf(`?tag_ids=${number}`), [{ name: "News & more", color: "#AABBCC" }]);

  // A taken name is rejected, and the input stays.
  await page.getByLabel("Name").fill("News & more");
  await press(page, "Add tag");
  assert.match(await problemOn(page), /already has the name/);
  assert.equal(await page.getByLabel("Name").inputValue(), "News & more");

  await page.goto(`${site.url}${tagsPath}/${number}`);
  await page.getByText("Delete this tag").click();
  assert.match(await page.locator("main details").innerText(), /1 campaign loses this tag/);
  await press(page, "Delete News & more");
  assert.equal(await noticeOn(page), 'Deleted the tag "News & more".');
  assert.deepEqual(await tagsOf(), []);
  assert.deepEqual((await service.emails(key, `?tag_ids=${number}`)).emails, []);
});

test("adds a tag, creates a key and adds a user without JavaScript", async (t) => {
  const site = await openSite(t);
  const page = await site.openWindowOf("admin", { javaScriptEnabled: false });
  await page.goto(site.url);
  await follow(page, "Settings");
  await follow(page, "Tags");
  await page.getByLabel("Name").fill("Security");
  await press(page, "Add tag");
  assert.equal(await noticeOn(page), 'Added the tag "Security".');
  assert.equal((await rowsOf(page, "1 tag"))[0]?.[0], "Security");

  await follow(page, "Analytics API");
  await page.getByLabel("Name").fill("A program");
  await page.getByLabel("Scope").selectOption("read");
  await press(page, "Create key");
  assert.equal(await statusWith(site, await page.locator("#key").innerText()), 200);
  // Without a script the Copy buttons are hidden.
  assert.equal(await page.locator("[data-copy]:visible").count(), 0);

  await follow(page, "People");
  await page.locator("#email").fill("bea@example.com");
  await press(page, "Add user");
  const link = await page.locator("#invitation").innerText();
  const other = await site.openWindow({ javaScriptEnabled: false });
  await choosePassword(other, link);
  assert.equal(await titleOf(other), "Overview");
  await signOut(other);
  await other.goto(site.url + tagsPath);
  await signIn(other, "bea@example.com", password);
  assert.equal(pathOf(other), tagsPath);
});
