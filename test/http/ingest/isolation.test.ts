// Isolation: what one organization sends never affects another's campaigns, external ids or metrics.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { summarizeQuarantine } from "../../../src/storage/quarantine/quarantine-groups.ts";
import { pick } from "../../support/pick.ts";
import { event, type Sender, senderOf, serveSender } from "../../support/serve-sender.ts";

async function twoOrganizations(t: TestContext) {
  const ours = await serveSender(t);
  const { organization, ...keys } = await ours.world.addOrganization({ name: "Other" });
  const waiting = async (id: number) =>
    (await ours.world.read({ id }, (scope) => summarizeQuarantine(scope, {}))).map(
      ({ campaign, reason, events }) => [campaign, reason, events],
    );
  return { ours, theirs: senderOf(ours.service, keys), their: organization, waiting };
}

const opens = (sender: Sender) => sender.numbers("subject", "unique_opens", "total_opens");

test("counts events only for campaigns of the key's organization", async (t) => {
  const { ours, theirs, their, waiting } = await twoOrganizations(t);
  await ours.put(1, { subject: "Ours", external_id: "weekly" });
  const stranger = [event(), event({ campaign_id: "weekly" })];
  const { body } = await theirs.post(stranger);
  const found = [body.accepted, body.repeated, body.quarantined, body.problems.map(({ reason }) => reason)];
  assert.deepEqual(found, [0, 0, 2, ["unknown_campaign", "unknown_campaign"]]);
  assert.deepEqual(await opens(ours), ["Ours", 0, 0]);
  assert.deepEqual(await waiting(ours.organization.id), []);
  // Registering, changing or removing our campaign must not touch the other organization's quarantine either.
  await ours.put(1, { subject: "Changed", external_id: "other" });
  await ours.remove(1);
  assert.deepEqual(await waiting(their.id), [
    ["weekly", "unknown_campaign", 1],
    [1, "unknown_campaign", 1],
  ]);
  await theirs.put(1, { subject: "Theirs", external_id: "weekly" });
  assert.deepEqual(await opens(theirs), ["Theirs", 1, 2]);
});

test("counts the same event ids in each organization and each campaign", async (t) => {
  const { ours, theirs } = await twoOrganizations(t);
  const events = [event(), event({ recipient: "bob@example.com" })];
  for (const sender of [ours, theirs]) {
    await sender.put(1, { subject: "First" });
    await sender.put(2, { subject: "Second", sent_at: "2026-06-15T11:01:00Z" });
    for (const campaign_id of [1, 2]) {
      const { body } = await sender.post(events.map((each) => ({ ...each, campaign_id })));
      assert.deepEqual(body, { accepted: 2, repeated: 0, quarantined: 0, problems: [] });
    }
  }
  for (const sender of [ours, theirs]) {
    const { emails } = await ours.service.emails(sender.key);
    assert.deepEqual(pick(emails, "subject", "total_opens"), [
      ["Second", 2],
      ["First", 2],
    ]);
  }
});

test("quarantines and corrects the same event in each organization separately", async (t) => {
  const { ours, theirs, their, waiting } = await twoOrganizations(t);
  const [unknown, unreadable] = [event({ campaign_id: 2 }), event({ campaign_id: 2, at: "x" })];
  for (const sender of [ours, theirs]) await sender.post([unknown, unreadable]);
  await ours.put(2);
  await ours.post([{ ...unreadable, at: "2026-06-15T11:15:00Z" }]);
  assert.deepEqual(await opens(ours), ["Campaign 2", 1, 2]);
  assert.deepEqual(await waiting(ours.organization.id), []);
  assert.deepEqual(await waiting(their.id), [
    [2, "unknown_campaign", 1],
    [2, "unreadable", 1],
  ]);
});

test("accepts an external id that another organization uses, and reveals nothing about it", async (t) => {
  const { ours, theirs } = await twoOrganizations(t);
  await ours.put(1, { external_id: "weekly" });
  assert.equal((await theirs.put(7, { external_id: "weekly" })).status, 201);
  const { body } = await theirs.put(8, { external_id: "weekly" });
  assert.equal(body.error_message, 'external_id: "weekly" already belongs to campaign 7.');
});

test("never changes another organization's campaign with PUT or DELETE", async (t) => {
  const { ours, theirs } = await twoOrganizations(t);
  await ours.put(1, { subject: "Ours", tags: [{ name: "HR", color: "#111111" }] });
  await ours.post([event()]);
  const before = await ours.record();
  const { status, body } = await theirs.remove(1);
  assert.deepEqual([status, body.error_message], [404, "There is no campaign 1."]);
  const theirsTag = { name: "HR", color: "#222222" };
  assert.equal(
    (await theirs.put(1, { subject: "Theirs", tracking_type: "Overall", tags: [theirsTag] })).status,
    201,
  );
  assert.equal((await theirs.remove(1)).status, 204);
  assert.deepEqual(await ours.record(), before);
});

test("leaves the responses and ETags of other organizations unchanged when an event is counted", async (t) => {
  const { ours, theirs } = await twoOrganizations(t);
  await ours.put(1);
  await theirs.put(1);
  const etagOf = async ({ key }: Sender) =>
    (await ours.service.get("/data_api/v1/emails", { key })).headers.get("etag");
  const before = [await etagOf(ours), await etagOf(theirs)];
  await ours.post([event()]);
  assert.notEqual(await etagOf(ours), before[0]);
  assert.equal(await etagOf(theirs), before[1]);
});

test("changes tags and teams only by a key of the organization that may send, and refuses hostile names", async (t) => {
  const { ours, theirs } = await twoOrganizations(t);
  await ours.put(1, { subject: "Ours", tags: ["News"], team: "IC" });
  const before = await ours.record();
  const patch = (key: string, body: unknown, id: number | string = 1) =>
    ours.service.send(`/ingest/v1/campaigns/${id}`, { method: "PATCH", key, body });
  const change = { add_tags: ["Added"], remove_tags: ["News"], team: "HR" };
  assert.equal((await patch(theirs.ingestKey, change)).status, 404);
  assert.equal((await patch(theirs.key, change)).status, 403);
  assert.equal((await patch(ours.key, change)).status, 403);
  assert.equal((await patch("none", change)).status, 401);
  for (const text of ["a\0b", "a\ud800b"]) {
    for (const body of [{ team: text }, { add_tags: [text] }, { add_tags: [{ name: text }] }])
      assert.equal((await patch(ours.ingestKey, body)).status, 400, JSON.stringify(body));
  }
  for (const name of ["", " ", "x".repeat(201), "x".repeat(65_536)])
    assert.equal((await patch(ours.ingestKey, { add_tags: [name] })).status, 400, name.slice(0, 10));
  const many = Array.from({ length: 100_000 }, () => "News");
  assert.ok([400, 413].includes((await patch(ours.ingestKey, { remove_tags: many, team: 5 })).status));
  for (const id of ["1.5", "-1", "0x1", 2 ** 53])
    assert.ok([400, 404].includes((await patch(ours.ingestKey, change, id)).status), `${id}`);
  assert.deepEqual(await ours.record(), before);
  assert.equal(await theirs.record(), undefined);
});
