// Random histories of deliveries, bounces and complaints among opens and clicks, in any order and batching, with repeats:
// their counts are those of a simple oracle, and the records of v1 are those of the same history without them.

import assert from "node:assert/strict";
import test from "node:test";
import { parseCountedCampaign } from "../../src/campaign/counted-campaign.ts";
import { saveCountedCampaign } from "../../src/counting/campaigns/save-counted-campaign.ts";
import { recountCampaign } from "../../src/counting/tallies/recount.ts";
import { findCampaigns } from "../../src/storage/campaigns/campaigns.ts";
import { findPublishedEmails } from "../../src/storage/campaigns/emails.ts";
import { Random } from "../support/histories.ts";
import { isFullSize, randomCases, report } from "../support/random-cases.ts";
import { countedCampaign, makeAcme, present } from "../support/world.ts";

const histories = randomCases(40, 10_000);
/** Histories whose events share batches. */
const atOnce = 100;

const trackingTypes = ["Individual", "Anonymous", "Overall"] as const;
const types = ["delivery", "bounce", "unsubscribe", "complaint"] as const;
const bounces = ["hard", "soft", "suppressed"] as const;

interface RandomEvent {
  id: string;
  recipient: string;
  type: "open" | "click" | (typeof types)[number];
  at: number;
  bounce?: (typeof bounces)[number];
}

function makeEvents(random: Random): RandomEvent[] {
  const kinds = types.filter(() => random.between(0, 2) > 0);
  return Array.from({ length: random.between(0, 14) }, (_, index) => {
    const type = random.pick(["open", "click", ...kinds, ...kinds, ...kinds] as const);
    return {
      id: `e-${index}`,
      recipient: `person-${random.between(1, 4)}@example.com`,
      type,
      at: present - 3_600_000 + random.between(0, 6) * 60_000,
      ...(type === "bounce" && { bounce: random.pick(bounces) }),
    };
  });
}

/** Counts each recipient under the rule that the documentation states. Undefined: no event of its kind came. */
function expectedCounts(events: readonly RandomEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string, by: number) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  for (const { type } of events) {
    if (type === "delivery") add("delivered", 0);
    if (type === "bounce") for (const name of ["bounced_hard", "bounced_soft", "suppressed"]) add(name, 0);
    if (type === "unsubscribe") add("unsubscribed", 0);
    if (type === "complaint") add("complained", 0);
  }
  for (const own of Map.groupBy(events, ({ recipient }) => recipient).values()) {
    const last = (type: string, bounce?: string) =>
      Math.max(...own.filter((each) => each.type === type && each.bounce === bounce).map(({ at }) => at));
    const [delivered, hard] = [last("delivery"), last("bounce", "hard")];
    if (hard > 0 && hard >= delivered) add("bounced_hard", 1);
    else if (delivered > 0) add("delivered", 1);
    else if (last("bounce", "soft") > 0) add("bounced_soft", 1);
    else if (last("bounce", "suppressed") > 0) add("suppressed", 1);
    if (last("unsubscribe") > 0) add("unsubscribed", 1);
    if (last("complaint") > 0) add("complained", 1);
  }
  return counts;
}

const toSent = ({ at, ...event }: RandomEvent, campaign: number) => ({
  ...event,
  campaign_id: campaign,
  at: new Date(at).toISOString(),
  ...(event.type === "click" && { url: "https://example.com/a" }),
});

test("outcomes are counted as a simple oracle counts them, and change no record of v1", async (t) => {
  const { world, organization } = await makeAcme(t);
  const counted = { outcomes: 0, events: 0 };
  for (let seed = 1; seed <= histories; seed += atOnce) {
    const random = new Random(seed);
    const some = Array.from({ length: Math.min(atOnce, histories - seed + 1) }, (_, index) => ({
      id: 3 * (seed + index),
      events: makeEvents(random),
      trackingType: random.pick(trackingTypes),
    }));
    const deliveries = [];
    // One transaction for all: each would wait for the disk.
    await world.write(organization, async (scope) => {
      for (const { id, trackingType } of some) {
        const registration = { tracking_type: trackingType, recipient_count: 4, subject: "The week" };
        // The first two get the same events in other orders, the third one only opens and clicks.
        for (const copy of [id, id + 1, id + 2]) {
          const counted = parseCountedCampaign(copy, { ...countedCampaign(copy), ...registration }, "UTC");
          assert.ok("campaign" in counted);
          await saveCountedCampaign(scope, organization, counted, present, undefined);
        }
      }
    });
    for (const { id, events } of some) {
      const once = events.map((event) => toSent(event, id));
      const again = events.map((event) => toSent(event, id + 1));
      const repeated = again.filter(() => random.between(0, 3) === 0);
      const opens = events.filter(({ type }) => type === "open" || type === "click");
      deliveries.push(...once, ...again, ...repeated, ...opens.map((event) => toSent(event, id + 2)));
    }
    const shuffled = random.shuffle(deliveries);
    while (shuffled.length > 0) {
      const batch = shuffled.splice(0, random.between(1, isFullSize ? 1_500 : 300));
      const { quarantined, refused } = await world.ingest(organization, batch);
      assert.deepEqual([quarantined, refused], [0, 0]);
    }
    const ids = some.flatMap(({ id }) => [id, id + 1, id + 2]);
    const [campaigns, emails] = await world.read(organization, async (scope) => [
      await findCampaigns(scope, ids),
      await findPublishedEmails(scope, ids),
    ]);
    await world.read(organization, async (scope) => {
      for (const id of ids) {
        const options = { isRepaired: false, now: present };
        assert.deepEqual(await recountCampaign(scope, organization, id, options), []);
      }
    });
    const numbers = new Map(campaigns.map((stored) => [stored.campaign.id, stored.numbers]));
    const records = new Map(emails.map(({ id, record }) => [id, { ...JSON.parse(record), id: 0 }]));
    for (const { id, events } of some) {
      const expected = expectedCounts(events);
      for (const copy of [id, id + 1]) {
        const stored = numbers.get(copy);
        assert.ok(stored && "tallies" in stored);
        assert.deepEqual(stored.tallies.people.outcomes, expected, `seed ${seed}, campaign ${copy}`);
        assert.deepEqual(stored.tallies.all.outcomes, expected);
        assert.deepEqual(records.get(copy), records.get(id + 2), `seed ${seed}, campaign ${copy}`);
      }
      counted.outcomes += Object.values(expected).reduce((sum, count) => sum + count, 0);
      counted.events += events.length;
    }
  }
  report(`${histories} histories with ${counted.events} events: ${counted.outcomes} outcomes as expected`);
  assert.ok(counted.outcomes > histories);
});
