// PUT and DELETE /ingest/v1/campaigns/{id}: registers, changes and removes campaigns.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { purgeRetiredLedger } from "../../../src/counting/campaigns/purge-retired-ledger.ts";
import { findQuestions } from "../../../src/storage/campaigns/campaign-questions.ts";
import { refusal } from "../../support/refusal.ts";
import { campaignsPath, event, type ServedSender, serveSender } from "../../support/serve-sender.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, countedCampaign } from "../../support/world.ts";

test("registers a campaign with 201 and shows it in the very next response with empty metrics", async (t) => {
  const { service, put, key } = await serveSender(t, { timeZone: "Europe/Berlin" });
  const answer = await put(7, {
    subject: "The week in brief",
    sent_at: "2026-06-15T09:05:00",
    team: "Internal Communications",
    sending_type: "Timezone",
    tracking_type: "Anonymous",
    recipient_count: 135,
    recipient_groups: ["Headquarters", "Sales"],
    tags: [{ name: "News", color: "#FF0000" }],
    surveys_count: 2,
    external_id: "weekly-24",
  });
  assert.deepEqual([answer.status, answer.body], [201, { id: 7, status: "added" }]);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  const { text } = await service.get("/data_api/v1/emails", { key });
  assert.equal(
    text,
    '{"emails":[{"id":7,"subject":"The week in brief","sent_at":"Jun 15, 2026 9:05 AM",' +
      '"sent_from":"news@example.com","organization_team":"Internal Communications",' +
      '"sending_type":"Timezone","tracking_type":"Anonymous","open_rate":0,"click_rate":0,"unique_opens":0,' +
      '"multiple_opens":0,"unopened":135,"total_opens":0,"unique_clicks":0,"multiple_clicks":0,' +
      '"total_clicks":0,"click_per_unique_open_rate":0,"desktop_open_rate":0,"mobile_open_rate":0,' +
      '"tags":[{"name":"News","color":"#FF0000"}],"recipient_count":135,"recipients":"Headquarters, Sales",' +
      '"read_time_glanced":0,"read_time_skimmed":0,"read_time_read":0,"surveys_count":2,' +
      '"enps_score_average":0,"enps_reactions_count":0,"enps_comments_count":0,"survey_reactions_count":0,' +
      '"survey_reactions_comments_count":0}],"meta":{"page":1,"per_page":10,"total_entries":1,"total_pages":1}}',
  );
});

sqliteTest("fills in the other fields of a campaign that has the three required ones", async (t) => {
  const { service, ingestKey, key } = await serveSender(t);
  const path = `${campaignsPath}/7`;
  const body = { subject: "Hello", sent_at: "2026-06-15T09:00:00Z", recipient_count: 10 };
  assert.equal((await service.send(path, { method: "PUT", key: ingestKey, body })).status, 201);
  const { emails } = JSON.parse((await service.get("/data_api/v1/emails", { key })).text) as {
    emails: Record<string, unknown>[];
  };
  const { sent_from, organization_team, sending_type, tracking_type, recipients, tags } = emails[0] ?? {};
  assert.deepEqual(
    { sent_from, organization_team, sending_type, tracking_type, recipients, tags },
    {
      ...{ sent_from: "", organization_team: "", sending_type: "Immediate", tracking_type: "Anonymous" },
      ...{ recipients: "", tags: [] },
    },
  );
  // The surveys that are described are counted.
  const surveys = [{ survey_id: "s", kind: "enps", question: "Would you?" }];
  await service.send(path, { method: "PUT", key: ingestKey, body: { ...body, surveys, team: null } });
  const { campaign } = JSON.parse((await service.get(path, { key: ingestKey })).text);
  assert.deepEqual([campaign.surveys_count, campaign.team], [1, null]);
});

sqliteTest("returns a campaign as it was registered, so that a program can change one field", async (t) => {
  const { service, put, ingestKey, key, world } = await serveSender(t);
  await put(7, { recipient_groups: ["A", "B, C"], tags: ["b", "a"], external_id: "x-7" });
  const path = `${campaignsPath}/7`;
  const read = async (id = ingestKey) => {
    const { status, text } = await service.get(path, { key: id });
    return { status, body: JSON.parse(text) };
  };
  const { status, body } = await read();
  assert.deepEqual([status, body.id, body.numbers, body.closed_at], [200, 7, "counted", null]);
  const again = await service.send(path, { method: "PUT", key: ingestKey, body: body.campaign });
  assert.deepEqual([again.status, JSON.parse(again.text).status], [200, "unchanged"]);
  assert.equal((await service.get(`${campaignsPath}/8`, { key: ingestKey })).status, 404);
  assert.equal((await read(key)).status, 403, "a key that reads");
  const other = await world.addOrganization({ name: "Other" });
  assert.equal((await read(other.ingestKey)).status, 404);
});

test("answers 200 when a campaign is sent again, unchanged or changed", async (t) => {
  const { put, numbers } = await serveSender(t);
  const given = { tags: ["b", "a"], external_id: "x" };
  assert.equal((await put(1, given)).status, 201);
  const again = await put(1, { ...given, tags: ["a", "b"] });
  assert.deepEqual([again.status, again.body], [200, { id: 1, status: "unchanged" }]);
  const changes: Record<string, unknown>[] = [
    { subject: "Other" },
    { sent_at: "2026-06-15T11:00:01Z" },
    { sent_from: "other@example.com" },
    { team: "Other" },
    { sending_type: "Timezone" },
    { tracking_type: "Anonymous" },
    { recipient_count: 0 },
    { recipient_groups: [] },
    { tags: ["a"] },
    { surveys_count: 9 },
    { external_id: "y" },
  ];
  for (const change of changes) {
    const { status, body } = await put(1, { ...given, ...change });
    assert.deepEqual([status, body], [200, { id: 1, status: "changed" }], JSON.stringify(change));
    await put(1, given);
  }
  await put(1, { subject: "Last", recipient_count: 10 });
  assert.deepEqual(await numbers("subject", "unopened", "tags"), ["Last", 10, []]);
});

sqliteTest("keeps the questions of surveys until a campaign states others", async (t) => {
  const { put, world, organization } = await serveSender(t);
  const read = async () => (await world.read(organization, (scope) => findQuestions(scope, [1, 2]))).get(1);
  const survey = (survey_id: string, question: string) => ({ survey_id, kind: "pulse", question });
  const statusOf = async (given: Record<string, unknown>) =>
    ((await put(1, given)).body as unknown as { status: string }).status;
  assert.equal(await statusOf({ surveys: [survey("a", "First?"), survey("b", "Second?")] }), "added");
  assert.equal(await statusOf({ surveys: [survey("b", "Second?")] }), "unchanged");
  assert.equal(await statusOf({}), "unchanged");
  assert.equal(await statusOf({ surveys: [survey("b", "Other?"), survey("c", "Third?")] }), "changed");
  assert.deepEqual(
    await read(),
    new Map([
      ["pulse a", "First?"],
      ["pulse b", "Other?"],
      ["pulse c", "Third?"],
    ]),
  );
});

sqliteTest("keeps counted metrics when campaign details change", async (t) => {
  const { put, post, numbers } = await serveSender(t, { register: {} });
  await post([event(), event({ type: "click", url: "https://example.com" })]);
  await put(1, { subject: "Other", recipient_count: 4, sent_at: "2026-06-15T11:05:00Z" });
  assert.deepEqual(await numbers("subject", "open_rate", "unopened", "total_clicks"), ["Other", 0.25, 3, 1]);
});

sqliteTest("accepts tags with or without a color, and keeps the color of an existing tag", async (t) => {
  const { put, numbers } = await serveSender(t);
  await put(1, {
    tags: ["Newsletter", { name: "HR", color: "#123456" }, { name: " HR ", color: "#000000" }],
  });
  assert.deepEqual(await numbers("tags"), [
    [
      { name: "HR", color: "#123456" },
      { name: "Newsletter", color: "#79706E" },
    ],
  ]);
  await put(1, {
    tags: [{ name: "Newsletter", color: "#FFFFFF" }, { name: "HR" }, { name: "New", color: null }],
  });
  assert.deepEqual(await numbers("tags"), [
    [
      { name: "HR", color: "#123456" },
      { name: "New", color: "#9C755F" },
      { name: "Newsletter", color: "#79706E" },
    ],
  ]);
});

test("keeps external ids unique within an organization, and lets campaigns change, drop and reuse them", async (t) => {
  const { put, post, numbers } = await serveSender(t, { register: { external_id: "weekly" } });
  const taken = await put(2, { external_id: "weekly" });
  const expected = refusal(409, "conflict", 'external_id: "weekly" already belongs to campaign 1.');
  assert.deepEqual([taken.status, taken.body], expected);
  assert.equal((await put(1, { external_id: "monthly" })).status, 200);
  assert.equal((await put(2, { external_id: "weekly", sent_at: "2026-06-15T10:00:00Z" })).status, 201);
  await post([event({ campaign_id: "monthly" })]);
  assert.deepEqual(await numbers("id", "total_opens"), [1, 1]);
  assert.equal((await put(1, { external_id: null })).status, 200);
  assert.equal((await put(2, { sent_at: "2026-06-15T10:00:00Z" })).status, 200);
  assert.equal((await put(1, { external_id: "weekly" })).status, 200);
  await post([event({ campaign_id: "weekly" })]);
  assert.deepEqual(await numbers("id", "total_opens"), [1, 2]);
});

sqliteTest("rejects counting for a campaign with imported metrics", async (t) => {
  const { world, organization, put, record } = await serveSender(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const before = await record();
  const { status, body } = await put(1);
  const message =
    "The numbers of campaign 1 were imported; it cannot be counted as well. Delete it first, or use another id.";
  assert.deepEqual([status, body], refusal(409, "conflict", message));
  assert.deepEqual(await record(), before);
});

test("allows changing the tracking type until the first event is counted", async (t) => {
  const { put, post, numbers } = await serveSender(t, { register: {} });
  assert.equal((await put(1, { tracking_type: "Overall" })).status, 200);
  assert.equal((await put(1, { tracking_type: "Anonymous" })).status, 200);
  await post([event()]);
  const { status, body } = await put(1, { tracking_type: "Individual", subject: "Other" });
  const message =
    'tracking_type: events of campaign 1 were already counted, or its recipients are listed; keep "Anonymous".';
  assert.deepEqual([status, body], refusal(409, "conflict", message));
  assert.deepEqual(await numbers("tracking_type", "subject"), ["Anonymous", "Campaign 1"]);
});

sqliteTest("allows text changes to a closed campaign, but no change of its metrics", async (t) => {
  const { world, organization, put, post, numbers } = await serveSender(t, { register: {} });
  await post([event()]);
  await world.closeCampaign(organization, 1);
  const refused = await put(1, { recipient_count: 99 });
  const expected = [409, "recipient_count: campaign 1 is closed and its numbers are final; keep 100."];
  assert.deepEqual([refused.status, refused.body.error_message], expected);
  const other = await put(1, { tracking_type: "Anonymous" });
  const wanted = [409, 'tracking_type: campaign 1 is closed; keep "Individual".'];
  assert.deepEqual([other.status, other.body.error_message], wanted);
  assert.equal((await put(1)).body.error, undefined);
  assert.equal((await put(1, { subject: "Other", tags: ["New"] })).status, 200);
  assert.deepEqual(await numbers("subject", "unique_opens", "open_rate"), ["Other", 1, 0.01]);
});

sqliteTest("accepts a gzip body and a trailing slash for campaigns", async (t) => {
  const { service, ingestKey, numbers } = await serveSender(t);
  const { status, body } = await service.send(`${campaignsPath}/1/`, {
    method: "PUT",
    key: ingestKey,
    body: gzipSync(JSON.stringify(countedCampaign(1))),
    headers: { "content-encoding": "gzip", "content-type": "application/json; charset=utf-8" },
  });
  assert.deepEqual([status, body], [201, { id: 1, status: "added" }]);
  assert.deepEqual(await numbers("subject"), ["Campaign 1"]);
});

test("registers, counts and removes a campaign with the largest possible id", async (t) => {
  const { put, post, remove, numbers } = await serveSender(t);
  const id = Number.MAX_SAFE_INTEGER;
  assert.equal((await put(id)).status, 201);
  await post([event({ campaign_id: id })]);
  assert.deepEqual(await numbers("id", "unique_opens"), [id, 1]);
  assert.equal((await remove(id)).status, 204);
});

/** Counts the rows of campaigns and everything that belongs to them, by table. */
async function rowsOf({ world, organization }: ServedSender): Promise<Record<string, number>> {
  const tables = ["campaigns", "campaign_tags", "ledgers", "event_ids", "recipients", "quarantine"] as const;
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const rows = await world.database.snapshot((queries) =>
      queries.selectFrom(table).where("organization_id", "=", organization.id).selectAll().execute(),
    );
    counts[table] = rows.length;
  }
  return counts;
}

test("removes a campaign from the very next response, and deletes everything that belongs to it", async (t) => {
  const sent = await serveSender(t, { register: { tags: ["New"], external_id: "weekly" } });
  const { world, post, remove, numbers } = sent;
  await post([
    event(),
    event({ recipient: "bob@example.com" }),
    event({ at: "2026-06-15T10:00:00Z" }),
    event({ recipient: 5 }),
    event({ campaign_id: "weekly", at: "2026-06-15T10:00:00Z" }),
  ]);
  const { status, text } = await remove(1);
  assert.deepEqual([status, text], [204, ""]);
  assert.deepEqual(await numbers("id"), [undefined]);
  const again = await remove(1);
  assert.deepEqual([again.status, again.body], refusal(404, "not_found", "There is no campaign 1."));
  while (await world.database.transaction(purgeRetiredLedger));
  assert.deepEqual(await rowsOf(sent), {
    campaigns: 0,
    campaign_tags: 0,
    ledgers: 0,
    event_ids: 0,
    recipients: 0,
    quarantine: 0,
  });
});

test("starts from zero when a removed campaign is registered again with the same event ids", async (t) => {
  const { put, post, remove, numbers } = await serveSender(t, { register: {} });
  await post([event({ id: "a" }), event({ id: "b" })]);
  await remove(1);
  assert.equal((await put(1, { tracking_type: "Overall" })).status, 201);
  assert.deepEqual(await numbers("total_opens"), [0]);
  const { body } = await post([event({ id: "a" })]);
  assert.deepEqual(body, { accepted: 1, repeated: 0, quarantined: 0, problems: [] });
  assert.deepEqual(await numbers("total_opens"), [1]);
});
