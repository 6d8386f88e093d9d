// GET /data_api/v1/emails with 401, and every header that carries a credential.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { generateApiKey } from "../../../src/access/api-key.ts";
import { deleteApiKey, listApiKeys } from "../../../src/storage/keys/api-keys.ts";
import { deleteOrganization } from "../../../src/storage/organizations/organizations.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeAcme, region, serve } from "../../support/world.ts";

async function served(test: TestContext) {
  const { world, organization, key } = await makeAcme(test);
  await world.save(organization, [campaign({ id: 1 })]);
  const service = await serve(test, world);
  const ask = (headers: Record<string, string>, query = "") =>
    service.get(`/data_api/v1/emails${query}`, { headers });
  return { world, organization, key, service, ask };
}

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

test("accepts a key as a Bearer token, in the header bearer_auth, and as a Basic password or user name (specification 5)", async (t) => {
  const { key, ask } = await served(t);
  const forms: Record<string, string>[] = [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { authorization: `BEARER   ${key}` },
    { bearer_auth: key },
    { bearer_auth: `Bearer ${key}` },
    { "bearer-auth": key },
    { "bearer-auth": `bearer ${key}` },
    { "Bearer-Auth": key },
    { authorization: basic("", key) },
    { authorization: basic("anybody@example.com", key) },
    { authorization: basic("user", key).replace("Basic", "basic") },
    { authorization: basic(key, "") },
    { authorization: basic(` ${key} `, " ") },
    { authorization: basic(key, "x") },
    { authorization: basic(key, key) },
    { authorization: basic(key, ""), bearer_auth: key },
    { authorization: `Bearer ${key}`, bearer_auth: key, "bearer-auth": `Bearer ${key}` },
    { authorization: `Bearer ${key}`, bearer_auth: "" },
  ];
  for (const headers of forms) {
    const { status, body } = await ask(headers);
    assert.equal(status, 200, JSON.stringify(headers));
    assert.equal(body.meta.total_entries, 1);
  }
});

sqliteTest(
  "answers 401 with the error body and a Bearer and Basic challenge when the API key is missing (specification 4.1)",
  async (t) => {
    const { ask } = await served(t);
    const { status, body, headers } = await ask({});
    assert.equal(status, 401);
    assert.deepEqual(body, {
      error: "unauthorized",
      error_message: "The API key is missing. Send the header Authorization: Bearer <API_KEY>.",
    });
    assert.equal(
      headers.get("www-authenticate"),
      'Bearer realm="email-analytics", Basic realm="email-analytics"',
    );
  },
);

sqliteTest("treats an empty credential as missing", async (t) => {
  const { ask } = await served(t);
  const missing = /^The API key is missing\./;
  const noPassword =
    /^The header Authorization has no password\. With Basic, send the key as the password or as the user name\.$/;
  const cases: [headers: Record<string, string>, message: RegExp][] = [
    [{ authorization: "Bearer" }, missing],
    [{ authorization: "Bearer " }, missing],
    [{ bearer_auth: "" }, missing],
    [{ authorization: basic("u", "") }, noPassword],
    [{ authorization: basic("", "") }, noPassword],
  ];
  for (const [headers, message] of cases) {
    const { status, body } = await ask(headers);
    assert.equal(status, 401);
    assert.match(body.error_message, message);
  }
});

sqliteTest("rejects a malformed key", async (t) => {
  const { key, ask } = await served(t);
  const malformed = [
    "x",
    key.slice(0, -1),
    `${key}x`,
    key.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    key.toUpperCase(),
    `${key},${key}`,
    `ea_${region}_0_${"a".repeat(38)}`,
    `ea_${region}_99999999999999999999_${"a".repeat(38)}`,
  ];
  for (const text of malformed) {
    const { status, body } = await ask({ authorization: `Bearer ${text}` });
    assert.equal(status, 401, text);
    assert.match(body.error_message, /^The API key is malformed/, text);
  }
  for (const authorization of [key, `Token ${key}`, `Digest ${key}`, "Basic"]) {
    const { status, body } = await ask({ authorization });
    assert.equal(status, 401, authorization);
    assert.match(body.error_message, /neither the scheme Bearer nor Basic/);
  }
  for (const authorization of [basic(key.slice(0, -1), "x"), basic(key, key.slice(0, -1)), basic("u", "x")]) {
    const { status, body } = await ask({ authorization });
    assert.equal(status, 401, authorization);
    assert.match(body.error_message, /^The API key is malformed/);
  }
  assert.equal((await ask({ authorization: "Basic !!!" })).status, 401);
});

sqliteTest("says why it does not read a key, and never repeats it", async (t) => {
  const { key, ask } = await served(t);
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  const cases: [headers: Record<string, string>, message: RegExp, query?: string][] = [
    [bearer(`Bearer ${key}`), /^The word Bearer is there twice/],
    [{ bearer_auth: `bearer Bearer ${key}` }, /^The word Bearer is there twice/],
    [{ authorization: basic("x", `Bearer ${key}`) }, /or is part of the password/],
    [bearer(`"${key}"`), /in quotation marks/],
    [bearer(`'${key}'`), /in quotation marks/],
    [bearer(`${key}"`), /in quotation marks/],
    [bearer("${EMAIL_KEY".concat("}")), /^A variable or placeholder was not replaced/],
    [bearer("{{api_key}}"), /variable or placeholder/],
    [bearer("%EMAIL_KEY%"), /variable or placeholder/],
    [bearer("$EMAIL_KEY"), /variable or placeholder/],
    [bearer("<API_KEY>"), /variable or placeholder/],
    [bearer("YOUR_API_KEY"), /variable or placeholder/],
    [bearer("undefined"), /variable or placeholder/],
    [bearer(`${key.slice(0, 20)} ${key.slice(20)}`), /a space or a line break in it/],
    [{ "x-api-key": key }, /^The header X-API-Key is not read\./],
    [{ apikey: key }, /^The header ApiKey is not read\./],
    [{ "x-auth-token": key }, /^The header X-Auth-Token is not read\./],
    [{}, /^A key in the URL is not read, because proxies log URLs\./, `?per_page=1&api_key=${key}`],
    [{}, /^A key in the URL is not read/, `?access_token=${key}`],
    [{}, /^A key in the URL is not read/, `?auth=${key}`],
    [{}, /^The API key is missing\./, "?page=1"],
  ];
  for (const [headers, message, query] of cases) {
    const { status, body } = await ask(headers, query);
    assert.equal(status, 401, JSON.stringify(headers));
    assert.match(body.error_message, message);
    assert.match(body.error_message, /Send the header Authorization: Bearer <API_KEY>\.$/);
    assert.ok(!body.error_message.includes(key.slice(-12)));
  }
});

test("rejects a key that never existed like the key of a deleted organization", async (t) => {
  const { world, organization, key, ask } = await served(t);
  const message =
    "The API key does not exist; it may have been deleted. Create a new key in Settings, Integrations, Analytics API.";
  for (const forged of [generateApiKey(region, organization.id), generateApiKey(region, 4711)]) {
    const { status, body } = await ask({ authorization: `Bearer ${forged}` });
    assert.deepEqual([status, body.error_message], [401, message]);
  }
  await world.database.transaction((queries) => deleteOrganization(new Scope(queries, organization.id)));
  const { status, body } = await ask({ authorization: `Bearer ${key}` });
  assert.deepEqual([status, body.error_message], [401, message]);
});

test("rejects a deleted key with the very next request, while other keys still work (specification 4.1, 5, 7)", async (t) => {
  const { world, organization, key, service } = await served(t);
  const other = await world.addOrganization({ name: "Other" });
  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 200);
  const [stored] = await world.database.snapshot((queries) =>
    listApiKeys(new Scope(queries, organization.id)),
  );
  await world.database.transaction((queries) =>
    deleteApiKey(new Scope(queries, organization.id), stored?.id ?? 0),
  );
  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 401);
  assert.equal((await service.get("/data_api/v1/emails", { key: other.key })).status, 200);
});

sqliteTest("rejects a key of another region, and names its region", async (t) => {
  const { organization, ask } = await served(t);
  const { status, body } = await ask({ authorization: `Bearer ${generateApiKey("eu", organization.id)}` });
  assert.equal(status, 401);
  assert.equal(
    body.error_message,
    'The API key belongs to the region "eu", but this is the region "test". Use the base URL of the key\'s region.',
  );
});

sqliteTest("rejects two different credentials, even in the same header sent twice", async (t) => {
  const { world, key, ask, service } = await served(t);
  const other = (await world.addOrganization({ name: "Other" })).key;
  for (const headers of [
    { authorization: `Bearer ${key}`, bearer_auth: other },
    { authorization: basic("u", key), "bearer-auth": other },
    { bearer_auth: key, "bearer-auth": other },
  ]) {
    const { status, body } = await ask(headers);
    assert.equal(status, 401);
    assert.match(body.error_message, /^The request has two different credentials\. Remove one of them\. /);
  }

  const answer = await rawRequest(
    service.port,
    `GET /data_api/v1/emails HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nAuthorization: Bearer ${other}\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 401 /);
});

sqliteTest("ignores a key in the query string", async (t) => {
  const { key, ask } = await served(t);
  for (const name of ["api_key", "key", "token", "access_token", "bearer_auth", "Authorization"]) {
    assert.equal((await ask({}, `?${name}=${key}`)).status, 401, name);
  }
});

sqliteTest("authenticates before it checks the parameters", async (t) => {
  const { ask, key } = await served(t);
  assert.equal((await ask({}, "?page=0&sent_after=nonsense")).status, 401);
  assert.equal((await ask({ authorization: `Bearer ${key}` }, "?page=0")).status, 400);
});

sqliteTest("rejects If-None-Match and HEAD without a credential", async (t) => {
  const { ask, service } = await served(t);
  assert.equal((await ask({ "if-none-match": "*" })).status, 401);
  assert.equal((await service.get("/data_api/v1/emails", { method: "HEAD" })).status, 401);
});
