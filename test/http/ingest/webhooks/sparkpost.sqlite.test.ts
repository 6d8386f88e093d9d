// What only webhooks of SparkPost do: a message has a pixel at the top and one at the bottom.

import assert from "node:assert/strict";
import test from "node:test";
import { sparkpost } from "../../../../src/providers/sparkpost.ts";
import { event, secondsAt } from "../../../support/providers/sparkpost.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

test("SparkPost: counts one open when both pixels of a message are loaded, in either order", async (t) => {
  const source = await serveSource(t, "sparkpost");
  for (const [top, bottom] of [
    ["initial_open", "open"],
    ["amp_initial_open", "amp_open"],
  ] as const) {
    const opensOf = (rcpt_to: string) => [
      event(top, { rcpt_to }),
      event(bottom, { rcpt_to }),
      event(top, { rcpt_to, timestamp: secondsAt(600) }),
    ];
    for (const each of opensOf(`${top}@example.com`)) await source.deliver([each]);
    for (const each of opensOf(`${bottom}@example.com`).reverse()) await source.deliver([each]);
  }
  assert.deepEqual(await countsOfCampaign(source), [4, 4, 0, 0]);
});

test("SparkPost: implies an open when only the bottom pixel of two is reported", async (t) => {
  const source = await serveSource(t, "sparkpost");
  await source.deliver([event("open"), event("open", { timestamp: secondsAt(600) })]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  assert.deepEqual(await source.numbers("read_time_glanced", "read_time_read"), [0, 0]);
});

test("SparkPost: counts the bottom pixel as the open when there is no top pixel", async (t) => {
  const source = await serveSource(t, "sparkpost");
  await source.deliver([
    event("open", { initial_pixel: false }),
    event("amp_open", { initial_pixel: undefined, timestamp: secondsAt(600), rcpt_to: undefined }),
  ]);
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 0, 0]);
});

test("SparkPost: takes no device from a prefetch", () => {
  const machine = event("open", { user_agent_parsed: { is_prefetched: true, is_mobile: true } });
  const [read] = sparkpost.convertEvent(machine, "campaign_id");
  assert.deepEqual([read?.machine, read?.device], [true, undefined]);
});
