// Share links: what a visitor sees, and what nobody reaches with them.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { maxSharedViews } from "../../../src/http/web/share/shared-page.ts";
import { parseSharedView } from "../../../src/http/web/share/shared-view.ts";
import { TimeWindows } from "../../../src/limits/time-windows.ts";
import { saveUser } from "../../../src/storage/users/users.ts";
import { actionsOf } from "../../support/audit.ts";
import { open } from "../../support/events.ts";
import { assertPage } from "../../support/pages.ts";
import { placesWith } from "../../support/stored-bytes.ts";
import { makeWebWorld, requestPage, type SignedInClient, type WebWorld } from "../../support/web-world.ts";
import { run } from "../../support/world.ts";

const path = "/settings/share-links";

interface Given extends WebWorld {
  admin: SignedInClient;
}

/** A campaign with names and a comment, and share links that are allowed. */
async function start(t: TestContext): Promise<Given> {
  const web = await makeWebWorld(t, { keyUsageMs: 20 });
  const { world, organization } = web;
  await world.register(organization, 1, { tracking_type: "Individual", subject: "Moving house" });
  const survey = { type: "survey", survey_id: "s", kind: "enps", score: 9, comment: "Well <b>done</b>" };
  await world.ingest(organization, [open(1), open(2, survey)]);
  const admin = await web.signIn("admin");
  assert.equal((await admin.post(path, "allow_links")).status, 303);
  return { ...web, admin };
}

/** Creates a share link. @returns its path */
async function share(
  { admin }: Pick<Given, "admin">,
  name: string,
  view: string,
  days = "7",
  comments: Record<string, string> = {},
): Promise<string> {
  const { status, text } = await admin.post(path, "add", { name, days, view, ...comments });
  assert.equal(status, 200, text);
  const [, link] = /<code id="link">http:\/\/127\.0\.0\.1(\/shared\/[^<]+)<\/code>/.exec(text) ?? [];
  return link ?? assert.fail(text);
}

test("names no admin who set a value of a shared campaign, and not what it was", async (t) => {
  const given = await start(t);
  const { service, admin } = given;
  const corrected = await admin.post("/campaigns/1", "correct", { subject: "Moving on" });
  assert.equal(corrected.status, 303, corrected.text);
  const details = "/campaigns/1?tab=details";
  assert.match((await admin.get(details)).text, /Moving house[\s\S]*Set by [^ ]+@example\.com/);
  const { text } = await requestPage(service.url + (await share(given, "Details", details)));
  assert.match(bodyOf(text), /Moving on/);
  assert.doesNotMatch(bodyOf(text), /@example\.com, |Set by|Moving house/);
});

const bodyOf = (text: string) => text.slice(text.indexOf("<main"));

test("shows the overview and a campaign to visitors, with comments if asked, without links, forms, names and other pages", async (t) => {
  const given = await start(t);
  const { service, world, organization } = given;
  for (const [view, seen] of [
    [
      "/?period=all",
      /<h1>Overview<\/h1>[\s\S]*All time · Human only[\s\S]*<span>1 campaign<\/span>, still counting: <span>2\.0%<\/span> so far\.[\s\S]*Well &lt;b&gt;done/,
    ],
    ["/campaigns/1", /Moving house<\/bdi><\/h1>[\s\S]*Open rate[\s\S]*Well &lt;b&gt;done/],
    ["/campaigns/1?tab=surveys&list=q%3Dx", /Moving house<\/bdi><\/h1>[\s\S]*1 comment/],
  ] as const) {
    const hidden = await requestPage(service.url + (await share(given, `Plain ${view}`, view)));
    assert.doesNotMatch(bodyOf(hidden.text), /done|Latest comments|<h2>Comments|1 comment/, view);
    const link = await share(given, `Link ${view}`, view, "7", { comments: "yes" });
    const { status, text, headers } = await requestPage(service.url + link);
    assert.equal(status, 200, view);
    assert.match(text, seen);
    assert.match(text, /<strong>Acme<\/strong> <span[^>]*>Shared view\. This link works until Jun 22, 2026/);
    assert.doesNotMatch(bodyOf(text), /<form|<button|<input|<nav|href=|person-2|admin-1|form_token/, view);
    const page = await given.admin.get(view);
    assert.match(bodyOf(page.text), view.startsWith("/campaigns") ? /href=[\s\S]*person-2/ : /href=/);
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("x-robots-tag"), "noindex");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.deepEqual(headers.getSetCookie(), []);
    assert.deepEqual(await placesWith(world, link.slice("/shared/".length)), []);
  }
  const entries = await actionsOf(world, organization.id);
  assert.deepEqual(entries.slice(-2), [
    "admin-1@example.com, share-link.add, Plain /?period=all",
    "admin-1@example.com, share-link.allow, Acme",
  ]);
});

test("lists who made a link, until when it works and when it was opened, and revokes it", async (t) => {
  const given = await start(t);
  const { admin, service, world } = given;
  const link = await share(given, "Board", "/campaigns/1");
  const row = async () =>
    /<th scope="row" class="text">Board[\s\S]*?<\/tr>/.exec(await admin.read(path))?.[0] ?? "";
  assert.match(
    await row(),
    /<a href="\/campaigns\/1">Campaign 1<\/a>[\s\S]*admin-1@example\.com[\s\S]*Jun 22, 2026, 12:00 PM UTC[\s\S]*not opened yet/,
  );
  world.clock.now += 2 * dayMs;
  assert.equal((await requestPage(service.url + link)).status, 200);
  await t.waitFor(async () => assert.match(await row(), /Jun 17, 2026, 12:00 PM UTC/));
  const listed = await run(world.databaseUrl, ["key", "list", "--organization", "1", "--json"]);
  const { id, scope, selection } = listed.rows.find(({ name }) => name === "Board") ?? {};
  assert.deepEqual([scope, selection], ["share-link", "/campaigns/1"]);
  // It is no key that could be rolled, and not in the list of keys.
  assert.doesNotMatch(await admin.read("/settings/integrations/analytics-api"), /Board/);
  assert.equal((await admin.post(`/settings/integrations/analytics-api/${id}`, "delete")).status, 404);
  const rolled = await run(world.databaseUrl, ["key", "roll", "--organization", "1", "--id", String(id)]);
  assert.match(rolled.stderr, /key \d+ is a share link; create another one/);
  const revoked = await admin.post(path, "revoke", { link: String(id) });
  assert.deepEqual([revoked.status, revoked.notice], [303, 'Revoked the share link \u2068"Board"\u2069.']);
  assert.equal((await requestPage(service.url + link)).status, 404);
  assert.equal((await admin.post(path, "revoke", { link: String(id) })).status, 404);
});

test("refuses a link that expired, is misspelled or turned off with the same page", async (t) => {
  const given = await start(t);
  const { admin, service, world } = given;
  const link = await share(given, "Board", "/", "1");
  const answers: string[] = [];
  const refused = async (url: string) => {
    const { status, text } = await requestPage(service.url + url);
    assert.equal(status, 404, url);
    answers.push(bodyOf(text));
  };
  await refused(link.slice(0, -1) + (link.endsWith("x") ? "y" : "x"));
  await refused("/shared/ea_test_1_x");
  assert.equal((await admin.post(path, "refuse_links")).status, 303);
  await refused(link);
  assert.equal((await admin.post(path, "add", { name: "Other", days: "7", view: "/" })).status, 409);
  // The link to the form asks to allow links first, and keeps the view.
  assert.match(await admin.read("/?period=all"), /href="\/settings\/share-links\?view=%2F%3Fperiod%3Dall"/);
  const form = `${path}?view=%2F%3Fperiod%3Dall`;
  assert.doesNotMatch(await admin.read(form), /Create link/);
  const allowed = await admin.post(form, "allow_links");
  assert.deepEqual([allowed.status, allowed.location], [303, form]);
  assert.match(await admin.read(form), /Create link/);
  assert.equal((await requestPage(service.url + link)).status, 200);
  world.clock.now += dayMs;
  await refused(link);
  assert.equal(new Set(answers).size, 1);
  assert.match(answers[0] ?? "", /This link expired or was revoked\./);
});

test("refuses parameters, forms, other pages and the API with a share link", async (t) => {
  const given = await start(t);
  const { service } = given;
  const link = await share(given, "Board", "/campaigns/1");
  const key = link.slice("/shared/".length);
  const changed = await requestPage(`${service.url}${link}?tab=links`);
  assertPage(changed, 400, /takes no parameters, such as &quot;tab&quot;\. Open it as you received it\./);
  const cookie = `ea_session=${key}`;
  for (const page of ["/", "/campaigns/1", "/campaigns/1/recipients", "/campaigns.csv", path]) {
    const { status, location } = await requestPage(service.url + page, { cookie });
    assert.deepEqual([status, location?.startsWith("/sign-in")], [303, true], page);
  }
  for (const page of [`${link}/recipients`, `/data_api/v1/links/${key}.csv`]) {
    assert.equal((await requestPage(service.url + page)).status, 404, page);
  }
  assert.equal((await requestPage(service.url + link, { fields: { action: "close" } })).status, 405);
  for (const page of ["/data_api/v1/emails", "/odata/v1/emails", "/data_api/v1/emails.csv"]) {
    assertPage(await service.get(page, { key }), 403, /has the scope \\?"share-link/, page);
  }
  const sent = await service.send("/ingest/v1/events", { key, body: { events: [] } });
  assert.equal(sent.status, 403);
});

test("lets only admins of the organization share, and only views of their own campaigns", async (t) => {
  const given = await start(t);
  const { admin, world, service } = given;
  const link = await share(given, "Board", "/");
  const fields = { name: "Other", days: "7", view: "/" };
  assert.doesNotMatch(await (await given.signIn("viewer")).read("/"), /share-links/);
  const { organization: other } = await world.addOrganization({ name: "Globex" });
  await world.register(other, 1, {});
  await world.register(other, 2, {});
  const hank = await given.signIn("admin", { email: "hank@globex.example", organization: other });
  assert.doesNotMatch(await hank.read(path), /Board/);
  const listed = await run(world.databaseUrl, ["key", "list", "--organization", "1", "--json"]);
  const id = String(listed.rows.find(({ name }) => name === "Board")?.id);
  assert.equal((await hank.post(path, "revoke", { link: id })).status, 404);
  assert.equal((await admin.post(path, "add", { ...fields, view: "/campaigns/2" })).status, 404);
  for (const [changed, problem] of [
    [{ view: "/settings/people" }, /View: &quot;\/settings\/people&quot; is not the URL of the overview/],
    [{ view: "//evil.example/" }, /is not the URL of the overview/],
    [{ view: "/?period=never" }, /never/],
    [{ days: "366" }, /a whole number from 1 to 365/],
    [{ name: "" }, /Link name/],
  ] as const) {
    assertPage(await admin.post(path, "add", { ...fields, ...changed }), 400, problem);
  }
  assert.equal((await admin.post(path, "add", { ...fields, name: "board" })).status, 409);
  await world.database.transactionOf(admin.user.organizationId, (scope) =>
    saveUser(scope, admin.user, { role: "viewer" }),
  );
  assert.equal((await admin.post(path, "revoke", { link: id })).status, 403);
  assert.equal((await requestPage(service.url + link)).status, 200);
});

test("shows script in names of a share link as text, and withholds few answers as pages do", async (t) => {
  const given = await start(t);
  const { admin, world, organization, service } = given;
  const script = "<script>alert(1)</script>";
  await share(given, script, "/?team=%3Cscript%3Ealert(2)%3C%2Fscript%3E");
  assert.doesNotMatch(await admin.read(path), /<script>alert/);
  await world.register(organization, 5, { tracking_type: "Anonymous", subject: script });
  const survey = { type: "survey", survey_id: "s", kind: "enps", score: 9, comment: "Only one" };
  await world.ingest(organization, [open(9, { ...survey, campaign_id: 5 })]);
  const link = await share(given, "Few", "/campaigns/5");
  const { text } = await requestPage(service.url + link);
  assert.match(text, /&lt;script&gt;alert\(1\)/);
  assert.doesNotMatch(text, /<script>alert|Only one/);
});

test("answers 429 when a link is opened too often within an hour", async (t) => {
  const given = await start(t);
  const { service, world } = given;
  const link = await share(given, "Gone", "/campaigns/1");
  await world.database.transactionOf(given.admin.user.organizationId, (scope) =>
    saveUser(scope, given.admin.user, { role: "viewer" }),
  );
  // All but ten views were before.
  const { at } = TimeWindows.prototype;
  let isUsed = false;
  t.mock.method(TimeWindows.prototype, "at", function (this: TimeWindows<object>, key: string) {
    const window = at.call(this, key) as { count: number };
    if (!isUsed) window.count = maxSharedViews - 10;
    isUsed = true;
    return window;
  });
  const views = await Promise.all(Array.from({ length: 20 }, () => requestPage(service.url + link)));
  const statuses = views.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(10).fill(429)]);
});

test("keeps of a shared URL what belongs to its page", () => {
  const urlOf = (url: string) => parseSharedView(url)?.url;
  assert.equal(urlOf("/?period=2026&chart=enps&evil=1&team="), "/?period=2026&chart=enps");
  const tab = "/campaigns/7?tab=links";
  assert.equal(urlOf(`${tab}&list=period%3D2026&traffic=all`), `${tab}&traffic=all`);
  for (const url of [
    "",
    "x",
    "/campaigns",
    "/campaigns/0",
    "/campaigns/7/recipients",
    "//here/",
    "https://x/",
  ])
    assert.equal(urlOf(url), undefined, url);
});
