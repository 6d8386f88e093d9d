// Floods: which requests for a tracked message are too many to be made by people.

import assert from "node:assert/strict";
import test from "node:test";
import type { FastifyRequest } from "fastify";
import { floodLimits } from "../../../src/campaign/events/traffic.ts";
import { FloodDetector } from "../../../src/http/tracking/flood-detector.ts";
import { desktopAgent } from "../../support/user-agents.ts";

const ann = { organizationId: 1, campaignId: 7, registration: 2, recipient: "ann@example.com" };
const everyone = { organizationId: 1, campaignId: 7, registration: 2 };

function makeDetector() {
  const clock = { now: 1_000_000 };
  const detector = new FloodDetector(() => clock.now);
  const isFlood = (
    message: Parameters<FloodDetector["isFlood"]>[2],
    { kind = "open" as "open" | "click" | "read", ip = "192.0.2.1", agent = desktopAgent } = {},
  ) => {
    const request = { ip, method: "GET", headers: { "user-agent": agent } };
    return detector.isFlood(request as unknown as FastifyRequest, kind, message);
  };
  /** How many of so many requests are not part of a flood. */
  const countOf = (requests: number, ...given: Parameters<typeof isFlood>) =>
    Array.from({ length: requests }, () => isFlood(...given)).filter((flood) => !flood).length;
  return { clock, isFlood, countOf };
}

test("lets the requests of one recipient's message count up to the limit, from any address", () => {
  const { countOf, isFlood } = makeDetector();
  assert.equal(countOf(6_000, ann), floodLimits.perRecipient);
  assert.equal(isFlood(ann, { ip: "198.51.100.9" }), true);
  assert.equal(isFlood({ ...ann, recipient: "bob@example.com" }), false);
  assert.equal(isFlood({ ...ann, campaignId: 8 }), false);
  assert.equal(isFlood({ ...ann, organizationId: 2 }), false);
  assert.equal(isFlood(ann, { kind: "click" }), false);
  assert.equal(countOf(100, { ...everyone, recipientHash: "00ff" }), floodLimits.perRecipient);
});

test("ends a flood one minute after its window started", () => {
  const { clock, countOf, isFlood } = makeDetector();
  countOf(100, ann);
  clock.now += floodLimits.windowMs - 1;
  assert.equal(isFlood(ann), true);
  clock.now += 1;
  assert.equal(countOf(100, ann), floodLimits.perRecipient);
});

test("limits each network, whatever its user agents, where all recipients have the same message", () => {
  const { countOf, isFlood } = makeDetector();
  let counted = 0;
  for (let index = 0; index < 1_000; index++) {
    const request = { ip: `2001:db8::${index.toString(16)}`, agent: `${desktopAgent} Edg/${index}.0` };
    if (!isFlood(everyone, request)) counted += 1;
  }
  assert.equal(counted, floodLimits.perNetwork);
  assert.equal(countOf(1, everyone, { ip: "2001:db8:0:1::1" }), 1);
});

test("keeps requests that are automated anyway out of the count", () => {
  const { countOf } = makeDetector();
  countOf(1_000, ann, { agent: "Mozilla/5.0" });
  countOf(1_000, ann, { agent: "curl/8.5.0" });
  assert.equal(countOf(100, ann), floodLimits.perRecipient);
});
