// Passkeys in a real browser, with Chromium's virtual authenticator, and what the service refuses.

import assert from "node:assert/strict";
import test, { after, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { minuteMs } from "../../../../src/campaign/calendar/durations.ts";
import { csrfTokenOf } from "../../../../src/http/web/frame/csrf.ts";
import { findPasskey, listPasskeys, savePasskey } from "../../../../src/storage/users/passkeys.ts";
import { actionsOf } from "../../../support/audit.ts";
import { findPageProblems } from "../../../support/axe.ts";
import { closeBrowser, openBrowser } from "../../../support/browser.ts";
import { givePassword } from "../../../support/guest.ts";
import { noticeOn, press, signOut, titleOf } from "../../../support/site.ts";
import { makeWebWorld, requestPage } from "../../../support/web-world.ts";

after(closeBrowser);

const password = "nine green ships sail";
const email = "ada@example.com";
const passkeysPath = "/settings/account/passkeys";

/** A browser with an authenticator, in which a user with a password is signed in. */
async function start(t: TestContext) {
  let url = "";
  const web = await makeWebWorld(t, { publicUrl: () => url });
  // Browsers give no passkeys to IP addresses.
  url = web.service.url.replace("127.0.0.1", "localhost");
  const ada = await web.signIn("viewer", { email });
  await givePassword(web, ada.user, password);
  const context = await openBrowser(t);
  await context.addCookies([{ name: "ea_session", value: ada.secret, url, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return { ...web, url, ada, page, context };
}

async function addPasskey(page: Page, url: string): Promise<void> {
  await page.goto(url + passkeysPath);
  await page.getByLabel("Passkey name").fill("Work laptop");
  await page.getByLabel("Current password").fill(password);
  await press(page, "Continue");
  await press(page, "Create passkey");
  // The page before has the same URL.
  await page.getByText("Added the passkey").waitFor();
}

test("adds a passkey, signs in with it instead of password and code, and removes it", async (t) => {
  const { page, url, world, organization } = await start(t);
  await page.goto(url + passkeysPath);
  await page.getByLabel("Passkey name").fill("Work laptop");
  await page.getByLabel("Current password").fill("wrong");
  await press(page, "Continue");
  assert.match(await page.getByRole("alert").first().innerText(), /wrong password/);
  await addPasskey(page, url);
  assert.match(await noticeOn(page), /Added the passkey "Work laptop"\./);
  assert.deepEqual(await findPageProblems(page), []);
  await signOut(page);
  await page.goto(`${url}/sign-in?to=%2Fsettings%2Faccount`);
  assert.deepEqual(await findPageProblems(page), []);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${url}/settings/account`);
  assert.equal(await titleOf(page), "Your account");
  await page.goto(url + passkeysPath);
  assert.doesNotMatch(await page.locator("table").innerText(), /not used yet/);
  await page.locator("td details summary").click();
  await page.locator("td input[type=password]").fill(password);
  await page.getByRole("button", { name: "Remove the passkey Work laptop" }).click();
  await page.waitForLoadState();
  assert.match(await noticeOn(page), /Removed the passkey/);
  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.locator(".problem[role=alert]:visible").first().waitFor();
  const refused = /The passkey was not accepted\. Try again, or use your password\./;
  assert.match(await page.locator("main").innerText(), refused);
  const entries = (await actionsOf(world, organization.id)).filter((each) => each.includes("passkey."));
  const expected = [`${email}, passkey.delete, Work laptop`, `${email}, passkey.add, Work laptop`];
  assert.deepEqual(entries, expected);
});

test("refuses an assertion that is late, repeated, forged, another user's, or of a copied authenticator", async (t) => {
  const { page, url, world, ada, context, signIn, organization, service } = await start(t);
  await addPasskey(page, url);
  await context.clearCookies();
  /** What the browser would send. */
  const assertion = async () => {
    await page.goto(`${url}/sign-in`);
    const sent = Promise.withResolvers<URLSearchParams>();
    await page.route("**/sign-in/passkey", async (route) => {
      const body = route.request().postData();
      if (body === null) return route.continue();
      sent.resolve(new URLSearchParams(body));
      return route.fulfill({ contentType: "text/html", body: "<p>kept by the test</p>" });
    });
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    const fields = Object.fromEntries(await sent.promise);
    // A navigation that starts before this one ends may be aborted by it.
    await page.getByText("kept by the test").waitFor();
    await page.unrouteAll();
    const guest = (await context.cookies()).find(({ name }) => name === "ea_guest")?.value ?? "";
    return { fields, guest };
  };
  const send = (fields: Record<string, string>, guest: string) =>
    requestPage(`${service.url}/sign-in/passkey`, {
      cookie: `ea_guest=${guest}`,
      fields: { ...fields, form_token: csrfTokenOf(guest) },
    });
  const refuses = async (fields: Record<string, string>, guest: string, what: string) => {
    const { status, text, headers } = await send(fields, guest);
    assert.equal(status, 401, what);
    assert.match(text, /The passkey was not accepted/);
    const isSignedIn = headers.getSetCookie().some((each) => each.startsWith("ea_session"));
    assert.equal(isSignedIn, false);
  };
  const late = await assertion();
  world.clock.now += 5 * minuteMs;
  await refuses(late.fields, late.guest, "late");

  const { fields, guest } = await assertion();
  const credential = JSON.parse(fields.credential ?? "");
  const changed = (response: Record<string, string>) => ({
    ...fields,
    credential: JSON.stringify({ ...credential, response: { ...credential.response, ...response } }),
  });
  const handle = (text: string) => Buffer.from(text).toString("base64url");
  const bob = await signIn("admin", { email: "bob@example.com" });
  const { organization: globex } = await world.addOrganization({ name: "Globex" });
  const hank = await signIn("admin", { email: "hank@globex.example", organization: globex });
  const flipped = `${credential.response.signature.slice(0, -4)}AAAA`;
  for (const [what, response] of Object.entries({
    "another user": { userHandle: handle(`${organization.id}.${bob.user.id}`) },
    "another organization": { userHandle: handle(`${globex.id}.${hank.user.id}`) },
    "no user": { userHandle: handle("1.x") },
    forged: { signature: flipped },
  }))
    await refuses(changed(response as Record<string, string>), guest, what);
  const malformed = ["{}", "null", "no JSON", '{"id":"x","response":null}', '{"id":"x","response":{}}'];
  for (const credential of malformed) await refuses({ ...fields, credential }, guest, credential);
  await refuses(fields, "x".repeat(43), "another browser");
  const forged = await requestPage(`${service.url}/sign-in/passkey`, { cookie: `ea_guest=${guest}`, fields });
  assert.equal(forged.status, 303, "its own token");
  await refuses(fields, guest, "repeated");
  const noToken = { ...fields, form_token: "x" };
  const tokenless = await requestPage(`${service.url}/sign-in/passkey`, {
    ...{ cookie: `ea_guest=${guest}`, fields: noToken },
  });
  assert.equal(tokenless.status, 403);

  const [passkey] = await world.database.queryOf(ada.user.organizationId, (scope) =>
    listPasskeys(scope, ada.user),
  );
  assert.ok(passkey);
  const again = await assertion();
  await world.database.transactionOf(organization.id, async (scope) => {
    const current = await findPasskey(scope, ada.user, passkey.id);
    assert.ok(current);
    await savePasskey(scope, { ...current, counter: 1_000 });
  });
  await refuses(again.fields, again.guest, "the counter went back");
});
