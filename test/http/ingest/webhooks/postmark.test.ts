// What Postmark sends.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { hashEventId } from "../../../../src/providers/event-fields.ts";
import { addSource } from "../../../../src/storage/sources.ts";
import { accepted, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";
import { run } from "../../../support/world.ts";

/** The example of postmarkapp.com/developer/webhooks/open-tracking-webhook, with a campaign. */
const open = {
  FirstOpen: true,
  Client: { Name: "Chrome 35.0.1916.153", Company: "Google", Family: "Chrome" },
  OS: { Name: "OS X 10.7 Lion", Company: "Apple Computer, Inc.", Family: "OS X 10" },
  Platform: "WebMail",
  UserAgent:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_7_5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/35.0.1916.153 Safari/537.36",
  ReadSeconds: 5,
  Geo: {
    CountryISOCode: "RS",
    Country: "Serbia",
    RegionISOCode: "VO",
    Region: "Autonomna Pokrajina Vojvodina",
    City: "Novi Sad",
    Zip: "21000",
    Coords: "45.2517,19.8369",
    IP: "8.8.8.8",
  },
  MessageID: "00000000-0000-0000-0000-000000000000",
  MessageStream: "outbound",
  Metadata: { campaign_id: "1" },
  ReceivedAt: "2026-06-15T11:05:00.0000000Z",
  Tag: "welcome-email",
  Recipient: "john@example.com",
  RecordType: "Open",
};

/** The example of postmarkapp.com/developer/webhooks/click-webhook, with a campaign. */
const click = {
  ...open,
  RecordType: "Click",
  ClickLocation: "HTML",
  Platform: "Desktop",
  OriginalLink: "https://example.com",
};

test("Postmark: an open with its reading time and a click are counted", async (t) => {
  const provided = await serveSource(t, "postmark");
  const { deliver, numbers } = provided;
  const opened = await deliver(open);
  assert.equal(opened.status, 200);
  assert.deepEqual(opened.body, accepted(2));
  assert.deepEqual((await deliver(click)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(provided), [1, 0, 1, 0]);
  assert.deepEqual(await numbers("desktop_open_rate", "read_time_skimmed"), [100, 100]);
});

test("Postmark: a repeated request is counted once, a second open as a second one", async (t) => {
  const provided = await serveSource(t, "postmark");
  const { deliver } = provided;
  await deliver(open);
  assert.deepEqual((await deliver(open)).body, { ...accepted(0), repeated: 2 });
  await deliver({ ...open, FirstOpen: false, ReceivedAt: "2026-06-15T11:45:00Z", ReadSeconds: 0 });
  assert.deepEqual(await countsOfCampaign(provided), [1, 1, 0, 0]);
});

test("Postmark: the campaign may stand in Tag, as an external id", async (t) => {
  const provided = await serveSource(t, "postmark", {
    campaignField: "Tag",
    register: { external_id: "welcome-email" },
  });
  await provided.deliver({ ...open, Metadata: {} });
  assert.deepEqual(await countsOfCampaign(provided), [1, 0, 0, 0]);
});

test("Postmark: other kinds of events and other mail of the account are acknowledged and ignored", async (t) => {
  const provided = await serveSource(t, "postmark");
  for (const other of [
    { ...open, RecordType: "Delivery" },
    { ...open, Metadata: {} },
  ]) {
    const answer = await provided.deliver(other);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, accepted(0));
  }
  assert.deepEqual(await summarizeQuarantined(provided), []);
});

test("Postmark: with a secret, it has to stand in the address as password", async (t) => {
  const provided = await serveSource(t, "postmark", { secret: "s3cret" });
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  for (const headers of [{}, basic("any:other"), basic("s3cret"), { authorization: "Bearer s3cre" }]) {
    const answer = await provided.deliver(open, headers as Record<string, string>);
    assert.equal(answer.status, 401);
  }
  assert.deepEqual(await countsOfCampaign(provided), [0, 0, 0, 0]);
  assert.equal((await provided.deliver(open, basic("any:s3cret"))).status, 200);
  assert.deepEqual(await countsOfCampaign(provided), [1, 0, 0, 0]);
});

test("Postmark: a body that cannot be read is set aside, not refused", async (t) => {
  const provided = await serveSource(t, "postmark");
  const answer = await provided.deliver(JSON.stringify(open).slice(0, -20));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.quarantined, 1);
  const unread = await provided.deliver({ ...open, ReceivedAt: "yesterday", ReadSeconds: 0 });
  assert.equal(unread.body.problems[0]?.reason, "unreadable");
  assert.match(unread.body.problems[0]?.message ?? "", /^at: "yesterday" is not an ISO-8601 time/);
});

test("Postmark: the log says why a request was refused, and how many events name no campaign, but not the address", async (t) => {
  const provided = await serveSource(t, "postmark", { secret: "s3cret" });
  await provided.deliver(open);
  const authorization = `Basic ${Buffer.from("any:s3cret").toString("base64")}`;
  await provided.deliver({ ...open, Metadata: {} }, { authorization });
  const lines = provided.service.logged.filter(({ provider }) => provider === "postmark");
  assert.deepEqual(
    lines.map(({ status, reason, ignored }) => [status, reason, ignored]),
    [
      [
        401,
        "The Authorization header does not contain the secret of this source. Send the secret as the Basic password or as the Bearer token.",
        undefined,
      ],
      [200, undefined, 2],
    ],
  );
  assert.ok(!provided.service.log().includes(provided.path.slice(-32)));
});

test("Postmark: more than it ever sends is a 413, a packed body a 415, and nothing is set aside", async (t) => {
  const provided = await serveSource(t, "postmark");
  assert.equal((await provided.deliver(`"${"x".repeat(1024 * 1024)}"`)).status, 413);
  const packed = await provided.deliver(gzipSync(JSON.stringify(open)), { "content-encoding": "gzip" });
  assert.equal(packed.status, 415);
  assert.deepEqual(await summarizeQuarantined(provided), []);
});

test("Postmark: of an event that waits for an Anonymous campaign nothing is kept that an address could be tried on", async (t) => {
  const provided = await serveSource(t, "postmark", { register: { tracking_type: "Anonymous" } });
  // Of a test sending: long before the campaign.
  await provided.deliver({ ...open, ReceivedAt: "2026-06-15T10:00:00Z", ReadSeconds: 0 });
  const { world, organization } = provided;
  const listed = await run(world.databaseUrl, [
    "quarantine",
    "list",
    "--organization",
    String(organization.id),
    "--each",
    "--json",
  ]);
  const [row] = listed.rows;
  const unkeyed = hashEventId(open.MessageID, open.Recipient, "2026-06-15T10:00:00Z", "Open");
  assert.match(String(row?.id), /^[0-9a-f]{32}$/);
  assert.ok(!String(row?.id).includes(unkeyed.slice(0, 32)));
  assert.equal(listed.stdout.includes("john@example.com"), false);
});

test("Postmark: the same id of two providers is two events", async (t) => {
  const provided = await serveSource(t, "postmark");
  const { world, organization } = provided;
  const other = await world.database.transaction((queries) =>
    addSource(queries, {
      organizationId: organization.id,
      provider: "azure",
      secret: undefined,
      campaignField: "sender",
      now: world.clock.now,
    }),
  );
  await provided.deliver({ ...open, ReadSeconds: 0 });
  const id = hashEventId(open.MessageID, open.Recipient, open.ReceivedAt, "Open");
  const report = {
    id,
    eventType: "Microsoft.Communication.EmailEngagementTrackingReportReceived",
    data: {
      sender: "1",
      recipient: open.Recipient,
      userActionTimestamp: open.ReceivedAt,
      engagementType: "view",
    },
  };
  const answer = await provided.service.send(`/ingest/v1/webhooks/${other.id}`, {
    method: "POST",
    body: [report],
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(await countsOfCampaign(provided), [1, 1, 0, 0]);
});
