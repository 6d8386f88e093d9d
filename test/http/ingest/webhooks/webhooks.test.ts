// What holds for webhooks on both databases, with those of Postmark.

import assert from "node:assert/strict";
import test from "node:test";
import { composeEventId } from "../../../../src/providers/event-fields.ts";
import { addSource } from "../../../../src/storage/keys/sources.ts";
import { pick } from "../../../support/pick.ts";
import { open, postmarkExample } from "../../../support/providers/postmark.ts";
import { basic } from "../../../support/providers/provider-example.ts";
import { accepted } from "../../../support/serve-sender.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";
import { run } from "../../../support/world.ts";

test("Postmark: counts an open with its read time and a click", async (t) => {
  const source = await serveSource(t, "postmark");
  const { deliver, numbers } = source;
  const opened = await deliver(open);
  assert.deepEqual([opened.status, opened.body], [200, accepted(2)]);
  assert.deepEqual((await deliver(postmarkExample.click)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.deepEqual(await numbers("desktop_open_rate", "read_time_skimmed"), [100, 100]);
});

test("logs why a request was refused and how many events were ignored, but not the webhook URL", async (t) => {
  const source = await serveSource(t, "postmark", { secret: "s3cret" });
  await source.deliver(open);
  await source.deliver({ ...open, Metadata: {} }, basic("any:s3cret"));
  const lines = source.service.logged.filter(({ provider }) => provider === "postmark");
  assert.deepEqual(pick(lines, "status", "reason", "ignored"), [
    [
      401,
      "The Authorization header does not contain the secret of this source. Send the secret as the Basic password or as the Bearer token.",
      undefined,
    ],
    [200, undefined, 2],
  ]);
  assert.ok(!source.service.log().includes(source.path.slice(-32)));
});

test("stores nothing that could confirm a guessed recipient when it quarantines an event of an Anonymous campaign", async (t) => {
  const source = await serveSource(t, "postmark", { register: { tracking_type: "Anonymous" } });
  // From a test send, long before the campaign.
  await source.deliver({ ...open, ReceivedAt: "2026-06-15T10:00:00Z", ReadSeconds: 0 });
  const { world, organization } = source;
  const listed = await run(
    world.databaseUrl,
    `quarantine list --organization ${organization.id} --each --json`,
  );
  const [row] = listed.rows;
  const unkeyed = composeEventId(open.MessageID, open.Recipient, "2026-06-15T10:00:00Z", "Open");
  assert.match(String(row?.id), /^[0-9a-f]{32}$/);
  assert.ok(!String(row?.id).includes(unkeyed.slice(0, 32)));
  assert.equal(listed.stdout.includes("john@example.com"), false);
});

test("counts two events when another provider uses the same id", async (t) => {
  const source = await serveSource(t, "postmark");
  const { world, organization } = source;
  const other = await world.write(organization, (scope) =>
    addSource(scope, {
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
