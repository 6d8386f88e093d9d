// The activity of a campaign: verdicts, quarter hours, links, and how a batch changes them.

import assert from "node:assert/strict";
import test from "node:test";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { formatHours, startOfHour } from "../../../src/campaign/calendar/hours.ts";
import {
  clickActivity,
  describeVerdict,
  startOfQuarter,
  verdictMeanings,
} from "../../../src/campaign/events/activity.ts";
import { ActivityChange } from "../../../src/campaign/events/activity-change.ts";
import { classifyClicks, isHumanClick } from "../../../src/campaign/events/click-verdicts.ts";
import { linkNumber, linkRow, otherLinks } from "../../../src/campaign/events/link-number.ts";
import { type Click, clicksKept, type Recipient, record } from "../../../src/campaign/events/recipient.ts";
import { shownUrl } from "../../../src/campaign/events/shown-url.ts";
import { add, contribution, emptyTally, type Tally } from "../../../src/campaign/events/tally.ts";
import { isHuman, type TrafficReason, trafficReasons } from "../../../src/campaign/events/traffic.ts";
import { hashLink } from "../../../src/counting/events/hash-event.ts";
import { Random } from "../../support/histories.ts";

test("has a verdict with a title for each traffic reason, human exactly if the reason is", () => {
  for (const reason of Object.keys(trafficReasons) as TrafficReason[]) {
    assert.equal(verdictMeanings[reason].isHuman, isHuman(reason), reason);
    assert.notEqual(verdictMeanings[reason].title, "", reason);
  }
  assert.deepEqual(
    [verdictMeanings.burst.isHuman, verdictMeanings.beside_hidden_link.isHuman],
    [false, false],
  );
  assert.equal(Object.keys(verdictMeanings).length, Object.keys(trafficReasons).length + 2);
});

test("describes an unknown verdict as not human", () => {
  for (const name of ["of_the_future", "__proto__", "constructor"]) {
    assert.deepEqual(describeVerdict(name), { title: name, meaning: "", isHuman: false });
  }
});

test("finds the start of a quarter hour, even before 1970", () => {
  assert.equal(startOfQuarter(Date.UTC(2026, 5, 15, 12, 59, 59, 999)), Date.UTC(2026, 5, 15, 12, 45));
  assert.equal(startOfQuarter(Date.UTC(2026, 5, 15, 12)), Date.UTC(2026, 5, 15, 12));
  assert.equal(startOfQuarter(-1), -900_000);
});

test("counts links with the same shown URL in one row, but as different links of a burst", () => {
  const secret = "secret";
  const link = (url: string) => hashLink(secret, url);
  const [ann, bob] = [link("https://example.com/a?u=ann"), link("https://example.com/a?u=bob")];
  assert.notEqual(ann, bob);
  assert.equal(linkRow(ann), linkRow(bob));
  assert.notEqual(linkRow(ann), linkRow(link("https://example.com/b?u=ann")));
  assert.notEqual(hashLink("other", "https://example.com/a?u=ann"), ann);
  assert.ok([ann, bob].every(Number.isSafeInteger));
  const clicks = [1, 2, 3].map((at): Click => [at, link(`https://example.com/a?u=${at}`), "person"]);
  assert.deepEqual(classifyClicks({ clicks }), ["burst", "burst", "burst"]);
});

test("never gives a link the row of all other links", () => {
  assert.notEqual(linkRow(linkNumber("0".repeat(32), "0".repeat(32))), otherLinks);
  assert.equal(linkNumber("f".repeat(32), "f".repeat(32)), 2 ** 53 - 1);
});

test("names hours by local time, with the offset when two have the same name", () => {
  const hour = (text: string) => Date.parse(text);
  const from = (text: string) => [0, 1, 2, 3].map((place) => hour(text) + place * hourMs);
  assert.deepEqual(formatHours(from("2026-11-01T04:00:00Z"), "America/New_York"), [
    "Nov 1 12 AM",
    "Nov 1 1 AM (UTC−4)",
    "Nov 1 1 AM (UTC−5)",
    "Nov 1 2 AM",
  ]);
  assert.deepEqual(formatHours(from("2026-11-01T02:30:00Z"), "America/St_Johns").slice(1, 3), [
    "Nov 1 1 AM (UTC−2:30)",
    "Nov 1 1 AM (UTC−3:30)",
  ]);
  assert.deepEqual(formatHours(from("2026-10-25T00:00:00Z"), "Europe/London").slice(0, 2), [
    "Oct 25 1 AM (UTC+1)",
    "Oct 25 1 AM (UTC)",
  ]);
  assert.equal(startOfHour(hour("2026-06-14T18:40:00Z"), "Asia/Kolkata"), hour("2026-06-14T18:30:00Z"));
  assert.equal(startOfHour(hour("2026-06-14T18:10:00Z"), "Asia/Kathmandu"), hour("2026-06-14T17:15:00Z"));
});

test("classifies a click by its own reason, then the hidden link, then a burst", () => {
  const far = 60_000;
  const clicks: Click[] = [
    [0, 1, "person"],
    [1, 2, "bot"],
    [2, 3, "google_proxy"],
    [far, 1, "person"],
  ];
  assert.deepEqual(classifyClicks({ clicks }), ["burst", "bot", "burst", "person"]);
  assert.deepEqual(classifyClicks({ clicks: [...clicks, [far + 1, 4, "hidden_link"]] }), [
    "beside_hidden_link",
    "bot",
    "beside_hidden_link",
    "beside_hidden_link",
    "hidden_link",
  ]);
  assert.deepEqual(classifyClicks({ clicks: [[0, 1, "person"]], moreClicks: { hidden_link: 1 } }), [
    "beside_hidden_link",
  ]);
  assert.deepEqual(classifyClicks({}), []);
});

test("classifies as human exactly the clicks that the tally counts as human", () => {
  const random = new Random(7);
  for (let round = 0; round < 2_000; round++) {
    const recipient: Recipient = {};
    for (let count = random.between(0, 12); count > 0; count--) {
      const reason = random.pick<TrafficReason>([...Array(12).fill("person"), "bot", "hidden_link"]);
      const at = random.between(0, 20) * 5_000;
      record(recipient, { type: "click", at, isAhead: false, reason, link: random.between(1, 4) });
    }
    const classified = clickActivity(recipient);
    const people = classified.filter(({ verdict }) => isHumanClick(verdict)).length;
    assert.equal(people, contribution(recipient, "people").totalClicks);
    assert.equal(classified.length, contribution(recipient, "all").totalClicks);
  }
});

/** The number of a link, and its row. */
const link = (number: number) => linkNumber(String(number), "0");
const row = (number: number) => linkRow(link(number));

test("subtracts human clicks when a later click turns them into a burst", () => {
  const recipient: Recipient = {
    clicks: [
      [0, link(1), "person"],
      [1, link(2), "person"],
    ],
  };
  const change = new ActivityChange(1);
  change.addClicks(recipient, -1);
  record(recipient, { type: "click", at: 2, isAhead: false, reason: "person", link: link(3) });
  change.addLink(link(3), "https://example.com/3");
  change.addClicks(recipient, 1);
  assert.deepEqual(change.hours.list(), [
    { quarter: 0, activity: "click", verdict: "person", count: -2 },
    { quarter: 0, activity: "click", verdict: "burst", count: 3 },
  ]);
  assert.deepEqual(change.links(), [
    { campaignId: 1, link: row(1), url: undefined, people: -1, all: 0 },
    { campaignId: 1, link: row(2), url: undefined, people: -1, all: 0 },
    { campaignId: 1, link: row(3), url: "https://example.com/3", people: 0, all: 1 },
  ]);
});

test("records the link but no hour of a click beyond the stored ones", () => {
  const recipient: Recipient = {};
  for (let at = 0; at < clicksKept; at++) {
    record(recipient, { type: "click", at: at * 60_000, isAhead: false, reason: "person", link: link(1) });
  }
  const change = new ActivityChange(1);
  change.addClicks(recipient, -1);
  record(recipient, { type: "click", at: 1e12, isAhead: false, reason: "person", link: link(2) });
  change.addLink(link(2), "https://example.com/2");
  change.addClicks(recipient, 1);
  assert.deepEqual(change.hours.list(), []);
  assert.deepEqual(change.links(), [
    { campaignId: 1, link: row(2), url: "https://example.com/2", people: 0, all: 0 },
  ]);
});

test("adds only opens as opens", () => {
  const change = new ActivityChange(1);
  const base = { at: 5, isAhead: false, reason: "person" } as const;
  change.addOpen({ ...base, type: "open", device: null });
  change.addOpen({ ...base, type: "read", seconds: 4 });
  change.addOpen({ ...base, type: "click", link: 1 });
  assert.deepEqual(change.hours.list(), [{ quarter: 0, activity: "open", verdict: "person", count: 1 }]);
});

const urls: [url: string, shown: string][] = [
  ["https://example.com/news?u=ann#top", "https://example.com/news"],
  ["HTTPS://Ann:secret@Example.com/News", "https://example.com/News"],
  ["https:\\\\ann:secret@example.com\\news", "https://example.com/news"],
  ["https://example.com/leave/ann@example.com/now", "https://example.com/leave/…/now"],
  ["https://example.com/leave/ann%40example.com", "https://example.com/leave/…"],
  ["https://example.com/u/ann%2540example.com/x", "https://example.com/u/…/x"],
  ["https://example.com/u/ann%252540example.com", "https://example.com/u/…"],
  ["https://example.com/ann\uff20example.com", "https://example.com/…"],
  ["https://example.com/ann%EF%BC%A0example.com", "https://example.com/…"],
  ["https://example.com/ann%25ef%25bc%25a0example.com", "https://example.com/…"],
  ["https://example.com/a;mail=ann@example.com@b;c/x", "https://example.com/…/x"],
  ["https://example.com/@editors/1", "https://example.com/@editors/1"],
  ["mailto:ann@example.com?subject=Hello", "…"],
  ["/relative?u=ann", "/relative"],
  ["?u=ann", ""],
  ["not a URL #ann", "not a URL"],
  ["https://b\u00fccher.example/\u00e4", "https://xn--bcher-kva.example/%C3%A4"],
  ["\ud800\0", "\ufffd"],
];
for (const [url, shown] of urls) {
  test(`stores the URL ${JSON.stringify(url)} as ${JSON.stringify(shown)}`, () => {
    assert.equal(shownUrl(url), shown);
  });
}

test("truncates a URL to 1,000 characters without splitting a surrogate pair", () => {
  assert.equal(shownUrl(`https://example.com/${"a".repeat(5_000)}`).length, 1_000);
  assert.match(shownUrl(`https://example.com/${"a".repeat(5_000)}`), /a…$/);
  assert.equal(shownUrl(`x${"b".repeat(999)}`), `x${"b".repeat(999)}`);
  for (const beginning of ["x", "xy"]) {
    const shown = shownUrl(`${beginning}${"\u{1f600}".repeat(1_000)}`);
    assert.ok(shown.length === 1_000 || shown.length === 999);
    assert.ok(shown.endsWith("\u{1f600}…"));
  }
});

test("processes a malicious URL in linear time", () => {
  const from = process.cpuUsage();
  shownUrl(`https://example.com/${"a".repeat(1_000_000)}`);
  shownUrl(`x${"%25".repeat(300_000)}`);
  const { user } = process.cpuUsage(from);
  // CPU time, because other processes may slow the test down.
  assert.ok(user < 2_000_000, `${user} µs`);
});

const tallyOfScores = (...scores: number[]): Tally => {
  const tally = { ...emptyTally };
  for (const [place, score] of scores.entries()) {
    const surveys = { "enps s": { reaction: [score, 0, `${place}`] as [number, number, string] } };
    add(tally, contribution({ surveys }, "people"));
  }
  return tally;
};

test("counts scores of 9 and 10 as promoters, 0 to 6 as detractors, and other surveys as neither", () => {
  const tally = tallyOfScores(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  assert.deepEqual([tally.enpsPromoters, tally.enpsDetractors, tally.enpsReactions], [2, 7, 11]);
  const pulse = contribution({ surveys: { "pulse s": { reaction: [10, 0, ""] } } }, "people");
  assert.deepEqual([pulse.enpsPromoters, pulse.enpsDetractors], [0, 0]);
});
