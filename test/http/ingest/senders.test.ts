// Who may send events of a campaign without names, and change it.

import assert from "node:assert/strict";
import test from "node:test";
import { addApiKey, listApiKeys, rollApiKey } from "../../../src/storage/keys/api-keys.ts";
import { addSource, changeSource, listSources } from "../../../src/storage/keys/sources.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { actionsOf } from "../../support/audit.ts";
import {
  event,
  type ServedSender,
  senderOf,
  serveSender,
  summarizeQuarantined,
} from "../../support/serve-sender.ts";
import { region, run } from "../../support/world.ts";

const anonymous = { tracking_type: "Anonymous" };
const admin = "admin@example.com";

/** Another key of the organization. @param createdBy the user who made it; null for a command */
async function addKey(
  { world, organization, service, key }: ServedSender,
  name: string,
  createdBy: string | null,
) {
  const wanted = { name, scope: "ingest", region, createdBy } as const;
  const { id, text } = await world.write(organization, (scope) =>
    addApiKey(scope, { ...wanted, now: world.clock.now }),
  );
  return { id, ...senderOf(service, { key, ingestKey: text }) };
}

/** Replaces the key of the sender. */
async function roll({ world, organization, service, key }: ServedSender, createdBy: string | null) {
  const by = { organizationId: organization.id, region, createdBy, overlapMs: 1e9, now: world.clock.now };
  const { text } = await world.database.transaction(async (queries) => {
    const old = (await listApiKeys(new Scope(queries, organization.id))).find(
      ({ name }) => name === "sender",
    );
    return rollApiKey(new Scope(queries, organization.id), old as NonNullable<typeof old>, by);
  });
  return senderOf(service, { key, ingestKey: text });
}

for (const tracking_type of ["Anonymous", "Overall"]) {
  test(`takes events of a campaign with ${tracking_type} tracking from its sender only`, async (t) => {
    const given = await serveSender(t);
    const stranger = await addKey(given, "stranger", admin);
    await given.put(1, { tracking_type, external_id: "weekly" });
    const forged = event({ type: "survey", survey_id: "s", kind: "enps", score: 0 });
    const { status, body } = await stranger.post([
      forged,
      { ...forged, id: "second", campaign_id: "weekly" },
    ]);
    assert.deepEqual([status, body.accepted, body.quarantined], [200, 0, 2]);
    assert.deepEqual(new Set(body.problems.map(({ reason }) => reason)), new Set(["wrong_sender"]));
    assert.deepEqual(await summarizeQuarantined(given), [[1, "wrong_sender", 2]]);
    // An event of the sender with the same id counts, and says nothing of the other one.
    assert.equal((await given.post([{ ...forged, type: "open" }])).body.accepted, 1);
    assert.equal((await stranger.post([forged])).body.problems[0]?.reason, "wrong_sender");
    assert.deepEqual(await given.numbers("unique_opens", "enps_reactions_count"), [1, 0]);
    const refused = [
      await stranger.put(1, { tracking_type }),
      await stranger.remove(1),
      await given.service.send("/ingest/v1/campaigns/1/recipients", {
        ...{ method: "PUT", key: stranger.ingestKey, body: "recipient\nann@example.com\n" },
        headers: { "content-type": "text/csv" },
      }),
      await given.service.send("/ingest/v1/campaigns/1/messages", {
        ...{ key: stranger.ingestKey, body: { html: "<p>Hi</p>", recipients: ["ann@example.com"] } },
      }),
    ];
    // Overall tracking has no list, which is a conflict before.
    const isListed = tracking_type === "Anonymous";
    const found = refused.map((each) => each.status);
    assert.deepEqual(found, [403, 403, isListed ? 403 : 409, 403]);
    const message = /^Campaign 1 has no names, so only its senders may do this/;
    assert.match(refused[0]?.body.error_message ?? "", message);
    // What the stranger sent counts once an operator says so, but for the event whose id was counted.
    const command = ["campaign", "senders", "--organization", `${given.organization.id}`, "--id", "1"];
    const unknown = await run(given.world.databaseUrl, [...command, "--senders", "999"]);
    assert.match(unknown.stderr, /senders: 999 is no key or source; there are: \d+ \(API key sender\)/);
    const allowed = await run(given.world.databaseUrl, [...command, "--senders", `${stranger.id}`]);
    assert.match(allowed.stdout, /takes events from \d+\. Those that waited are counted\./);
    assert.deepEqual(await summarizeQuarantined(given), []);
    assert.equal((await given.post([event({ id: "late" })])).body.problems[0]?.reason, "wrong_sender");
  });
}

test("a key that a user rolls is another sender, one that a command rolls is the same", async (t) => {
  const given = await serveSender(t, { register: anonymous });
  const byUser = await roll(given, admin);
  assert.equal((await byUser.post([event()])).body.problems[0]?.reason, "wrong_sender");
  const byCommand = await roll(given, null);
  assert.equal((await byCommand.post([event()])).body.accepted, 1);
  assert.equal((await given.post([event()])).body.accepted, 1);
  await byUser.put(2, anonymous);
  assert.equal((await byUser.post([event({ campaign_id: 2 })])).body.accepted, 1);
});

test("a source is a sender that a registration names, until a user sets its secret", async (t) => {
  const given = await serveSender(t);
  const { world, organization, service } = given;
  const base = { provider: "brevo", campaignField: "campaign_id" } as const;
  const source = await world.write(organization, (scope) =>
    addSource(scope, { ...base, secret: undefined, now: world.clock.now }),
  );
  const deliver = async (id: number) => {
    const body = {
      event: "opened",
      email: "ann@example.com",
      ts_event: 1_781_521_200,
      tags: ["1"],
      "message-id": `m-${id}`,
      id,
      campaign_id: 1,
      "X-Mailin-custom": "campaign_id:1",
    };
    const { body: answer } = await service.send(`/ingest/v1/webhooks/${source.id}`, { body });
    const { accepted, problems } = answer as unknown as { accepted: number; problems: { reason: string }[] };
    return problems[0]?.reason ?? accepted;
  };
  await given.put(1, anonymous);
  assert.equal(await deliver(1), "wrong_sender");
  assert.equal((await given.put(1, { ...anonymous, senders: [999] })).status, 400);
  const { text } = await given.put(1, { ...anonymous, senders: [source.sender] });
  assert.match(text, /changed/);
  assert.equal(await deliver(2), 1);
  // A registration without the field keeps its senders.
  await given.put(1, { ...anonymous, subject: "Corrected" });
  assert.equal(await deliver(3), 1);
  const { text: registered } = await service.get("/ingest/v1/campaigns/1", { key: given.ingestKey });
  assert.equal(JSON.parse(registered).campaign.senders.length, 2);
  await world.write({ id: source.organizationId }, (scope) =>
    changeSource(scope, source, {
      secret: "a secret of a user",
      createdBy: admin,
    }),
  );
  const [changed] = await world.read(organization, listSources);
  assert.notEqual(changed?.sender, source.sender);
});

test("no user joins the senders of others, gives a campaign names, or takes the place of a deleted one", async (t) => {
  const given = await serveSender(t);
  const stranger = await addKey(given, "stranger", admin);
  const [{ id: own = 0 } = {}] = (await given.world.read(given.organization, listApiKeys)).filter(
    ({ name }) => name === "sender",
  );
  const joined = await stranger.put(1, { ...anonymous, senders: [own] });
  assert.deepEqual([joined.status, joined.body.error_message.split(":")[0]], [409, "senders"]);
  // Before the first registration, a user's Individual campaign keeps nothing of its senders.
  await stranger.put(1, { tracking_type: "Individual" });
  await given.put(1, { ...anonymous, external_id: "weekly" });
  assert.equal((await stranger.post([event()])).body.problems[0]?.reason, "wrong_sender");
  await given.remove(1);
  for (const taken of [
    await stranger.put(1, { tracking_type: "Individual" }),
    await stranger.put(2, { tracking_type: "Individual", external_id: "weekly" }),
  ]) {
    assert.deepEqual([taken.status, taken.body.error_message.split(":")[0]], [409, "tracking_type"]);
  }
  await stranger.put(1, anonymous);
  assert.equal((await given.post([event()])).body.problems[0]?.reason, "wrong_sender");
});

test("the audit log has each sender of a campaign without names once a day", async (t) => {
  const given = await serveSender(t, { register: anonymous });
  const { world, organization } = given;
  await given.put(2, { tracking_type: "Individual" });
  const send = () =>
    given.post([event(), event({ recipient: "bob@example.com" }), event({ campaign_id: 2 })]);
  const sent = async () =>
    (await actionsOf(world, organization.id)).filter((entry) => entry.includes("events.send"));
  await send();
  await send();
  assert.deepEqual(await sent(), ["API key sender, events.send, campaign 1"]);
  world.clock.now += 86_400_000;
  await send();
  assert.deepEqual((await sent()).length, 2);
});
