// The recipients of a campaign: who may see them, that the audit log has each look, filters, pages and the CSV file.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { closeCampaign } from "../../../../../src/counting/campaigns/close-campaigns.ts";
import { actionsOf } from "../../../../support/audit.ts";
import { click, open, opens } from "../../../../support/events.ts";
import { assertMatches, assertPage, textOf } from "../../../../support/pages.ts";
import { makeWebWorld, requestPage } from "../../../../support/web-world.ts";
import { campaign, present } from "../../../../support/world.ts";

const path = "/campaigns/1/recipients";
const prefetch = { user_agent: "Mozilla/5.0" };

/** Campaign 1, sent to ten, with these events, and a signed-in admin. */
async function given(t: TestContext, events: Record<string, unknown>[], register = {}) {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  await world.register(organization, 1, { recipient_count: 10, tracking_type: "Individual", ...register });
  await world.ingest(organization, events);
  return { ...site, admin: await site.signIn("admin") };
}

const namesOn = (page: string) =>
  [...page.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, name = ""]) => name.replace("@example.com", ""));

test("lists recipients with what each did, and says how many it cannot name", async (t) => {
  const { admin } = await given(t, [
    open(1, { device: "mobile" }),
    open(1, { id: "read", type: "read", seconds: 20 }),
    click(2),
    open(3, { type: "survey", kind: "pulse", survey_id: "lunch", answer: "<More> soup" }),
    open(4, prefetch),
  ]);
  const text = await admin.read(path);
  assert.deepEqual(namesOn(text), ["person-1", "person-2", "person-3", "person-4"]);
  assertMatches(textOf(text), [
    /10 recipients\. Opened: 3\. Not opened: 6\. Unknown: 1\. 0 non-openers are listed; for 6 we received no event\./,
    /person-1@example\.com 1 Mobile Read 0 (– no value ){2}person-2@example\.com 1 (– no value ){2}1 Jun 15, 2026, 11:30 AM UTC/,
    /lunch: <More> soup/,
  ]);
  assert.doesNotMatch(text, /Next page/);
  const unknown = await admin.read(`${path}?filter=unknown`);
  assert.deepEqual(namesOn(unknown), ["person-4"]);
  assert.match(textOf(unknown), /whether they opened is unknown/);
});

test("says that more opened than there are recipients, in the same words as the other pages", async (t) => {
  const clicks = [1, 2].map((index) => click(index, { id: `click-${index}` }));
  const { admin } = await given(t, [...opens(5), ...clicks], { recipient_count: 4 });
  const more = "5 opened, more than the 4 named recipients";
  const read = async (url: string) => textOf(await admin.read(url));
  const list = await read(path);
  assert.match(list, new RegExp(` ${more}\\. `));
  assert.doesNotMatch(list, /Not opened: /);
  const summary = await read("/campaigns/1");
  assert.match(summary, new RegExp(`Open rate 100\\.0% \\(51–100\\) ${more} .* 2 of 4`));
  assert.match(await read("/campaigns/1?tab=details"), new RegExp(` ${more}\\. `));
  const { admin: other } = await given(t, clicks, { recipient_count: 1 });
  const clicked = "2 clicked, more than the 1 named recipient";
  assert.match(await other.read("/campaigns/1"), new RegExp(clicked));
});

test("filters, searches and pages, and rejects a filter that does not exist", async (t) => {
  const { admin } = await given(t, [...opens(60), click(7, { id: "click" }), open(61, prefetch)]);
  const shown = async (query: string) => namesOn(await admin.read(`${path}?${query}`));
  assert.deepEqual(await shown("filter=clicked"), ["person-7"]);
  assert.deepEqual(await shown("filter=unknown"), ["person-61"]);
  assert.deepEqual(await shown("filter=not_opened"), []);
  assert.equal((await shown("filter=opened&q=+PERSON-1")).length, 11);
  assert.match(await admin.read(`${path}?q=nothing`), /No recipients match\./);
  const first = await admin.get(path);
  assert.match(first.text, /<span class="range">50 recipients of a longer list\. The CSV file/);
  const next = /href="([^"]*after=[^"]*)"[^>]*>Next page/.exec(first.text)?.[1] ?? "";
  const second = await admin.get(next.replaceAll("&amp;", "&"));
  const all = [...namesOn(first.text), ...namesOn(second.text)];
  assert.deepEqual([namesOn(first.text).length, new Set(all).size], [50, 61]);
  assert.match(second.text, /Back to the start/);
  const invalid = await admin.get(`${path}?filter=forwarded`);
  assertPage(
    invalid,
    400,
    /forwarded&quot; is not accepted; use one of all, opened, not_opened, unknown, clicked, bounced\./,
  );
});

test("downloads all recipients that match as CSV, without formulas", async (t) => {
  const { admin } = await given(t, [
    ...opens(230),
    click(7, { id: "click", at: "2026-06-15T11:40:00Z" }),
    open(7, { id: "read", type: "read", seconds: 2, recipient: "person-7@example.com" }),
    open(9, {
      ...{ id: "survey", type: "survey", kind: "enps", survey_id: "mood", score: 4 },
      recipient: "=1+1@example.com",
    }),
  ]);
  const file = await admin.get(`${path}.csv`);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get("content-disposition"), 'attachment; filename="recipients-1-human.csv"');
  assert.equal(file.headers.get("cache-control"), "no-store");
  const [header, first, ...rest] = file.text.trimEnd().split("\r\n");
  const names = "Recipient,Opens,Device,Read time,Clicks,First click (UTC),Last click (UTC),Survey answers";
  assert.equal(header, names);
  assert.equal(first, "'=1+1@example.com,1,,,0,,,mood: 4");
  assert.equal(rest.length, 230);
  const clicked = await admin.get(`${path}.csv?filter=clicked&after=zzz`);
  assert.deepEqual(clicked.text.split("\r\n").slice(1), [
    "person-7@example.com,1,,Glanced,1,2026-06-15 11:40:00,2026-06-15 11:40:00,",
    "",
  ]);
});

test("the audit log has each view and download with user and campaign, and no name", async (t) => {
  const { admin, service, world, organization } = await given(t, opens(1));
  await admin.get(path);
  await admin.get(`${path}.csv?q=person`);
  assert.deepEqual(await actionsOf(world, organization.id), [
    "admin-1@example.com, recipients.export, campaign 1",
    "admin-1@example.com, recipients.view, campaign 1",
  ]);
  assert.doesNotMatch(service.log(), /person-1/);
});

test("refuses viewers, strangers and users of other organizations", async (t) => {
  const { signIn, service, world, organization } = await given(t, opens(1));
  const viewer = await signIn("viewer");
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const stranger = await signIn("admin", { organization: other });
  for (const each of [path, `${path}.csv`]) {
    const refused = await viewer.get(each);
    assertPage(refused, 403, /You need the Admin role/);
    assert.equal((await stranger.get(each)).status, 404);
    assert.equal((await requestPage(service.url + each)).status, 303);
    assert.doesNotMatch(refused.text, /person-1/);
  }
  assert.doesNotMatch(await viewer.read("/campaigns/1"), /\/recipients/);
  for (const { id } of [organization, other]) assert.deepEqual(await actionsOf(world, id), []);
});

test("says why there is no list with other tracking, imported numbers or a closed campaign", async (t) => {
  const { admin, world, organization } = await given(t, opens(1));
  for (const [id, tracking_type] of Object.entries({ 2: "Anonymous", 3: "Overall" })) {
    await world.register(organization, Number(id), { tracking_type });
    await world.ingest(organization, [open(1, { campaign_id: Number(id) })]);
  }
  await world.save(organization, [campaign({ id: 4 })]);
  await world.database.transactionOf(organization.id, (scope) =>
    closeCampaign(scope, organization, 1, present),
  );
  for (const [id, reason] of [
    [1, /The campaign is closed: its recipients were deleted/],
    [2, /Anonymous tracking: each recipient/],
    [3, /Overall tracking: the campaign/],
    [4, /Imported numbers have no recipients/],
  ] as const) {
    const page = await admin.get(`/campaigns/${id}/recipients`);
    assertPage(page, 200, reason);
    assert.doesNotMatch(page.text, /<table/);
    assertPage(await admin.get(`/campaigns/${id}/recipients.csv`), 404, reason);
  }
  assert.deepEqual(await actionsOf(world, organization.id), []);
});

test("lists who bounced, and names no one else whom only an outcome names", async (t) => {
  const outcome = (number: number, type: string, more = {}) =>
    open(number, { id: `${type}-${number}`, type, ...more });
  const { admin, world, organization } = await given(t, [
    open(1),
    ...[1, 2, 3].map((number) => outcome(number, "delivery")),
    outcome(4, "bounce", { bounce: "hard" }),
    outcome(5, "bounce", { bounce: "soft" }),
    outcome(6, "bounce", { bounce: "suppressed" }),
    outcome(2, "complaint"),
    outcome(3, "unsubscribe"),
  ]);
  assert.deepEqual(namesOn(await admin.read(`${path}?filter=bounced`)), ["person-4", "person-5"]);
  for (const filter of ["", "?filter=opened"]) {
    assert.deepEqual(namesOn(await admin.read(path + filter)), ["person-1"], filter);
  }
  for (const filter of ["not_opened", "clicked"]) {
    assert.deepEqual(namesOn(await admin.read(`${path}?filter=${filter}`)), [], filter);
  }
  assert.match(
    textOf(await admin.read("/campaigns/1")),
    /3 delivered, 1 hard, 1 soft bounces, 1 suppressed, 1 unsubscribed, 1 complaint\. 4 recipients have no outcome yet\./,
  );
  await world.register(organization, 2, { recipient_count: 3 });
  await world.ingest(organization, [outcome(1, "bounce", { campaign_id: 2, bounce: "hard" })]);
  assert.match(
    textOf(await admin.read("/campaigns/2")),
    /1 hard, 0 soft bounces\. Deliveries are not reported\./,
  );
  await world.register(organization, 3, { delivery_reports: ["delivery", "complaint"], recipient_count: 2 });
  const all = [7, 8].map((number) => outcome(number, "delivery", { campaign_id: 3 }));
  await world.ingest(organization, all);
  assert.match(textOf(await admin.read("/campaigns/3")), /2 delivered \(100\.0%\), no complaints\. (?!\d)/);
  assert.match(textOf(await admin.read("/campaigns/3?tab=details")), /Delivered 2 Spam complaints 0/);
});
