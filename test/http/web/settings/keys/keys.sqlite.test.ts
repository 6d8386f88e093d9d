// The pages of API keys: creating, showing once, using and deleting.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs, hourMs } from "../../../../../src/campaign/calendar/durations.ts";
import { quoteName } from "../../../../../src/campaign/fields/names.ts";
import { listApiKeys, recordKeyUse } from "../../../../../src/storage/keys/api-keys.ts";
import { assertMatches, assertPage, textOf } from "../../../../support/pages.ts";
import { makeWebWorld, makeWebWorldOf, type WebWorld } from "../../../../support/web-world.ts";
import { campaign, present } from "../../../../support/world.ts";

const path = "/settings/integrations/analytics-api";

const keysOf = ({ world, organization }: WebWorld) => world.database.snapshotOf(organization.id, listApiKeys);

const keyIn = (text: string) => /<code id="key">(ea_[\w]+)<\/code>/.exec(text)?.[1] ?? "";

test("creates a key, shows it once with a command, and accepts it immediately", async (t) => {
  const given = await makeWebWorld(t);
  const { service } = given;
  const admin = await given.signIn("admin", { email: "ann@example.com" });
  const made = await admin.post(path, "add", { name: "Power BI", scope: "read" });
  assert.equal(made.status, 200);
  const key = keyIn(made.text);
  assert.match(key, /^ea_test_\d+_[0-9A-Za-z]{38}$/);
  assertMatches(made.text, [/data-copy="key"/, /never shown again/]);
  assert.ok(textOf(made.text).includes(`curl -H "Authorization: Bearer ${key}"`));
  assert.equal(made.headers.get("cache-control"), "no-store");
  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 200);
  // The key is on no later page, in no URL and not in the log.
  const later = await admin.read(path);
  for (const text of [later, service.log()]) assert.ok(!text.includes(key.slice(-20)));
  assert.deepEqual([made.location, made.notice], [null, ""]);

  const stored = (await keysOf(given)).at(-1);
  assert.deepEqual([stored?.name, stored?.scope, stored?.createdBy], ["Power BI", "read", "ann@example.com"]);
  assertMatches(later, [
    /ann@example\.com/,
    /command line/,
    /<a href="\/docs">API reference<\/a>/,
    /<code id="base-address">http:\/\/127\.0\.0\.1<\/code>/,
    /Jun 15, 2026, 12:00 PM UTC/,
  ]);
});

test("accepts the example request of a key with the scope ingest", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  const made = await admin.post(path, "add", { name: "Shop", scope: "ingest" });
  const key = keyIn(made.text);
  assert.ok(made.text.includes("/ingest/v1/events"));
  assert.ok(!made.text.includes("Power BI"));
  const [, body] = /-d (?:&#39;|')(.*?)(?:&#39;|')/.exec(made.text.replaceAll("&quot;", '"')) ?? [];
  assert.equal(body, '{"events": []}');
  const answer = await given.service.send("/ingest/v1/events", { key, body });
  assert.equal(answer.status, 200);
  assert.equal((await given.service.get("/data_api/v1/emails", { key })).status, 403);
});

test("shows when a key was last used, to the minute and in the organization's time zone", async (t) => {
  const given = await makeWebWorldOf("admin", t, { timeZone: "Asia/Tokyo" });
  const { world, organization, admin } = given;
  assert.match(await admin.read(path), /not used yet/);
  const ids = (await keysOf(given)).map(({ id }) => id);
  const minute = present - hourMs;
  const use = { firstAt: minute, lastAt: minute, client: "" };
  await world.database.transactionOf(organization.id, async (scope) => {
    for (const id of ids) await recordKeyUse(scope, id, use);
  });
  const after = await admin.read(path);
  assert.doesNotMatch(after, /not used yet/);
  assert.match(after, /<time [^>]*title="Jun 15, 2026, 8:00 PM GMT\+9">60 minutes ago<\/time>/);
  assert.match(await admin.read(`${path}/${ids[1]}`), /last used Jun 15, 2026, 8:00 PM GMT\+9\./);
});

test("deletes one key after a page that says what stops working", async (t) => {
  const given = await makeWebWorldOf("admin", t);
  const { service, key, ingestKey, admin } = given;
  const [read, ingest] = await keysOf(given);
  const page = await admin.read(`${path}/${read?.id}`);
  assertMatches(page, [
    /The key <strong>test<\/strong> starts with <code>ea_test_\d+_\w{4}…<\/code>/,
    /scope <strong>read<\/strong>\. It has not been used yet\./,
    /Reports, spreadsheets and programs that read records/,
  ]);
  assert.match(await admin.read(`${path}/${ingest?.id}`), /Programs that send campaigns and events/);
  const deleted = await admin.post(`${path}/${read?.id}`, "delete");
  const notice = `Deleted the key ${quoteName("test")}.`;
  assert.deepEqual([deleted.status, deleted.location, deleted.notice], [303, path, notice]);
  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 401);
  const sent = await service.send("/ingest/v1/events", { key: ingestKey, body: { events: [] } });
  assert.equal(sent.status, 200);
  assert.equal((await admin.post(`${path}/${read?.id}`, "delete")).status, 404);
});

test("a key works for a year if not chosen otherwise, and its page and the list say until when", async (t) => {
  const { world, service, admin } = await makeWebWorldOf("admin", t);
  const lifetimes = { year: undefined, month: "30", always: "never" };
  const keys: Record<string, string> = {};
  for (const [name, lifetime] of Object.entries(lifetimes)) {
    const made = await admin.post(path, "add", { name, scope: "read", ...(lifetime && { lifetime }) });
    keys[name] = keyIn(made.text);
  }
  const refused = await admin.post(path, "add", { name: "week", scope: "read", lifetime: "7" });
  assertPage(refused, 400, /Works for: &quot;7&quot; is not one of 30, 90, 365, never\./);
  const listed = await admin.read(path);
  assert.match(listed, /year<\/th>[\s\S]*?title="Jun 15, 2027, 12:00 PM UTC">expires in 12 months/);
  assert.match(listed, /month<\/th>[\s\S]*?title="Jul 15, 2026, 12:00 PM UTC">expires in 30 days/);
  const working = async () => {
    const works: string[] = [];
    for (const [name, key] of Object.entries(keys)) {
      const { status } = await service.get("/data_api/v1/emails", { key });
      if (status === 200) works.push(name);
      else assert.equal(status, 401);
    }
    return works;
  };
  world.clock.now += 30 * dayMs - 1;
  assert.deepEqual(await working(), ["year", "month", "always"]);
  world.clock.now += 1;
  assert.deepEqual(await working(), ["year", "always"]);
  world.clock.now += 335 * dayMs;
  assert.deepEqual(await working(), ["always"]);
});

test("replaces a key by one with the same scope and lifetime, and lets the old one work for some days", async (t) => {
  const given = await makeWebWorld(t);
  const { world, service } = given;
  const admin = await given.signIn("admin", { email: "ann@example.com" });
  const old = keyIn((await admin.post(path, "add", { name: "Shop", scope: "read", lifetime: "90" })).text);
  world.clock.now += 80 * dayMs;
  const again = await given.signIn("admin", { email: "bob@example.com" });
  const page = `${path}/${(await keysOf(given)).at(-1)?.id}`;
  assert.equal((await again.post(page, "roll", { days: "0" })).status, 400);
  const rolled = await again.post(page, "roll", { days: "7" });
  assert.match(rolled.text, /The old key works until Sep 10, 2026, 12:00 PM UTC\./);
  const fresh = keyIn(rolled.text);
  const [former, latter] = (await keysOf(given))
    .slice(-2)
    .map(({ name, scope, expiresAt }) => [name, scope, (expiresAt ?? 0) - world.clock.now]);
  assert.deepEqual(former, ["Shop", "read", 7 * dayMs]);
  assert.deepEqual(latter, ["Shop", "read", 90 * dayMs]);
  const statuses = async () => {
    const answers = [old, fresh].map((key) => service.get("/data_api/v1/emails", { key }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  world.clock.now += 7 * dayMs - 1;
  assert.deepEqual(await statuses(), [200, 200]);
  world.clock.now += 1;
  assert.deepEqual(await statuses(), [401, 200]);
  const expired = await service.get("/data_api/v1/emails", { key: old });
  const message = /^The API key expired at 2026-09-10T12:00:00\.000Z\. Create a new key/;
  assert.match(expired.body.error_message, message);
  const later = await given.signIn("admin", { email: "cem@example.com" });
  assert.match(await later.read(page), /It expired Sep 10, 2026, 12:00 PM UTC\./);
  assert.equal((await later.post(page, "roll", { days: "7" })).status, 409);
});

test("creates no second key when the page of a new key is reloaded", async (t) => {
  const given = await makeWebWorld(t);
  const ann = await given.signIn("admin");
  const bob = await given.signIn("admin");
  const fields = { name: "Report A", scope: "read" };
  assert.equal((await ann.post(path, "add", fields)).status, 200);
  const again = await ann.post(path, "add", fields);
  assert.equal(again.status, 409);
  const problem = 'the key \u2068"Report A"\u2069';
  assert.ok(textOf(again.text).includes(`${problem} was created a moment ago. Delete it`));
  assert.equal((await keysOf(given)).length, 3);
  assert.equal((await ann.post(path, "add", { ...fields, name: "Report B" })).status, 200);
  for (const [client, name] of [
    [bob, "REPORT A"],
    [ann, "Report A"],
  ] as const) {
    const { text } = await client.post(path, "add", { ...fields, name });
    assert.ok(textOf(text).includes(`${problem} already exists. Choose a name that`), text);
    given.world.clock.now += 60_000;
  }
  await ann.post(path, "allow_links");
  const link = await ann.post(path, "add_link", { link_name: "report a", days: "7" });
  assertPage(link, 409, /id="link_name_problem">the key \u2068&quot;Report A&quot;\u2069 already exists/);
  assert.equal((await keysOf(given)).length, 4);
});

test("links viewers to no page of admins", async (t) => {
  const given = await makeWebWorld(t);
  const viewer = await given.signIn("viewer");
  await given.world.register(given.organization, 1, { tags: [{ name: "News" }] });
  for (const open of ["/", "/campaigns", "/campaigns/1", "/sources", "/settings/tags", "/settings/account"]) {
    const { status, text } = await viewer.get(open);
    const closed = text.match(/href="[^"]*(analytics-api|settings\/(people|organization)|tags\/\d)[^"]*"/g);
    assert.deepEqual([status, closed], [200, null], open);
  }
});

test("rejects an invalid name or scope of a key, keeps the input and escapes names", async (t) => {
  const given = await makeWebWorld(t);
  const admin = await given.signIn("admin");
  for (const [fields, ...shown] of [
    [
      { name: "  ", scope: "ingest" },
      ...[
        /Name: &quot;&quot; is not accepted: a name has 1 to 200 characters/,
        /<option value="ingest" selected>/,
      ],
    ],
    [
      { name: "<i>x</i>", scope: "write" },
      ...[/Scope: &quot;write&quot; is not one of read, ingest\./, /value="&lt;i&gt;x&lt;\/i&gt;"/],
    ],
  ] as const) {
    const { status, text } = await admin.post(path, "add", fields);
    assert.equal(status, 400);
    assertMatches(text, shown as readonly RegExp[]);
  }
  assert.equal((await keysOf(given)).length, 2);
  const made = await admin.post(path, "add", { name: "<script>alert(1)</script>", scope: "read" });
  const { id } = (await keysOf(given)).at(-1) ?? {};
  for (const { text } of [made, await admin.get(path), await admin.get(`${path}/${id}`)]) {
    assert.doesNotMatch(text, /<script>alert/);
    assert.match(text, /&lt;script&gt;alert\(1\)/);
  }
});

test("answers 404 for keys of another organization", async (t) => {
  const { world, service, admin } = await makeWebWorldOf("admin", t);
  const other = await world.addOrganization({ name: "Other" });
  const [theirs] = await world.database.snapshotOf(other.organization.id, listApiKeys);
  for (const id of [theirs?.id, 0, "x", "1.0"]) {
    assert.equal((await admin.get(`${path}/${id}`)).status, 404);
    assert.equal((await admin.post(`${path}/${id}`, "delete")).status, 404);
  }
  assert.equal((await service.get("/data_api/v1/emails", { key: other.key })).status, 200);
});

test("makes a CSV link once an admin allowed them, shows it once, and lists it with the keys", async (t) => {
  const { service, world, organization, admin } = await makeWebWorldOf("admin", t);
  const [june, july] = [Date.UTC(2025, 5, 1), Date.UTC(2025, 6, 1)];
  await world.save(organization, [
    campaign({ id: 1, tags: ["News"] }),
    campaign({ id: 2, sentAt: june, tags: ["News"] }),
    campaign({ id: 3, sentAt: june }),
    campaign({ id: 4, sentAt: july, tags: ["News"] }),
  ]);
  const dates = { sent_after: "2025-01-01", sent_before: "2025-06-01" };
  const fields = { link_name: "Board sheet", days: "7", ...dates, tag_ids: "1" };
  assert.equal((await admin.post(path, "add_link", fields)).status, 409);
  await admin.post(path, "allow_links");
  assert.match(await admin.read(path), /<input type="checkbox" name="tag_ids" value="1"> .*News/);
  const made = await admin.post(path, "add_link", fields);
  const link = /\/data_api\/v1\/links\/ea_test_1_\w{38}\.csv/.exec(made.text)?.[0] ?? assert.fail(made.text);
  const linksIn = (text: string) => text.match(/\.csv(\?decimal=comma)?(?=<)/g);
  assert.deepEqual(linksIn(made.text), [".csv", ".csv?decimal=comma"]);
  await admin.post("/settings/account", "language", { language: "de" });
  const german = await admin.post(path, "add_link", { ...fields, link_name: "Tabelle" });
  assert.deepEqual(linksIn(german.text), [".csv?decimal=comma", ".csv"]);
  await admin.post("/settings/account", "language", { language: "en" });
  const response = await fetch(service.url + link);
  assert.deepEqual([response.status, (await response.text()).match(/^\d+/gm)], [200, ["2"]]);
  const listed = await admin.get(path);
  assert.match(
    listed.text,
    /Board sheet[\s\S]*csv-link[^\n]*title="Jun 22, 2026, 12:00 PM UTC">expires in 7 days/,
  );
  assert.equal(listed.text.includes(link), false);
  for (const [changed, ...shown] of [
    [{ days: "0" }, /a whole number from 1 to 3650/, /name="tag_ids" value="1" checked/],
    [{ link_name: "No tag", tag_ids: "1000" }, /Tags: &quot;1000&quot; is not the ID of a tag/],
    [
      { sent_before: "2025-02-30" },
      /id="sent_before_problem">&quot;2025-02-30&quot; is not a date such as 2025-01-31/,
    ],
    [{ sent_before: "2024-12-31" }, /&quot;2024-12-31&quot; is not 2025-01-01 or later/],
  ] as const) {
    const refused = await admin.post(path, "add_link", { ...fields, ...changed });
    assert.equal(refused.status, 400);
    assertMatches(refused.text, shown);
  }
  await admin.post(path, "refuse_links");
  assert.equal((await fetch(service.url + link)).status, 404);
});

test("makes a CSV link of more than a hundred tags, and keeps them if another field is refused", async (t) => {
  const { service, world, organization, admin } = await makeWebWorldOf("admin", t);
  const names = Array.from({ length: 120 }, (_, index) => `Tag ${index}`);
  await world.save(organization, [campaign({ id: 1, tags: names.slice(-1) }), campaign({ id: 2 })]);
  await world.save(organization, [campaign({ id: 3, tags: names })]);
  await admin.post(path, "allow_links");
  const submit = (days: string) => {
    const fields = { form_token: admin.csrfToken, action: "add_link", link_name: "Many", days };
    const body = new URLSearchParams(fields);
    for (const [index] of names.entries()) body.append("tag_ids", String(index + 1));
    return fetch(service.url + path, { method: "POST", headers: { cookie: admin.cookie }, body });
  };
  const refused = await (await submit("0")).text();
  assert.match(refused, /a whole number from 1 to 3650/);
  assert.equal(refused.match(/name="tag_ids" value="\d+" checked/g)?.length, 120);
  const made = await submit("7");
  assert.equal(made.status, 200);
  const [link = ""] = /\/data_api\/v1\/links\/ea_test_1_\w{38}\.csv/.exec(await made.text()) ?? [];
  const file = await (await fetch(service.url + link)).text();
  assert.deepEqual(file.match(/^\d+/gm), ["3", "1"]);
});
