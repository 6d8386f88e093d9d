// Webhooks of Postmark.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { composeEventId } from "../../../../src/providers/event-fields.ts";
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

test("Postmark: counts an open with its read time and a click", async (t) => {
  const source = await serveSource(t, "postmark");
  const { deliver, numbers } = source;
  const opened = await deliver(open);
  assert.equal(opened.status, 200);
  assert.deepEqual(opened.body, accepted(2));
  assert.deepEqual((await deliver(click)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.deepEqual(await numbers("desktop_open_rate", "read_time_skimmed"), [100, 100]);
});

test("Postmark: counts a repeated request once and a second open as another", async (t) => {
  const source = await serveSource(t, "postmark");
  const { deliver } = source;
  await deliver(open);
  assert.deepEqual((await deliver(open)).body, { ...accepted(0), repeated: 2 });
  await deliver({ ...open, FirstOpen: false, ReceivedAt: "2026-06-15T11:45:00Z", ReadSeconds: 0 });
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 0, 0]);
});

test("Postmark: reads the campaign from Tag as an external id", async (t) => {
  const source = await serveSource(t, "postmark", {
    campaignField: "Tag",
    register: { external_id: "welcome-email" },
  });
  await source.deliver({ ...open, Metadata: {} });
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Postmark: acknowledges and ignores other event types and other mail of the account", async (t) => {
  const source = await serveSource(t, "postmark");
  for (const other of [
    { ...open, RecordType: "Delivery" },
    { ...open, Metadata: {} },
  ]) {
    const answer = await source.deliver(other);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, accepted(0));
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Postmark: requires the secret as the password in the webhook URL", async (t) => {
  const source = await serveSource(t, "postmark", { secret: "s3cret" });
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  for (const headers of [{}, basic("any:other"), basic("s3cret"), { authorization: "Bearer s3cre" }]) {
    const answer = await source.deliver(open, headers as Record<string, string>);
    assert.equal(answer.status, 401);
  }
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver(open, basic("any:s3cret"))).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Postmark: quarantines an unreadable body instead of refusing it", async (t) => {
  const source = await serveSource(t, "postmark");
  const answer = await source.deliver(JSON.stringify(open).slice(0, -20));
  assert.equal(answer.status, 200);
  assert.equal(answer.body.quarantined, 1);
  const unread = await source.deliver({ ...open, ReceivedAt: "yesterday", ReadSeconds: 0 });
  assert.equal(unread.body.problems[0]?.reason, "unreadable");
  assert.match(unread.body.problems[0]?.message ?? "", /^at: "yesterday" is not an ISO-8601 time/);
});

test("Postmark: logs why a request was refused and how many events were ignored, but not the webhook URL", async (t) => {
  const source = await serveSource(t, "postmark", { secret: "s3cret" });
  await source.deliver(open);
  const authorization = `Basic ${Buffer.from("any:s3cret").toString("base64")}`;
  await source.deliver({ ...open, Metadata: {} }, { authorization });
  const lines = source.service.logged.filter(({ provider }) => provider === "postmark");
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
  assert.ok(!source.service.log().includes(source.path.slice(-32)));
});

test("Postmark: answers 413 to a body that is too large and 415 to gzip, and quarantines nothing", async (t) => {
  const source = await serveSource(t, "postmark");
  assert.equal((await source.deliver(`"${"x".repeat(1024 * 1024)}"`)).status, 413);
  const packed = await source.deliver(gzipSync(JSON.stringify(open)), { "content-encoding": "gzip" });
  assert.equal(packed.status, 415);
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Postmark: stores nothing that could confirm a guessed recipient when it quarantines an event of an Anonymous campaign", async (t) => {
  const source = await serveSource(t, "postmark", { register: { tracking_type: "Anonymous" } });
  // From a test send, long before the campaign.
  await source.deliver({ ...open, ReceivedAt: "2026-06-15T10:00:00Z", ReadSeconds: 0 });
  const { world, organization } = source;
  const listed = await run(world.databaseUrl, [
    "quarantine",
    "list",
    "--organization",
    String(organization.id),
    "--each",
    "--json",
  ]);
  const [row] = listed.rows;
  const unkeyed = composeEventId(open.MessageID, open.Recipient, "2026-06-15T10:00:00Z", "Open");
  assert.match(String(row?.id), /^[0-9a-f]{32}$/);
  assert.ok(!String(row?.id).includes(unkeyed.slice(0, 32)));
  assert.equal(listed.stdout.includes("john@example.com"), false);
});

test("Postmark: counts two events when another provider uses the same id", async (t) => {
  const source = await serveSource(t, "postmark");
  const { world, organization } = source;
  const other = await world.database.transaction((queries) =>
    addSource(queries, {
      organizationId: organization.id,
      provider: "azure",
      secret: undefined,
      campaignField: "sender",
      now: world.clock.now,
    }),
  );
  await source.deliver({ ...open, ReadSeconds: 0 });
  const id = composeEventId(open.MessageID, open.Recipient, open.ReceivedAt, "Open");
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
  const answer = await source.service.send(`/ingest/v1/webhooks/${other.id}`, {
    method: "POST",
    body: [report],
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 0, 0]);
});
