// What only webhooks of Brevo do: times in several fields, marketing campaigns, and no retry after a 503.

import assert from "node:assert/strict";
import test from "node:test";
import { brevo } from "../../../../src/providers/brevo.ts";
import { tamper } from "../../../support/events.ts";
import { pick } from "../../../support/pick.ts";
import { click, firstOpen, marketingClick, proxyOpens, secondsAt } from "../../../support/providers/brevo.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

const read = (given: object) => brevo.convertEvent(given as Record<string, unknown>, "campaign_id")[0];

test("Brevo: reads times only from the UTC fields, in seconds or milliseconds, and ts_event last", () => {
  // ts_event may be in another time zone.
  const late = secondsAt(-9 * 3600);
  const epoch = secondsAt() * 1000 + 286;
  for (const given of [
    { ts_event: late, ts_epoch: epoch },
    { ts_event: late, ts_epoch: secondsAt() },
    { ts_event: late, s_epoch: epoch },
    { s_epoch: String(epoch) },
    { ts_event: secondsAt(), ts_epoch: null, s_epoch: "" },
    { ts_event: secondsAt() },
    { ts_event: String(secondsAt()) },
    { ts_epoch: secondsAt() },
    { ts_epoch: secondsAt() * 1000 + 999 },
    { ts_event: null, ts_epoch: secondsAt() },
  ]) {
    const event = { ...firstOpen, ts_event: undefined, ts_epoch: undefined, ...given };
    assert.equal(read(event)?.at, "2026-06-15T11:05:00.000Z", JSON.stringify(given));
  }
  assert.equal(read({ ...firstOpen, ts_event: undefined, ts_epoch: undefined })?.at, undefined);
  assert.equal(read({ ...click, ts_epoch: undefined, s_epoch: click.ts_epoch })?.id, read(click)?.id);
});

test("Brevo: takes neither device nor IP address from a proxy open", () => {
  for (const each of proxyOpens) {
    const event = read(each);
    assert.deepEqual([event?.machine, event?.device, event?.ip], [true, undefined, undefined]);
  }
});

test("Brevo: reads camp_id and URL of a marketing campaign", async (t) => {
  const source = await serveSource(t, "brevo", { campaignField: "camp_id" });
  const opened = { ...marketingClick, event: "opened", URL: undefined };
  const batch = [
    opened,
    marketingClick,
    { ...opened, event: "proxy_open", email: "apple@domain.com" },
    { ...marketingClick, camp_id: 2 },
  ];
  const answer = await source.deliver(batch);
  assert.equal(answer.body.accepted, 3);
  assert.deepEqual(pick(answer.body.problems, "index", "reason"), [[3, "unknown_campaign"]]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.equal(read(marketingClick)?.at, "2026-06-15T11:05:00.000Z");
});

test("Brevo: answers 429 when the queue is full, because Brevo discards events after a 503", async (t) => {
  const source = await serveSource(t, "brevo", { maxQueueBytes: 1_000 });
  const release = source.writer.reserve(source.organization.id, 1_000);
  const answer = await source.deliver(firstOpen);
  assert.deepEqual([answer.status, answer.body.error], [429, "too_many_requests"]);
  assert.equal(answer.headers.get("retry-after"), "5");
  release();
  assert.equal((await source.deliver(firstOpen)).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Brevo: answers 429 when the service fails before it knows the source", async (t) => {
  const source = await serveSource(t, "brevo");
  const { world } = source;
  await tamper(world, "alter table sources rename to mislaid");
  const answer = await source.deliver(firstOpen);
  assert.deepEqual([answer.status, answer.body.error], [429, "too_many_requests"]);
  assert.ok(source.service.log().includes("request failed"));
  await tamper(world, "alter table mislaid rename to sources");
  assert.equal((await source.deliver(firstOpen)).status, 200);
});
