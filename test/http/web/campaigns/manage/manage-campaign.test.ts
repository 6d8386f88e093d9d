// Registering, correcting, closing and deleting a campaign in the browser.

import assert from "node:assert/strict";
import test from "node:test";
import { findCampaigns } from "../../../../../src/storage/campaigns/campaigns.ts";
import { findSenders } from "../../../../../src/storage/keys/senders.ts";
import { actionsOf } from "../../../../support/audit.ts";
import { open } from "../../../../support/events.ts";
import { assertPage } from "../../../../support/pages.ts";
import { sqliteTest } from "../../../../support/sqlite-test.ts";
import { makeWebWorld, makeWebWorldOf, type WebWorld } from "../../../../support/web-world.ts";
import { campaign } from "../../../../support/world.ts";

const page = "/campaigns/1?tab=details";

/** What is stored of a campaign. */
const find = async ({ world, organization }: Pick<WebWorld, "world" | "organization">, id = 1) =>
  (await world.database.queryOf(organization.id, (scope) => findCampaigns(scope, [id])))[0];

test("closes a counted campaign, whose numbers stay, and deletes it", async (t) => {
  const web = await makeWebWorldOf("admin", t);
  const { world, organization, admin } = web;
  await world.register(organization, 1, { subject: "Spring <b>" });
  await world.ingest(organization, [open(1), open(2)]);
  assert.match(await admin.read("/campaigns/1?tab=details"), /Correct this campaign/);
  assert.match(await admin.read(page), /Close this campaign/);
  const closed = await admin.post(page, "close");
  assert.deepEqual([closed.status, closed.location], [303, "/campaigns/1"]);
  assert.equal((await find(web))?.counting?.closedAt, world.clock.now);
  assert.doesNotMatch(await admin.read(page), /Close this campaign/);
  const again = await admin.post(page, "close");
  assertPage(again, 409, /Only an open campaign that is counted from events can be closed/);

  const deleted = await admin.post(page, "delete");
  assert.deepEqual([deleted.status, deleted.location], [303, "/campaigns"]);
  assert.match(deleted.notice, /Deleted “.*Spring <b>.*”/);
  assert.equal(await find(web), undefined);
  assert.equal((await admin.post(page, "delete")).status, 404);
});

sqliteTest("deletes an imported campaign, which cannot be closed, and brings it back", async (t) => {
  const { world, organization, admin } = await makeWebWorldOf("admin", t);
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
  assert.equal((await admin.post(page, "close")).status, 409);
  const before = await find({ world, organization });
  const { status, location } = await admin.post(page, "delete");
  assert.equal(status, 303);
  assert.equal((await admin.get("/campaigns/1")).status, 404);
  assert.equal((await admin.get("/campaigns/2")).status, 200);
  assert.equal((await admin.post(location ?? "", "undo")).status, 303);
  assert.deepEqual(await find({ world, organization }), before);
});

const path = "/campaigns/register";
const entered = { subject: "Spring <b>", sent_at: "2026-03-01T09:30", recipient_count: "200" };
/** What is wrong with each field, as text. */
const problemsIn = (text: string) => {
  const problems = [...text.replaceAll("&quot;", '"').matchAll(/id="(\w+)_problem">(.*?)<\/p>/g)];
  return Object.fromEntries(problems.map(([, name, problem = ""]) => [name, problem]));
};

test("registers a campaign with three fields or with all, under a free id", async (t) => {
  const web = await makeWebWorldOf("admin", t, { timeZone: "Europe/Berlin" });
  const { world, organization, admin } = web;
  // Ids that an import generated are not counted on.
  await world.save(organization, [campaign({ id: 7 }), campaign({ id: 2 ** 52 + 5 })]);
  await world.ingest(organization, [open(1, { campaign_id: 8 }), open(2, { campaign_id: "spring-2" })]);
  assert.match(await admin.read("/campaigns?period=all"), /href="\/campaigns\/register"/);
  const [sender] = (await world.database.queryOf(organization.id, findSenders)).keys();
  const senders = String(sender);
  const first = await admin.post(path, "register", { ...entered, senders });
  // The quarantined event is of another campaign, which its sender has not registered yet.
  assert.deepEqual([first.status, first.location], [303, "/campaigns/9"]);
  assert.match(first.notice, /Registered “.*Spring <b>.*”\. Events name it with the campaign ID 9\./);
  const second = await admin.post(path, "register", { ...entered, senders, id: "8" });
  assert.equal(second.location, "/campaigns/8");
  const unsent = await admin.post(path, "register", { ...entered, id: "11" });
  assert.match(unsent.text, /Sender: is missing; choose the key/);
  const all = {
    ...{ ...entered, id: "12", sent_from: "news@example.com", team: "Comms", sending_type: "Scheduled" },
    ...{ tracking_type: "Individual", tags: "News\r\n HR \r\n\r\n", recipient_groups: "Sales\r\nIT" },
    ...{ surveys_count: "1", external_id: "spring-2" },
  };
  assert.equal((await admin.post(path, "register", all)).location, "/campaigns/12");
  const [minimal, whole] = [await find(web, 8), await find(web, 12)];
  const common = { subject: "Spring <b>", sentAt: Date.parse("2026-03-01T08:30Z"), recipientCount: 200 };
  assert.deepEqual(minimal?.campaign, {
    ...{ ...common, id: 8, sentFrom: null, team: null, sendingType: "Immediate" },
    ...{ trackingType: "Anonymous", recipients: "", surveysCount: 0 },
  });
  assert.deepEqual(whole?.campaign, {
    ...{ ...common, id: 12, sentFrom: "news@example.com", team: "Comms", sendingType: "Scheduled" },
    ...{ trackingType: "Individual", recipients: "Sales, IT", surveysCount: 1 },
  });
  assert.deepEqual(whole.tags.map(({ name }) => name).sort(), ["HR", "News"]);
  // Events that came before are counted.
  for (const { numbers } of [minimal, whole]) {
    assert.equal("tallies" in numbers && numbers.tallies.all.uniqueOpens, 1);
  }
  assert.deepEqual(await actionsOf(world, organization.id), [
    "admin-1@example.com, campaign.add, campaign 12",
    "admin-1@example.com, campaign.add, campaign 8",
    "admin-1@example.com, campaign.add, campaign 9",
  ]);
});

sqliteTest("shows each problem beside its field, and registers nothing over another campaign", async (t) => {
  const web = await makeWebWorldOf("admin", t);
  const { world, organization, admin } = web;
  await world.register(organization, 3, { external_id: "mine" });
  const wrong = {
    ...{ subject: "<i>", sent_at: "soon", recipient_count: "1,250", id: "x", sending_type: "Timezone" },
  };
  const { status, text } = await admin.post(path, "register", { ...wrong, tracking_type: "Overall" });
  assert.equal(status, 400);
  assert.deepEqual(problemsIn(text), {
    sent_at: '"soon" is not an ISO-8601 time, such as 2026-01-31T09:00:00Z',
    recipient_count: '"1,250" is not a whole number from 0 to 9007199254740991',
    id: "use a whole number from 1 to 9007199254740991",
    tracking_type: '"Overall" is not possible with the sending_type "Timezone"; use Individual or Anonymous',
  });
  assert.match(text, /<details class="more-fields" open>/);
  assert.match(text, /value="&lt;i&gt;"/);
  const missing = problemsIn((await admin.post(path, "register", {})).text);
  assert.deepEqual(Object.keys(missing), ["subject", "sent_at", "recipient_count"]);
  for (const [field, value, problem] of [
    ["id", "3", "campaign 3 exists already; use another id."],
    ["external_id", "mine", '"mine" already belongs to campaign 3.'],
  ] as const) {
    const refused = await admin.post(path, "register", { ...entered, [field]: value });
    assert.equal(refused.status, 409);
    assert.deepEqual(problemsIn(refused.text), { [field]: problem });
  }
  assert.deepEqual(await actionsOf(world, organization.id), []);
  assert.notEqual((await find(web, 3))?.campaign.subject, entered.subject);
});

/** The form of a page as a browser sends it back, without the token and the action. */
const formOf = (text: string): Record<string, string> => {
  const [form = ""] = /name="action" value="correct".*?<\/form>/s.exec(text) ?? [];
  const unescaped = (value = "") =>
    value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  const inputs = [...form.matchAll(/<input [^>]*?name="([^"]+)"[^>]*? value="([^"]*)"/g)];
  const areas = [...form.matchAll(/<textarea [^>]*?name="([^"]+)"[^>]*>([^<]*)</g)];
  const selects = [...form.matchAll(/<select [^>]*?name="([^"]+)".*?<option value="([^"]*)" selected/gs)];
  return Object.fromEntries(
    [...inputs, ...areas, ...selects].map(([, name, value]) => [name, unescaped(value)]),
  );
};

sqliteTest("corrects a mistyped number of recipients of an import, and the rates from it", async (t) => {
  const web = await makeWebWorldOf("admin", t);
  const { world, organization, service, key, admin } = web;
  const sentAt = Date.parse("2026-03-01T08:30:15.250Z");
  const counts = { unique_opens: 600, unopened: 1_249_400, unique_clicks: 125 };
  const imported = campaign({
    ...{ id: 1, sentAt, recipientCount: 1_250_000, sendingType: "Odd", recipients: "A, B", team: "Comms" },
    metrics: { ...counts, open_rate: 0.0005, click_rate: 0.2 },
  });
  await world.save(organization, [{ ...imported, tags: [{ name: "News", color: "#112233" }] }]);
  const before = (await service.emails(key)).emails[0];
  const form = formOf(await admin.read(page));
  assert.equal((await admin.post(page, "correct", form)).status, 303);
  assert.deepEqual((await service.emails(key)).emails[0], before);
  const corrected = await admin.post(page, "correct", { ...form, recipient_count: "1250" });
  assert.deepEqual([corrected.status, corrected.location], [303, "/campaigns/1"]);
  assert.equal((await find(web))?.campaign.sentAt, sentAt);
  // The click rate was given otherwise than its counts, so it stays.
  const rates = { recipient_count: 1250, open_rate: 0.48, unopened: 650 };
  assert.deepEqual((await service.emails(key)).emails[0], { ...before, ...rates });
  assert.match(await admin.read("/?period=all"), /48\.0%/);
  const now = {
    ...{ ...form, recipient_count: "", sent_at: "2026-03-02T10:00", subject: "New", team: "" },
    ...{ recipient_groups: "C", shown_recipient_count: "1250" },
  };
  assert.equal((await admin.post(page, "correct", now)).status, 303);
  const stored = await find(web);
  const { recipientCount, team, recipients, sentAt: later } = stored?.campaign ?? {};
  const expected = [null, null, "C", Date.parse("2026-03-02T10:00Z")];
  assert.deepEqual([recipientCount, team, recipients, later], expected);
  const [news] = stored?.tags ?? [];
  const boxes = { shown_tags: String(news?.id), tag: "HR" };
  assert.equal((await admin.post("/campaigns/1", "tags", boxes)).status, 303);
  assert.deepEqual(
    (await find(web))?.tags.map(({ name }) => name),
    ["HR"],
  );
  const present = formOf(await admin.read(page));
  const wrong = { ...present, subject: "", sent_at: "2026-02-30T09:00" };
  const refused = await admin.post(page, "correct", wrong);
  assert.deepEqual([refused.status, ...Object.keys(problemsIn(refused.text))], [400, "subject", "sent_at"]);
  assert.deepEqual(await actionsOf(world, organization.id), [
    "admin-1@example.com, campaign.change, campaign 1: tags",
    "admin-1@example.com, tag.add, HR",
    "admin-1@example.com, campaign.change, campaign 1: subject, sent_at, recipient_count, team, recipient_groups",
    "admin-1@example.com, campaign.change, campaign 1: recipient_count",
  ]);
  assert.match(await admin.read(page), /A value that you set stays at the next import of this campaign/);
});

test("corrects a counted campaign without touching what was counted or not edited", async (t) => {
  const web = await makeWebWorldOf("admin", t);
  const { world, organization, admin } = web;
  await world.register(organization, 1, { surveys_count: 2, external_id: "mine" });
  await world.ingest(organization, [open(1), open(2)]);
  const before = await find(web);
  const form = formOf(await admin.read(page));
  // Meanwhile a program gives it a team.
  await world.register(organization, 1, { surveys_count: 2, external_id: "mine", team: "Sales" });
  assert.equal((await admin.post(page, "correct", { ...form, recipient_count: "40" })).status, 303);
  const after = await find(web);
  assert.deepEqual(after?.numbers, before?.numbers);
  assert.deepEqual(after?.campaign, { ...before?.campaign, team: "Sales", recipientCount: 40 });
  assert.equal(after?.counting?.externalId, "mine");
  assert.match(
    await admin.read(page),
    /A value that you set stays when a program registers this campaign again/,
  );
  const refused = await admin.post(page, "correct", { ...form, tracking_type: "Overall" });
  assert.equal(refused.status, 409);
  assert.match(problemsIn(refused.text).tracking_type ?? "", /events of campaign 1 were already counted/);
  await admin.post(page, "close");
  const fewer = { ...form, recipient_count: "41", shown_recipient_count: "40" };
  const closed = problemsIn((await admin.post(page, "correct", fewer)).text);
  assert.match(closed.recipient_count ?? "", /campaign 1 is closed and its numbers are final; keep 40/);
});

sqliteTest("knows no campaign of another organization, and shows viewers no link", async (t) => {
  const web = await makeWebWorld(t);
  const { world, organization, signIn } = web;
  await world.register(organization, 1);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const [viewer, stranger] = [await signIn("viewer"), await signIn("admin", { organization: other })];
  assert.doesNotMatch(await viewer.read("/campaigns/1?tab=details"), /Correct this campaign|Edit tags/);
  assert.doesNotMatch(await viewer.read("/campaigns?period=all"), /campaigns\/register/);
  assert.equal((await stranger.get(page)).status, 404);
  for (const action of ["correct", "close", "delete"]) {
    assert.equal((await stranger.post(page, action)).status, 404);
  }
  assert.equal((await find(web))?.counting?.closedAt, null);
});

test("says with both values that someone else changed a field meanwhile, and replaces it only when asked again", async (t) => {
  const web = await makeWebWorld(t);
  const { world, organization, signIn } = web;
  await world.save(organization, [campaign({ id: 1, subject: "Old", team: "Comms", tags: ["News"] })]);
  await world.register(organization, 2, { subject: "Old", team: "Comms", tags: ["News"] });
  const [ann, bob] = [await signIn("admin"), await signIn("admin")];
  for (const id of [1, 2]) {
    const page = `/campaigns/${id}?tab=details`;
    const form = formOf(await ann.read(page));
    const first = { ...form, subject: "Ann's", team: "Ann's" };
    assert.equal((await ann.post(page, "correct", first)).status, 303);
    const second = { ...form, subject: "Bob's", team: "Bob's", recipient_count: "7" };
    const told = await bob.post(page, "correct", second);
    assert.equal(told.status, 409);
    const question = `someone changed this to "Ann's" meanwhile. Send the form again to replace that by "Bob's".`;
    assert.deepEqual(problemsIn(told.text), { subject: question });
    const { campaign: unchanged } = (await find(web, id)) ?? {};
    assert.deepEqual([unchanged?.subject, unchanged?.recipientCount === 7], ["Ann's", false]);
    // The same value, and fields that only one of them edited, are no conflict.
    const same = { ...form, subject: "Ann's", sent_from: "bob@example.com" };
    assert.equal((await bob.post(page, "correct", same)).status, 303);
    // The form that is shown again knows the present value, so sending it is a decision, but for the other field.
    const again = await bob.post(page, "correct", formOf(told.text));
    assert.deepEqual([again.status, problemsIn(again.text)], [409, { team: question }]);
    assert.equal((await bob.post(page, "correct", formOf(again.text))).status, 303);
    const { campaign: after } = (await find(web, id)) ?? {};
    const { subject, team, recipientCount, sentFrom } = after ?? {};
    assert.deepEqual([subject, team, recipientCount, sentFrom], ["Bob's", "Bob's", 7, "bob@example.com"]);
    // Sent at once, the second one is told, too.
    const now = formOf(await ann.read(page));
    const both = [ann, bob].map((each, index) =>
      each.post(page, "correct", { ...now, team: `Team ${index}` }),
    );
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [303, 409]);
  }
});

test("a form of a deleted campaign changes no other one that has its ID", async (t) => {
  const web = await makeWebWorldOf("admin", t);
  const { world, organization, admin } = web;
  await world.register(organization, 1, { subject: "Same" });
  const { registration, ...form } = formOf(await admin.read(page));
  const old = { ...form, registration: registration as string };
  await admin.post(page, "delete", old);
  await world.register(organization, 1, { subject: "Same", team: "Later" });
  for (const action of ["correct", "close", "delete"]) {
    const refused = await admin.post(page, action, { ...old, subject: "Changed" });
    assert.equal(refused.status, 409, action);
    assert.match(refused.text, /The campaign of this form was deleted, and another one has its ID now\./);
    const form = formOf(await admin.read(page));
    assert.deepEqual(formOf(refused.text), form, "the form of the campaign that is there");
  }
  const stored = await find(web);
  assert.deepEqual([stored?.campaign.subject, stored?.counting?.closedAt], ["Same", null]);
  assert.equal((await admin.post(page, "delete", formOf(await admin.read(page)))).status, 303);
});
