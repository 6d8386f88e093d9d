// Who was at work in opens and clicks, as it is kept of a campaign; and what of a link's address is.

import assert from "node:assert/strict";
import test from "node:test";
import { activityVerdicts, clickActivity, hourOf, verdictOf } from "../../src/campaign/activity.ts";
import { ActivityChange } from "../../src/campaign/activity-change.ts";
import { isPersonsClick, judgeClicks } from "../../src/campaign/click-verdicts.ts";
import { enpsIndex } from "../../src/campaign/metrics.ts";
import { type Click, clicksKept, type Recipient, record } from "../../src/campaign/recipient.ts";
import { shownAddress } from "../../src/campaign/shown-address.ts";
import { add, contribution, emptyTally, subtract, type Tally } from "../../src/campaign/tally.ts";
import { isPerson, type TrafficReason, trafficReasons } from "../../src/campaign/traffic.ts";
import { Random } from "../histories.ts";

test("each traffic reason is a verdict that stands for a person where the reason does, and has words for people", () => {
  for (const reason of Object.keys(trafficReasons) as TrafficReason[]) {
    assert.equal(activityVerdicts[reason].isPerson, isPerson(reason), reason);
    assert.notEqual(activityVerdicts[reason].title, "", reason);
  }
  assert.deepEqual(
    [activityVerdicts.burst.isPerson, activityVerdicts.beside_hidden_link.isPerson],
    [false, false],
  );
  assert.equal(Object.keys(activityVerdicts).length, Object.keys(trafficReasons).length + 2);
});

test("a verdict of another version is no person's, whatever its name is", () => {
  for (const name of ["of_the_future", "__proto__", "constructor"]) {
    assert.deepEqual(verdictOf(name), { title: name, meaning: "", isPerson: false });
  }
});

test("an hour is one of UTC, also before 1970", () => {
  assert.equal(hourOf(Date.UTC(2026, 5, 15, 12, 59, 59, 999)), Date.UTC(2026, 5, 15, 12));
  assert.equal(hourOf(Date.UTC(2026, 5, 15, 12)), Date.UTC(2026, 5, 15, 12));
  assert.equal(hourOf(-1), -3_600_000);
});

test("a click is judged by its own reason first, then by a hidden link, then by a burst", () => {
  const far = 60_000;
  const clicks: Click[] = [
    [0, 1, "person"],
    [1, 2, "bot"],
    [2, 3, "google_proxy"],
    [far, 1, "person"],
  ];
  assert.deepEqual(judgeClicks({ clicks }), ["burst", "bot", "burst", "person"]);
  assert.deepEqual(judgeClicks({ clicks: [...clicks, [far + 1, 4, "hidden_link"]] }), [
    "beside_hidden_link",
    "bot",
    "beside_hidden_link",
    "beside_hidden_link",
    "hidden_link",
  ]);
  assert.deepEqual(judgeClicks({ clicks: [[0, 1, "person"]], moreClicks: { hidden_link: 1 } }), [
    "beside_hidden_link",
  ]);
  assert.deepEqual(judgeClicks({}), []);
});

test("what is judged to be people's clicks is what the tally counts as such", () => {
  const random = new Random(7);
  for (let round = 0; round < 2_000; round++) {
    const recipient: Recipient = {};
    for (let count = random.from(0, 12); count > 0; count--) {
      const reason = random.pick<TrafficReason>([...Array(12).fill("person"), "bot", "hidden_link"]);
      const at = random.from(0, 20) * 5_000;
      record(recipient, { type: "click", at, isAhead: false, reason, link: random.from(1, 4) });
    }
    const judged = clickActivity(recipient);
    const people = judged.filter(({ verdict }) => isPersonsClick(verdict)).length;
    assert.equal(people, contribution(recipient, "people").totalClicks);
    assert.equal(judged.length, contribution(recipient, "all").totalClicks);
  }
});

test("a later click turns earlier ones into a burst: the difference takes them from people", () => {
  const recipient: Recipient = {
    clicks: [
      [0, 1, "person"],
      [1, 2, "person"],
    ],
  };
  const change = new ActivityChange(1);
  change.addClicks(recipient, -1);
  record(recipient, { type: "click", at: 2, isAhead: false, reason: "person", link: 3 });
  change.addLink(3, "https://example.com/3");
  change.addClicks(recipient, 1);
  assert.deepEqual(change.hours(), [
    { campaignId: 1, hour: 0, activity: "click", verdict: "person", count: -2 },
    { campaignId: 1, hour: 0, activity: "click", verdict: "burst", count: 3 },
  ]);
  assert.deepEqual(change.links(), [
    { campaignId: 1, link: 1, url: undefined, people: -1, all: 0 },
    { campaignId: 1, link: 2, url: undefined, people: -1, all: 0 },
    { campaignId: 1, link: 3, url: "https://example.com/3", people: 0, all: 1 },
  ]);
});

test("a click that is not kept changes no hour, and its link is known all the same", () => {
  const recipient: Recipient = {};
  for (let at = 0; at < clicksKept; at++) {
    record(recipient, { type: "click", at: at * 60_000, isAhead: false, reason: "person", link: 1 });
  }
  const change = new ActivityChange(1);
  change.addClicks(recipient, -1);
  record(recipient, { type: "click", at: 1e12, isAhead: false, reason: "person", link: 2 });
  change.addLink(2, "https://example.com/2");
  change.addClicks(recipient, 1);
  assert.deepEqual(change.hours(), []);
  assert.deepEqual(change.links(), [
    { campaignId: 1, link: 2, url: "https://example.com/2", people: 0, all: 0 },
  ]);
});

test("only opens count as opens", () => {
  const change = new ActivityChange(1);
  const base = { at: 5, isAhead: false, reason: "person" } as const;
  change.addOpen({ ...base, type: "open", device: null });
  change.addOpen({ ...base, type: "read", seconds: 4 });
  change.addOpen({ ...base, type: "click", link: 1 });
  assert.deepEqual(change.hours(), [
    { campaignId: 1, hour: 0, activity: "open", verdict: "person", count: 1 },
  ]);
});

const addresses: [url: string, shown: string][] = [
  ["https://example.com/news?u=ann#top", "https://example.com/news"],
  ["HTTPS://Ann:secret@Example.com/News", "https://example.com/News"],
  ["https:\\\\ann:secret@example.com\\news", "https://example.com/news"],
  ["https://example.com/leave/ann@example.com/now", "https://example.com/leave/…/now"],
  ["https://example.com/leave/ann%40example.com", "https://example.com/leave/…"],
  ["https://example.com/@editors/1", "https://example.com/@editors/1"],
  ["mailto:ann@example.com?subject=Hello", "…"],
  ["/relative?u=ann", "/relative"],
  ["?u=ann", ""],
  ["not an address #ann", "not an address"],
  ["https://b\u00fccher.example/\u00e4", "https://xn--bcher-kva.example/%C3%A4"],
  ["\ud800\0", "\ufffd"],
];
for (const [url, shown] of addresses) {
  test(`of the address ${JSON.stringify(url)} is kept ${JSON.stringify(shown)}`, () => {
    assert.equal(shownAddress(url), shown);
  });
}

test("of an address 1,000 characters are kept at most, and never half of one", () => {
  assert.equal(shownAddress(`https://example.com/${"a".repeat(5_000)}`).length, 1_000);
  const shown = shownAddress(`x${"\u{1f600}".repeat(1_000)}`);
  assert.equal(shown.length, 1_000);
  assert.ok(shown.isWellFormed());
});

const rated = (...scores: number[]): Tally => {
  const tally = { ...emptyTally };
  for (const [place, score] of scores.entries()) {
    const surveys = { "enps s": { reaction: [score, 0, `${place}`] as [number, number, string] } };
    add(tally, contribution({ surveys }, "people"));
  }
  return tally;
};

test("9 and 10 are promoters, 0 to 6 detractors, and other surveys neither", () => {
  const tally = rated(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  assert.deepEqual([tally.enpsPromoters, tally.enpsDetractors, tally.enpsReactions], [2, 7, 11]);
  const pulse = contribution({ surveys: { "pulse s": { reaction: [10, 0, ""] } } }, "people");
  assert.deepEqual([pulse.enpsPromoters, pulse.enpsDetractors], [0, 0]);
});

test("the eNPS index is a whole number from -100 to 100, and none without ratings", () => {
  const cases: [scores: number[], index: number | undefined][] = [
    [[], undefined],
    [[10], 100],
    [[0], -100],
    [[7, 8], 0],
    [[10, 0], 0],
    [[10, 10, 7], 67],
    [[0, 7, 7], -33],
    [[0, ...Array<number>(299).fill(7)], 0],
  ];
  for (const [scores, index] of cases) {
    assert.ok(Object.is(enpsIndex(rated(...scores)), index), `${scores.slice(0, 3)}`);
  }
});

test("what an earlier version did not keep stays unknown, and no number becomes wrong", () => {
  const { enpsPromoters: _p, enpsDetractors: _d, ...earlier } = rated(9, 3);
  const tally: Tally = structuredClone(earlier);
  const one = contribution({ surveys: { "enps s": { reaction: [10, 0, ""] } } }, "people");
  subtract(tally, contribution({}, "people"));
  add(tally, one);
  assert.deepEqual(tally, {
    ...earlier,
    uniqueOpens: 3,
    totalOpens: 3,
    enpsReactions: 3,
    enpsScores: 22,
  });
  assert.equal(enpsIndex(tally), undefined);
  assert.ok(!JSON.stringify(tally).includes("null"));
});
