// OAuth for assistants, as its attackers use it: codes, tokens, redirects and requests of others.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { componentNames } from "../../../src/http/server/components.ts";
import { deleteUser } from "../../../src/storage/users/users.ts";
import { sendMcp } from "../../support/mcp.ts";
import { makeWebWorld, type SignedInClient } from "../../support/web-world.ts";

let url = "";
const web = await makeWebWorld({ after }, { open: componentNames, publicUrl: () => url });
url = web.service.url;
const { world } = web;
const other = (await world.addOrganization({ name: "Other" })).organization;
const redirect = "https://assistant.example.com/callback";

interface Answer {
  status: number;
  location: string;
  body: Record<string, string>;
  headers: Headers;
}

async function send(path: string, options: RequestInit = {}): Promise<Answer> {
  const response = await fetch(new URL(path, url), { redirect: "manual", ...options });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const body: Record<string, string> = isJson ? JSON.parse(text) : { text };
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    body,
    headers: response.headers,
  };
}

const post = (path: string, fields: Record<string, string>) =>
  send(path, { method: "POST", body: new URLSearchParams(fields) });

const register = (metadata: object) =>
  send("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata),
  });

const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");
const { body: client } = await register({ client_name: "Claude", redirect_uris: [redirect] });
const clientId = client.client_id ?? "";

const authorizationPath = (changes: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirect, state: "s" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", ...changes },
  })}`;

/** Asks as the browser of a user. @returns the path of the page that asks the user, and the cookies */
async function ask(user: SignedInClient, changes?: Record<string, string>) {
  const { location, headers } = await send(authorizationPath(changes), { headers: { cookie: user.cookie } });
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return { page: location, cookie: [user.cookie, ...cookies].join("; ") };
}

/** @returns where the browser ends up: at the client, with a code or an error */
async function answer(user: SignedInClient, action: "allow" | "refuse", changes?: Record<string, string>) {
  const { page, cookie } = await ask(user, changes);
  const { text } = await user.post(page, action);
  const [, next = ""] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text) ?? [];
  return new URL((await send(next, { headers: { cookie } })).location).searchParams;
}

const redeem = (code: string, changes: Record<string, string> = {}) =>
  post("/token", {
    ...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: redirect },
    ...{ code, code_verifier: verifier, ...changes },
  });

const refresh = (token: string) =>
  post("/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token });

async function connect(user: SignedInClient) {
  const code = (await answer(user, "allow")).get("code") ?? "";
  const { status, body } = await redeem(code);
  assert.equal(status, 200, JSON.stringify(body));
  return { code, access: body.access_token ?? "", refreshToken: body.refresh_token ?? "" };
}

const statusOfMcp = async (key: string) => (await sendMcp({ url, key }, "tools/list")).status;
const records = async () =>
  web.world.database.queryOf(web.organization.id, (scope) => scope.countRows("oauth_records"));

test("says in a 401 where to sign in, and describes the resource and the server", async () => {
  const { status, headers } = await send("/mcp", { method: "POST", body: "{}" });
  assert.equal(status, 401);
  const metadata = `${url}/.well-known/oauth-protected-resource/mcp`;
  assert.equal(headers.get("www-authenticate"), `Bearer resource_metadata="${metadata}", scope="read"`);
  assert.deepEqual((await send(metadata)).body, {
    ...{ resource: `${url}/mcp`, authorization_servers: [url], scopes_supported: ["read"] },
  });
  const { body } = await send("/.well-known/oauth-authorization-server");
  assert.deepEqual(
    [body.issuer, body.code_challenge_methods_supported, body.token_endpoint_auth_methods_supported],
    [url, ["S256"], ["none"]],
  );
});

test("asks the user once, whichever scopes of the metadata a client names", async () => {
  const user = await web.signIn("viewer");
  const { body } = await send("/.well-known/oauth-authorization-server");
  assert.deepEqual([...(body.scopes_supported ?? [])].sort(), ["offline_access", "openid"]);
  for (const scope of ["read", "read offline_access", "openid offline_access read", "openid"]) {
    const code = (await answer(user, "allow", { scope, prompt: "consent" })).get("code") ?? "";
    const tokens = (await redeem(code)).body;
    assert.equal(await statusOfMcp(tokens.access_token ?? ""), 200, scope);
    assert.equal((await refresh(tokens.refresh_token ?? "")).status, 200);
  }
});

test("names by its public URL what it serves alone, whatever host a request names", async () => {
  const { body } = await send("/.well-known/oauth-authorization-server", {
    headers: { "x-forwarded-host": "evil.example.com", "x-forwarded-proto": "https" },
  });
  const urls = Object.entries(body).filter(([name]) => name.endsWith("_endpoint") || name.endsWith("_uri"));
  assert.deepEqual(Object.fromEntries(urls), {
    authorization_endpoint: `${url}/oauth/authorize`,
    jwks_uri: `${url}/oauth/jwks`,
    registration_endpoint: `${url}/oauth/register`,
    revocation_endpoint: `${url}/oauth/revoke`,
    token_endpoint: `${url}/token`,
  });
  assert.equal(body.dpop_signing_alg_values_supported, undefined);
});

test("looks tokens of strangers up without the lock of the organization's writers", async () => {
  const token = `${web.organization.id}.${"a".repeat(43)}`;
  await world.database.transactionOf(web.organization.id, async () => {
    assert.equal((await refresh(token)).status, 400);
    assert.equal((await redeem(token)).status, 400);
  });
});

test("reads with a token for an hour, refreshes it once, and ends everything when a token is used again", async () => {
  const user = await web.signIn("viewer");
  const { access, refreshToken } = await connect(user);
  assert.equal(await statusOfMcp(access), 200);
  const { body } = await refresh(refreshToken);
  assert.equal(await statusOfMcp(body.access_token ?? ""), 200);
  assert.equal((await refresh(refreshToken)).status, 400);
  assert.equal(await statusOfMcp(body.access_token ?? ""), 401);
  assert.equal((await refresh(body.refresh_token ?? "")).status, 400);
});

test("redeems a code once, also when two requests arrive together, and only with the verifier and redirect URI", async () => {
  const user = await web.signIn("viewer");
  for (const changes of [
    { code_verifier: "x".repeat(43) },
    { redirect_uri: `${redirect}/other` },
    { client_id: (await register({ client_name: "Evil", redirect_uris: [redirect] })).body.client_id ?? "" },
    { code: `${other.id}.${"a".repeat(43)}` },
  ]) {
    const code = (await answer(user, "allow")).get("code") ?? "";
    assert.equal((await redeem(code, changes)).status, 400, JSON.stringify(changes));
  }
  const code = (await answer(user, "allow")).get("code") ?? "";
  const both = await Promise.all([redeem(code), redeem(code)]);
  const tokens = both.map(({ body }) => body.access_token ?? "").filter((token) => token !== "");
  assert.ok(tokens.length <= 1, "two tokens from one code");
});

test("ends access when the user ends the session, revokes the token, or is removed", async () => {
  const user = await web.signIn("viewer");
  const first = await connect(user);
  await post("/oauth/revoke", { token: first.refreshToken, client_id: clientId });
  assert.deepEqual([await statusOfMcp(first.access), (await refresh(first.refreshToken)).status], [401, 400]);
  const second = await connect(user);
  await world.database.transactionOf(web.organization.id, (scope) => deleteUser(scope, user.user));
  assert.deepEqual(
    [await statusOfMcp(second.access), (await refresh(second.refreshToken)).status],
    [401, 400],
  );
});

test("starts one session when a user presses Allow twice", async () => {
  const user = await web.signIn("viewer");
  const { page } = await ask(user);
  const statuses = [await user.post(page, "allow"), await user.post(page, "allow")].map(
    ({ status }) => status,
  );
  assert.deepEqual(statuses, [200, 404]);
  const sessions = await world.database.queryOf(web.organization.id, (scope) =>
    scope.countRows("sessions", { user_id: user.user.id }),
  );
  assert.equal(sessions, 2, "that of the browser and that of the assistant");
});

test("shows a request to the user who began it alone, and sends the refusal back", async () => {
  const user = await web.signIn("viewer");
  const { page } = await ask(user);
  for (const others of [await web.signIn("admin"), await web.signIn("viewer", { organization: other })]) {
    assert.equal((await others.get(page)).status, 404);
    assert.equal((await others.post(page, "allow")).status, 404);
  }
  assert.equal((await answer(user, "refuse")).get("error"), "access_denied");
  const { status, location } = await send(authorizationPath());
  assert.deepEqual([status, location.startsWith("/sign-in?to=%2Foauth%2Fauthorize")], [303, true]);
});

test("sends codes to registered redirect URIs alone, over HTTPS or to this computer", async () => {
  for (const uri of [
    "http://evil.example.com/",
    "javascript:alert(1)",
    "data:text/html,x",
    "myapp:/callback",
    5,
  ]) {
    assert.equal((await register({ redirect_uris: [uri] })).status, 400, String(uri));
  }
  assert.equal((await register({ redirect_uris: [`https://a.example/${"x".repeat(2000)}`] })).status, 400);
  const user = await web.signIn("viewer");
  for (const changes of [
    { redirect_uri: "https://evil.example.com/" },
    {
      client_id: Buffer.from('{"client_name":"x","redirect_uris":["http://evil.example.com/"]}').toString(
        "base64url",
      ),
    },
    { client_id: "nonsense" },
  ]) {
    const { status, location } = await send(authorizationPath(changes), { headers: { cookie: user.cookie } });
    assert.deepEqual([status, location], [400, ""], JSON.stringify(changes));
  }
  for (const changes of [
    { resource: "https://other.example.com/mcp" },
    { code_challenge: "", code_challenge_method: "" },
    { response_type: "token" },
  ]) {
    const { location } = await send(authorizationPath(changes), { headers: { cookie: user.cookie } });
    assert.match(location, /^https:\/\/assistant\.example\.com\/callback[?#]error=/, JSON.stringify(changes));
  }
});

test("names itself in each answer, so a client that asks several servers knows whose code it has", async () => {
  const user = await web.signIn("viewer");
  for (const action of ["allow", "refuse"] as const) {
    assert.equal((await answer(user, action)).get("iss"), url, action);
  }
  const { body } = await send("/.well-known/oauth-authorization-server");
  assert.equal(body.authorization_response_iss_parameter_supported, true);
});

test("stores nothing when clients register, and no token as it is", async () => {
  const before = await records();
  for (let i = 0; i < 50; i += 1) await register({ client_name: `Flood ${i}`, redirect_uris: [redirect] });
  assert.equal(await records(), before);
  const { access, refreshToken } = await connect(await web.signIn("viewer"));
  const rows = await world.database.queryOf(web.organization.id, (scope) =>
    scope.selectRows("oauth_records").execute(),
  );
  const stored = JSON.stringify(rows);
  for (const secret of [access, refreshToken]) assert.ok(!stored.includes(secret.split(".")[1] ?? ""));
});

test("accepts no token of an assistant for the API, and no API key as a token for another resource", async () => {
  const { access } = await connect(await web.signIn("viewer"));
  const { status } = await send("/data_api/v1/emails", { headers: { authorization: `Bearer ${access}` } });
  assert.equal(status, 401);
});
