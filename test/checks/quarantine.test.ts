// One URL of a test message is requested again and again. It must not fill the quarantine of its organization: events that
// wait for a campaign are still taken from the API and from an email provider. In full it is requested 100,000 times.

import assert from "node:assert/strict";
import test from "node:test";
import { addSource } from "../../src/storage/keys/sources.ts";
import { open } from "../support/providers/postmark.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { fetchAs, serveReaders } from "../support/serve-readers.ts";
import { event, quarantinedBytes, senderOf, summarizeQuarantined } from "../support/serve-sender.ts";
import { desktopAgent } from "../support/user-agents.ts";

const pixels = isFullSize ? 100_000 : 150;
const maxQuarantineBytes = (isFullSize ? 100_000 : 210) * quarantinedBytes;
const atOnce = 50;
/** Its requests are automated, so that the limits of a flood of people do not apply. */
const botAgent = "curl/8.9.1";

test("a flood of one pixel of a test message leaves the quarantine to the other events of its organization", async (t) => {
  const given = await serveReaders(t, { maxQuarantineBytes });
  const { world, organization, service, trackingUrls, ann, put, post, waitForWrites } = given;
  await put(1, { sent_at: "2026-06-16T11:00:00Z" });
  const fields = { provider: "postmark", secret: undefined, campaignField: "campaign_id" };
  const { id: source } = await world.database.transactionOf(organization.id, (scope) =>
    addSource(scope, { ...fields, now: world.clock.now }),
  );
  const url = trackingUrls.build("open", ann);
  const startedAt = performance.now();
  for (let sent = 0; sent < pixels; sent += atOnce) {
    const agents = Array.from({ length: atOnce }, (_, index) => (index % 2 ? desktopAgent : botAgent));
    const answers = await Promise.all(agents.map((agent) => fetchAs(url, { agent })));
    assert.ok(answers.every(({ status }) => status === 200));
  }
  await waitForWrites();
  report(`${pixels} pixels in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  assert.deepEqual(await summarizeQuarantined(given), [[1, "test_sending", 100]]);

  const waiting = Array.from({ length: 100 }, (_, index) =>
    event({ campaign_id: 2, recipient: `reader-${index}@example.com` }),
  );
  const answer = await post(waiting);
  assert.deepEqual([answer.status, answer.body.quarantined], [200, 100], answer.text);
  const delivered = await service.send(`/ingest/v1/webhooks/${source}`, {
    body: { ...open, ReadSeconds: 0, Metadata: { campaign_id: "3" } },
  });
  assert.equal(delivered.status, 200, delivered.text);
  assert.deepEqual(await summarizeQuarantined(given), [
    [1, "test_sending", 100],
    [2, "unknown_campaign", 100],
    [3, "unknown_campaign", 1],
  ]);
  await put(2);
  await put(3);
  const other = senderOf(service, await world.addOrganization());
  assert.equal((await other.post([event({ campaign_id: 7 })])).body.quarantined, 1);
  const { emails } = await service.emails(given.key);
  assert.deepEqual(
    emails.map(({ id, unique_opens }) => [id, unique_opens]),
    [
      [3, 1],
      [2, 100],
    ],
  );
});
