// Sign-in with a company account, against an OpenID provider on a real socket.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { readSettings } from "../../../../src/config.ts";
import { startServer } from "../../../../src/http/server/start.ts";
import { saveSecondFactor } from "../../../../src/storage/users/second-factors.ts";
import { addUser } from "../../../../src/storage/users/users.ts";
import { makeGuest } from "../../../support/guest.ts";
import { client, startProvider, type TestOpenIdProvider } from "../../../support/open-id-provider.ts";
import { assertPage } from "../../../support/pages.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { makeWorld } from "../../../support/world.ts";

const path = "/sign-in/open-id";
const publicUrl = "http://analytics.example.com";

async function withProvider(t: TestContext, trustsEmails = false) {
  const provider = await startProvider(t);
  const openId = { issuer: provider.issuer, ...client, trustsEmails };
  const web = await makeWebWorld(t, { publicUrl: () => publicUrl, openId });
  const { world, organization, service } = web;
  const ada = { email: "ada@example.com", role: "viewer", now: world.clock.now } as const;
  const user = await world.database.transactionOf(organization.id, (scope) => addUser(scope, ada));
  return { provider, service, web, user, browser: makeGuest(service.url) };
}

type Browser = ReturnType<typeof makeGuest>;

/** Goes to the provider and back. @param change changes the URL of the callback */
async function comeBack(
  browser: Browser,
  provider: TestOpenIdProvider,
  change = (url: string) => url,
  from = path,
) {
  const asked = await browser.get(from);
  assert.equal(asked.status, 303);
  const back = change(provider.authorize(asked.location ?? ""));
  assert.ok(back.startsWith(`${publicUrl}${path}/callback`));
  return browser.get(back.slice(publicUrl.length));
}

test("signs in a user with a verified company account and redirects to the requested page", async (t) => {
  const { browser, provider, service } = await withProvider(t);
  const page = await browser.get("/sign-in?to=%2Fsettings%2Faccount");
  const link =
    '<a class="button second" href="/sign-in/open-id?to=%2Fsettings%2Faccount">Sign in with your company account</a>';
  assert.ok(page.text.includes(link));

  const asked = await browser.get(`${path}?to=%2Fsettings%2Faccount`);
  const url = new URL(asked.location ?? "");
  const query = Object.fromEntries(url.searchParams);
  assert.equal(url.origin + url.pathname, `${provider.issuer}/authorize`);
  const { state = "", nonce = "", code_challenge: challenge = "", ...rest } = query;
  assert.deepEqual(rest, {
    client_id: client.clientId,
    redirect_uri: `${publicUrl}${path}/callback`,
    scope: "openid email",
    response_type: "code",
    code_challenge_method: "S256",
  });
  for (const random of [state, nonce, challenge]) assert.match(random, /^[\w-]{43}$/);
  const cookie = asked.headers.getSetCookie().find((each) => each.startsWith("ea_open_id="));
  assert.match(cookie ?? "", /; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);

  const back = provider.authorize(url.href).slice(publicUrl.length);
  const seen = await browser.get(back);
  assert.deepEqual([seen.status, seen.location], [303, "/settings/account"]);
  assert.equal(browser.cookies.has("ea_open_id"), false);
  assert.match((await browser.get("/settings/account")).text, /ada@example\.com/);
  const [sent] = provider.tokenRequests;
  for (const secret of [client.clientSecret, sent?.get("code") ?? "?", sent?.get("code_verifier") ?? "?"]) {
    assert.equal(service.log().includes(secret), false);
  }
  assert.equal((await browser.get(back)).status, 403, "a response is accepted once");
});

test("uses a new state for each OpenID sign-in", async (t) => {
  const { browser } = await withProvider(t);
  const states = [await browser.get(path), await browser.get(path)].map(({ location }) =>
    new URL(location ?? "").searchParams.get("state"),
  );
  assert.notEqual(states[0], states[1]);
});

test("refuses unknown users and unverified emails from OpenID, and logs why", async (t) => {
  const { browser, provider, service } = await withProvider(t);
  const email = "ada@example.com";
  const unverified = /no verified email address/;
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ email: "eve@example.com", email_verified: true }, /Your company account is not known here/],
    [{ email, email_verified: false }, unverified],
    [{ email, email_verified: "true" }, unverified],
    [{ email }, unverified],
    [{ email: [email], email_verified: true }, unverified],
    [{}, unverified],
  ];
  for (const [claims, message] of cases) {
    provider.claims = claims;
    const seen = await comeBack(browser, provider);
    assert.equal(seen.status, 403, JSON.stringify(claims));
    assert.match(seen.text, message);
    assert.match(seen.text, /<a class="button" href="\/sign-in">/);
    assert.equal(browser.cookies.has("ea_session"), false);
  }
  const lines = service.logged.filter(({ msg }) => msg === "signing in by OpenID was refused");
  assert.equal(lines.length, cases.length);
  assert.equal(lines[0]?.reason, "no user has this email");
});

test("accepts an email without email_verified when OIDC_EMAILS=all", async (t) => {
  const { browser, provider } = await withProvider(t, true);
  provider.claims = { email: "ada@example.com", email_verified: false };
  assert.equal((await comeBack(browser, provider)).status, 403);
  provider.claims = { email: "eve@example.com" };
  assert.equal((await comeBack(browser, provider)).status, 403, "an unknown user");
  // As Entra ID sends it.
  provider.claims = { email: "ada@example.com" };
  assert.equal((await comeBack(browser, provider)).status, 303);
});

test("asks a company account for no second factor, which its provider has", async (t) => {
  const { browser, provider, web, user } = await withProvider(t);
  const factor = { secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", step: 0, recoveryHashes: [] };
  await web.world.database.transactionOf(user.organizationId, (scope) =>
    saveSecondFactor(scope, user, factor),
  );
  provider.claims = { email: "ada@example.com", email_verified: true };
  const { status, location } = await comeBack(browser, provider);
  assert.deepEqual([status, location], [303, "/"]);
  const account = await browser.get("/settings/account");
  assert.deepEqual([account.status, /ada@example\.com/.test(account.text)], [200, true]);
});

test("compares the email of a company account in normalized form", async (t) => {
  const { browser, provider } = await withProvider(t);
  provider.claims = { email: "ADA@Example.com", email_verified: true };
  assert.equal((await comeBack(browser, provider)).status, 303);
});

test("asks the userinfo endpoint when the ID token has no email", async (t) => {
  const { browser, provider } = await withProvider(t);
  provider.claims = {};
  provider.userInfo = { email: "ada@example.com", email_verified: true };
  assert.equal((await comeBack(browser, provider)).status, 303);
  provider.userInfo = { email: "ada@example.com", email_verified: true, sub: "eve" };
  browser.cookies.clear();
  assert.equal((await comeBack(browser, provider)).status, 403, "userinfo of another subject");
});

test("rejects an OpenID response that does not match the request or is not signed by the provider", async (t) => {
  const { browser, provider } = await withProvider(t);
  const statusOf = async (change: (url: string) => string) =>
    (await comeBack(browser, provider, change)).status;
  const changes: Record<string, (url: string) => string> = {
    "another state": (url) => url.replace(/state=[^&]+/, "state=other"),
    "no state": (url) => url.replace(/&state=[^&]+/, ""),
    "an unknown code": (url) => url.replace(/code=[^&]+/, "code=unknown"),
    "an error": (url) => url.replace(/code=[^&]+/, "error=access_denied"),
    "no parameters": (url) => url.replace(/\?.*/, ""),
    "started in another browser": (url) => {
      browser.cookies.delete("ea_open_id");
      return url;
    },
    "a forged cookie": (url) => {
      browser.cookies.set("ea_open_id", "bm90IGpzb24");
      return url;
    },
  };
  for (const [what, change] of Object.entries(changes)) assert.equal(await statusOf(change), 403, what);
  const claims = { email: "ada@example.com", email_verified: true };
  const foreign = [{ nonce: "other" }, { aud: "another-client" }, { iss: "https://evil.example" }];
  for (const wrong of [...foreign, { exp: 1_000 }]) {
    provider.claims = { ...claims, ...wrong };
    assert.equal(await statusOf((url) => url), 403, JSON.stringify(wrong));
  }
  provider.claims = claims;
  provider.signing = "foreign";
  assert.equal(await statusOf((url) => url), 403, "signed with another key");
  assert.equal(browser.cookies.has("ea_session"), false);
});

test("answers 503 when the OpenID provider fails, and tries again on the next request", async (t) => {
  const { browser, provider, service } = await withProvider(t);
  const metadata = "/.well-known/openid-configuration";
  const failures: Parameters<(typeof provider)["overrides"]["set"]>[1][] = [
    (_request, response) => response.writeHead(500).end("down"),
    (_request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{"),
    (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>"),
    (request) => request.socket.destroy(),
  ];
  for (const fail of failures) {
    provider.overrides.set(metadata, fail);
    const seen = await browser.get(path);
    assertPage(seen, 503, /Your company's sign-in service is not responding as expected/);
    assert.equal(seen.headers.get("retry-after"), "30");
  }
  provider.overrides.clear();
  assert.equal((await browser.get(path)).status, 303);
  for (const fail of failures) {
    provider.overrides.set("/token", fail);
    assert.equal((await comeBack(browser, provider)).status, 503);
  }
  provider.overrides.clear();
  assert.equal((await comeBack(browser, provider)).status, 303);
  const lines = service.logged.filter(({ msg }) => msg === "the OpenID provider cannot be used");
  assert.equal(lines.length, 2 * failures.length);
});

test("times out after a few seconds when the OpenID provider does not respond", async (t) => {
  const { browser, provider } = await withProvider(t);
  provider.overrides.set("/.well-known/openid-configuration", () => undefined);
  const from = performance.now();
  assert.equal((await browser.get(path)).status, 503);
  // Node's own timeout is five minutes.
  assert.ok(performance.now() - from < 60_000);
});

test("reports a wrong client secret as 503 and keeps it out of the log", async (t) => {
  const provider = await startProvider(t);
  const openId = { issuer: provider.issuer, ...client, clientSecret: "a-wrong-secret-of-ours" };
  const { service } = await makeWebWorld(t, { publicUrl: () => publicUrl, openId });
  const browser = makeGuest(service.url);
  assert.equal((await comeBack(browser, provider)).status, 503);
  assert.match(service.log(), /invalid_client/);
  assert.doesNotMatch(service.log(), /a-wrong-secret-of-ours/);
});

test("redirects only to own pages after OpenID sign-in", async (t) => {
  const { browser, provider } = await withProvider(t);
  const seen = await comeBack(browser, provider, undefined, `${path}?to=%2F%2Fevil.example`);
  assert.deepEqual([seen.status, seen.location], [303, "/"]);
});

test("offers no OpenID sign-in when it is not configured", async (t) => {
  const { service } = await makeWebWorld(t);
  const browser = makeGuest(service.url);
  assert.doesNotMatch((await browser.get("/sign-in")).text, /company account/);
  assert.equal((await browser.get(path)).status, 404);
});

test("configures OpenID from the settings, and refuses to start with only some of them", async (t) => {
  const provider = await startProvider(t);
  const { databaseUrl } = await makeWorld(t);
  const usual = { DATABASE_URL: databaseUrl, PORT: "0", LOG_LEVEL: "silent" };
  const part = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.clientId };
  const incomplete = startServer(readSettings({ ...usual, ...part }, {}), ["web"]);
  await assert.rejects(incomplete, /OIDC_CLIENT_SECRET: not set/);
  const whole = { ...usual, ...part, OIDC_CLIENT_SECRET: client.clientSecret };
  const server = await startServer(readSettings(whole, {}), ["web"]);
  t.after(() => server.stop());
  const asked = await makeGuest(server.url).get(path);
  assert.equal(asked.status, 303);
  const back = new URL(asked.location ?? "").searchParams.get("redirect_uri");
  assert.equal(back, `${server.url}${path}/callback`);
});
