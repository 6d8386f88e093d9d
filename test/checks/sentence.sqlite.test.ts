// Checks how often the sentence of the overview is wrong, in organizations whose true rates are known: what it calls a
// difference is one, and likely ends hold as often as the help says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dateAt } from "../../src/campaign/calendar/calendar-date.ts";
import { dayMs } from "../../src/campaign/calendar/durations.ts";
import type { Clauses } from "../../src/campaign/clauses.ts";
import type { Range } from "../../src/campaign/ranges.ts";
import { readReport } from "../../src/listing/reports/period-report.ts";
import { type ReportPeriod, reportPeriod } from "../../src/listing/reports/report-period.ts";
import { Random } from "../support/histories.ts";
import { randomCases, report } from "../support/random-cases.ts";
import { makeSqliteWorld, present, type World } from "../support/world.ts";

interface Sent {
  id: number;
  sentAt: number;
  /** How probably a recipient opens it within 14 days. */
  truth: number;
  /** The share that did. */
  end: number;
  /** When recipients open it. */
  opens: number[];
}

interface Truth {
  /** Without differences each campaign has the same truth, and every claim of one is false. */
  isSame: boolean;
  recipients: number;
  /** The period that the sentence is about, up to now. */
  days: 7 | 30;
  /** From the newest. */
  campaigns: Sent[];
  /** How much more probably those of the last 30 days are opened, as a difference of log-odds. */
  shift: number;
}

const shiftedMs = 30 * dayMs;
const endMs = 14 * dayMs;

const share = (random: Random) => (random.between(1, 1e9) - 0.5) / 1e9;
const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(share(random))) * Math.cos(2 * Math.PI * share(random));

/** Campaigns of two months and a few fresh ones, which people open within some days, at a speed that differs a little. */
function makeTruth(random: Random): Truth {
  const isSame = random.chance(50);
  const base = -1.4 + 2.8 * share(random);
  const spread = isSame ? 0 : 0.1 + 0.4 * share(random);
  const shift = isSame || random.chance(50) ? 0 : 0.6 * normal(random);
  const recipients = random.between(60, 400);
  const days = 0.3 + 1.2 * share(random);
  const final = Array.from(
    { length: random.between(8, 20) },
    () => 8 * dayMs + random.between(0, 50 * dayMs),
  );
  const fresh = Array.from({ length: random.between(0, 4) }, () => random.between(dayMs / 8, 6 * dayMs));
  const campaigns = [...fresh, ...final]
    .toSorted((a, b) => a - b)
    .map((age, index) => {
      const odds = base + spread * normal(random) + (age < shiftedMs ? shift : 0);
      const truth = 1 / (1 + Math.exp(-odds));
      const pace = days * Math.exp(0.15 * normal(random));
      const opens = Array.from({ length: recipients }, () => share(random) < truth)
        .filter(Boolean)
        .map(() => -Math.log(share(random)) * pace * dayMs * (random.chance(70) ? 0.25 : 1.5))
        .map((after) => Math.min(after, endMs - 1));
      return { id: index + 1, sentAt: present - age, truth, end: opens.length / recipients, opens };
    });
  return { isSame, recipients, campaigns, shift, days: random.pick([7, 30]) };
}

async function readSentence(
  world: World,
  { recipients, campaigns, days }: Truth,
): Promise<Clauses | undefined> {
  const { organization } = await world.addOrganization();
  for (const { id, sentAt, opens } of campaigns) {
    const sent = { sent_at: new Date(sentAt).toISOString(), recipient_count: recipients };
    await world.register(organization, id, sent);
    const events = opens.flatMap((after, place) => {
      const at = Math.floor(sentAt + after);
      const event = { id: `${id} ${place}`, campaign_id: id, recipient: `r${place}`, type: "open" };
      return at < present ? [{ ...event, at: new Date(at).toISOString() }] : [];
    });
    if (events.length > 0) await world.ingest(organization, events);
  }
  const period = reportPeriod(`${days}d`, dateAt(present, "UTC")) as ReportPeriod;
  const context = { database: world.database, now: () => present };
  return (await readReport(context, organization, period))?.clauses;
}

const inPeriodOf = ({ campaigns, days }: Truth) =>
  campaigns.filter(({ sentAt }) => sentAt > present - days * dayMs);

/** What the sentence calls a difference: how far the truth is on the side that it says; 0 without differences. */
function claimsOf(clauses: Clauses, truth: Truth) {
  const { isSame, campaigns, shift } = truth;
  const mean = (some: readonly Sent[]) => some.reduce((sum, { truth }) => sum + truth, 0) / some.length;
  const ended = campaigns.filter(({ sentAt }) => sentAt < present - 7 * dayMs);
  const going = campaigns.filter((each) => !ended.includes(each));
  const truthOf = (id: number) => mean(campaigns.filter((each) => each.id === id));
  const { rate, soFar, fresh, ranked } = clauses;
  const claims: [name: string, side: number, difference: number][] = [];
  if (rate?.before) claims.push(["change", rate.rate.value - rate.before.value, shift]);
  if (soFar?.side) claims.push(["so far", soFar.side, mean(going) - mean(ended)]);
  if (fresh?.side) claims.push(["fresh", fresh.side, truthOf(fresh.stored.campaign.id) - mean(ended)]);
  if (ranked) {
    const others = inPeriodOf(truth).filter((each) => ended.includes(each));
    const side = ranked.which === "best" ? 1 : -1;
    claims.push(["ranked", side, truthOf(ranked.stored.campaign.id) - mean(others)]);
  }
  return claims.map(([name, side, difference]) => ({ name, isTrue: !isSame && side * difference > 0 }));
}

/** Where the sentence says that open rates will probably end, and where they do. */
function endsOf({ fresh, soFar }: Clauses, truth: Truth): [Range, number][] {
  const inPeriod = inPeriodOf(truth);
  const all = inPeriod.reduce((sum, { end }) => sum + end, 0) / inPeriod.length;
  const own = inPeriod.find(({ id }) => id === fresh?.stored.campaign.id);
  return [
    ...(soFar?.likelyEnd ? [[soFar.likelyEnd, all] as [Range, number]] : []),
    ...(fresh?.likelyEnd && own ? [[fresh.likelyEnd, own.end] as [Range, number]] : []),
  ];
}

test("the sentence finds a difference in at most 5 % of organizations without one, and its likely ends hold", async (t) => {
  const world = await makeSqliteWorld(t);
  const worlds = randomCases(32, 2_000);
  const same = { worlds: 0, claimed: 0 };
  const claims: Record<string, { claims: number; false: number; ofSame: number }> = {};
  const ends = { said: 0, held: 0 };
  for (let seed = 1; seed <= worlds; seed++) {
    const truth = makeTruth(new Random(seed));
    const clauses = await readSentence(world, truth);
    if (!clauses) continue;
    const claimed = claimsOf(clauses, truth);
    if (truth.isSame) {
      same.worlds++;
      if (claimed.length > 0) same.claimed++;
    }
    for (const { name, isTrue } of claimed) {
      const of = claims[name] ?? { claims: 0, false: 0, ofSame: 0 };
      claims[name] = of;
      of.claims++;
      if (!isTrue) of.false++;
      if (truth.isSame) of.ofSame++;
    }
    for (const [{ low, high }, end] of endsOf(clauses, truth)) {
      ends.said++;
      if (low <= end && end <= high) ends.held++;
    }
  }
  report(JSON.stringify({ worlds, same, claims, ends, held: ends.held / ends.said }));
  const other = { claims: 0, false: 0 };
  for (const each of Object.values(claims)) {
    other.claims += each.claims - each.ofSame;
    other.false += each.false - each.ofSame;
  }
  assert.ok(other.claims > 0 && ends.said > 0, "it says something");
  // Few worlds deviate by chance: two standard deviations more.
  const atMost5 = (of: number) => 0.05 + 2 * Math.sqrt(0.0475 / of);
  assert.ok(same.claimed / same.worlds <= atMost5(same.worlds), "without differences");
  assert.ok(other.false / other.claims <= atMost5(other.claims), "on the wrong side");
  assert.ok(Math.abs(ends.held / ends.said - 0.8) <= 0.03 + 2 * Math.sqrt(0.16 / ends.said));
});
