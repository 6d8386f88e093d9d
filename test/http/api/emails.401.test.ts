// GET /data_api/v1/emails with 401, and every header that carries a credential.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { generateApiKey } from "../../../src/access/api-key.ts";
import { addApiKey, deleteApiKey, listApiKeys } from "../../../src/storage/keys/api-keys.ts";
import { deleteOrganization } from "../../../src/storage/organizations/organizations.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeAcme, makeWorld, region, serve } from "../../support/world.ts";

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
    { bearer_auth: key },
    { "bearer-auth": key },
    { authorization: basic("", key) },
    { authorization: basic(key, "") },
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
    const text = 'Bearer realm="email-analytics", Basic realm="email-analytics"';
    assert.equal(headers.get("www-authenticate"), text);
  },
);

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

test("each region returns only its own records, and answers a key of another region with 401 and its name (specification 1, 9)", async (t) => {
  const regions = ["us", "eu", "ca", "au"];
  const services = await Promise.all(
    regions.map(async (name, index) => {
      const world = await makeWorld(t);
      const { organization } = await world.addOrganization();
      await world.save(organization, [campaign({ id: index + 1 })]);
      const { text: key } = await world.database.transactionOf(organization.id, (scope) =>
        addApiKey(scope, { name: "tool", region: name, now: world.clock.now }),
      );
      return { name, key, service: await serve(t, world, { region: name }) };
    }),
  );
  for (const [index, here] of services.entries()) {
    const own = await here.service.emails(here.key);
    assert.deepEqual(
      own.emails.map(({ id }) => id),
      [index + 1],
    );
    for (const other of services.filter((each) => each !== here)) {
      const headers = { authorization: `Bearer ${other.key}` };
      const { status, body } = await here.service.get("/data_api/v1/emails", { headers });
      assert.equal(status, 401);
      assert.deepEqual(body, {
        error: "unauthorized",
        error_message: `The API key belongs to the region "${other.name}", but this is the region "${here.name}". Use the base URL of the key's region.`,
      });
    }
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
  await world.write(organization, deleteOrganization);
  const { status, body } = await ask({ authorization: `Bearer ${key}` });
  assert.deepEqual([status, body.error_message], [401, message]);
});

test("rejects a deleted key with the very next request, while other keys still work (specification 4.1, 5, 7)", async (t) => {
  const { world, organization, key, service } = await served(t);
  const other = await world.addOrganization({ name: "Other" });
  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 200);
  const [stored] = await world.read(organization, listApiKeys);
  await world.write(organization, (scope) => deleteApiKey(scope, stored?.id ?? 0));
  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 401);
  assert.equal((await service.get("/data_api/v1/emails", { key: other.key })).status, 200);
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
