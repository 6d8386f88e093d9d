// The comparison at the same age, and forecasts: in simulated organizations they hold as often as they say.

import assert from "node:assert/strict";
import test from "node:test";
import { ages, spanOf } from "../../src/campaign/events/ages.ts";
import {
  type AgedCampaign,
  findComparable,
  forecastOpens,
  isNarrow,
  openingCurve,
  reachedAge,
  testForecasts,
  usualRate,
} from "../../src/campaign/forecast.ts";
import { likelyEndOf, ratesTogether, type SameAge } from "../../src/listing/reports/same-age.ts";
import { sideOf } from "../../src/listing/sums/best-and-worst.ts";
import { Random } from "../support/histories.ts";
import { isFullSize, report } from "../support/random-cases.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A campaign with opens at these hours after it was sent. */
function campaignOf(id: number, hours: readonly number[], given: Partial<AgedCampaign> = {}): AgedCampaign {
  const opensByAge = Array.from({ length: ages.length + 1 }, () => 0);
  for (const each of hours) {
    const span = spanOf(each * hourMs);
    opensByAge[span] = (opensByAge[span] ?? 0) + 1;
  }
  const clicksByAge = opensByAge.map(() => 0);
  return { id, sentAt: id * dayMs, team: null, recipientCount: 10, opensByAge, clicksByAge, ...given };
}

test("draws a curve of unique opens that ends at the last age that has passed", () => {
  const campaign = campaignOf(0, [0, 1, 2.5, 5, 30], { sentAt: 0 });
  const curve = (now: number) => openingCurve(campaign, now).map((rate) => rate?.value ?? null);
  assert.deepEqual(curve(4.5 * hourMs).slice(0, 9), [0.1, 0.1, 0.2, 0.2, 0.3, 0.3, null, null, null]);
  assert.equal(curve(4.5 * hourMs).length, ages.length + 1);
  assert.ok(curve(14 * 60_000).every((rate) => rate === null));
  const whole = curve(40 * dayMs);
  const found = [whole[ages.indexOf(24 * hourMs)], whole[ages.indexOf(36 * hourMs)], whole.at(-1)];
  assert.deepEqual(found, [0.4, 0.5, 0.5]);
  const crowded = campaignOf(
    0,
    Array.from({ length: 12 }, () => 1),
    { sentAt: 0 },
  );
  assert.equal(openingCurve(crowded, dayMs).findLast((rate) => rate !== null)?.value, 1);
  assert.deepEqual([reachedAge(0, 14 * 60_000), reachedAge(0, 5 * hourMs)], [undefined, 4 * hourMs]);
});

test("compares with final campaigns of the team in the year before, or with all, or with none", () => {
  const campaign = { sentAt: 400 * dayMs, team: "HR" };
  const now = 401 * dayMs;
  const sent = (days: readonly number[], given: Partial<AgedCampaign> = {}) =>
    days.map((day) => campaignOf(day, [1], { team: "HR", ...given }));
  const found = (...earlier: AgedCampaign[]) =>
    findComparable(
      campaign,
      earlier.toSorted((a, b) => b.sentAt - a.sentAt),
      now,
    ).map(({ id }) => id);
  assert.deepEqual(found(...sent([386, 385, 384, 383, 34, 35])), [386, 385, 384, 383, 35]);
  assert.deepEqual(found(...sent([388, 385, 384, 383, 35])), [], "younger than two weeks");
  const expected = [385, 384, 383, 382, 381, 380];
  assert.deepEqual(found(...sent([385, 384, 383, 382]), ...sent([381, 380], { team: "IT" })), expected);
  assert.deepEqual(found(...sent([385, 384, 383, 382], { recipientCount: 0 }), ...sent([381])), []);
  const many = Array.from({ length: 50 }, (_, index) => 386 - index);
  assert.deepEqual(found(...sent(many)), many.slice(0, 30));
});

test("weights the usual rate at an age by recipients", () => {
  const campaigns = [campaignOf(1, [1, 1, 5]), campaignOf(2, [1], { recipientCount: 30 })];
  assert.equal(usualRate(campaigns, "opensByAge", hourMs)?.value, 3 / 40);
  assert.equal(usualRate(campaigns, "opensByAge", 6 * hourMs)?.value, 4 / 40);
  assert.equal(usualRate(campaigns, "clicksByAge", hourMs)?.value, 0);
  assert.equal(usualRate([], "opensByAge", hourMs), null);
});

test("forecasts nothing without comparable campaigns, without opens, and in the first hours", () => {
  const comparable = Array.from({ length: 5 }, (_, id) => campaignOf(id, [1, 2, 3, 30, 50]));
  const campaign = campaignOf(9, [1, 2, 3]);
  const given = { own: campaign, comparable, age: 3 * hourMs };
  assert.ok(forecastOpens([given]));
  assert.equal(forecastOpens([{ ...given, age: 2 * hourMs }]), undefined);
  assert.equal(forecastOpens([{ ...given, comparable: [] }]), undefined);
  assert.equal(forecastOpens([{ ...given, own: campaignOf(9, []) }]), undefined);
  assert.equal(forecastOpens([given, { ...given, comparable: [] }]), undefined);
  assert.ok(forecastOpens([given, { ...given, age: undefined }]));
  assert.equal(forecastOpens([]), undefined);
});

test("forecasts from how much campaigns differ, in the errors of Student for few of them", () => {
  const forecast = (
    early: readonly number[],
    all: readonly number[],
    opens: number,
    sizes: [number, number],
  ) => {
    const campaignWith = (before: number, after: number, recipientCount: number) =>
      campaignOf(0, [...Array(before).fill(3), ...Array(after).fill(30)], { recipientCount });
    const comparable = early.map((before, index) =>
      campaignWith(before, (all[index] ?? 0) - before, sizes[1]),
    );
    const own = campaignWith(opens, 0, sizes[0]);
    const { low, high } = forecastOpens([{ own, comparable, age: 3 * hourMs }]) ?? {};
    return [low?.toFixed(3), high?.toFixed(3)];
  };
  // Computed by another program, with the exact quantile of four degrees of freedom. The campaigns of the first and the third
  // case differ no more than by chance.
  assert.deepEqual(forecast([20, 25, 22, 18, 30], [40, 50, 38, 44, 52], 26, [120, 100]), ["0.368", "0.509"]);
  assert.deepEqual(forecast([200, 120, 320, 100, 300], [400, 500, 380, 440, 520], 260, [1200, 1000]), [
    "0.359",
    "0.560",
  ]);
  assert.deepEqual(forecast([20, 20, 20, 20, 20], [40, 40, 40, 40, 40], 10, [50, 100]), ["0.319", "0.496"]);
});

interface SimulatedOrganization {
  recipients: number;
  campaigns: number;
  /** How much campaigns differ in how fast they are opened: the standard deviation of its logarithm. */
  spread: number;
}

/** Six of ten readers open within hours of the sending, the others when they get to it. */
function simulateCampaign(random: () => number, id: number, { recipients, spread }: SimulatedOrganization) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rate = Math.min(0.95, Math.max(0.1, 0.55 + 0.08 * normal()));
  const speed = Math.exp(spread * normal());
  const hours: number[] = [];
  for (let left = recipients; left > 0; left--) {
    if (random() > rate) continue;
    const [median, deviation] = random() < 0.6 ? [0.6, 1.2] : [20, 1];
    hours.push(median * Math.exp(deviation * normal()) * speed);
  }
  return campaignOf(id, hours, { sentAt: id * 3 * dayMs, recipientCount: recipients });
}

test("80 % of the forecasts hold in simulated organizations, and those after 3 hours are narrow", () => {
  const source = new Random(20_26);
  const random = () => source.between(0, 2 ** 30 - 1) / 2 ** 30;
  const runs = isFullSize ? 300 : 8;
  let [forecasts, held, tested, testHeld, halfWidths, narrow] = [0, 0, 0, 0, 0, 0];
  for (const campaigns of [8, 15, 31]) {
    for (const recipients of [200, 500, 2_000]) {
      for (const spread of [0.1, 0.2, 0.3]) {
        for (let run = runs; run > 0; run--) {
          const all = Array.from({ length: campaigns }, (_, id) =>
            simulateCampaign(random, id, { recipients, campaigns, spread }),
          ).toReversed();
          const [campaign, ...earlier] = all as [AgedCampaign, ...AgedCampaign[]];
          const now = campaign.sentAt + 30 * dayMs;
          for (const age of [3 * hourMs, 24 * hourMs]) {
            const forecast = forecastOpens([
              { own: campaign, comparable: findComparable(campaign, earlier, now), age },
            ]);
            if (!forecast) continue;
            const end = openingCurve(campaign, now)[spanOf(14 * dayMs)]?.value ?? 0;
            forecasts += 1;
            if (forecast.low <= end && end <= forecast.high) held += 1;
            if (age !== 3 * hourMs || recipients !== 500 || campaigns !== 31 || spread !== 0.1) continue;
            halfWidths += (forecast.high - forecast.low) / 2;
            narrow += 1;
          }
          const accuracy = testForecasts(all, 24 * hourMs, now);
          tested += accuracy.forecasts;
          testHeld += accuracy.held;
        }
      }
    }
  }
  const [share, testShare, halfWidth] = [held / forecasts, testHeld / tested, halfWidths / narrow];
  report(
    `${forecasts} forecasts: ${(100 * share).toFixed(1)} % held; ${tested} of past campaigns: ${(100 * testShare).toFixed(1)} %; after 3 hours, of 500 recipients: within ${(100 * halfWidth).toFixed(2)} points`,
  );
  const tolerance = isFullSize ? 0.03 : 0.05;
  assert.ok(Math.abs(share - 0.8) < tolerance, `${share} held`);
  assert.ok(Math.abs(testShare - 0.8) < tolerance, `${testShare} of the past held`);
  assert.ok(halfWidth < 0.045, `${halfWidth} wide`);
});

test("80 % of the forecasts of weeks hold, and few weeks are said to differ where none do", () => {
  const source = new Random(20_27);
  const random = () => source.between(0, 2 ** 30 - 1) / 2 ** 30;
  const kinds = new Map<string, { all: number; held: number }>();
  const count = (kind: string, isHeld: boolean) => {
    const { all, held } = kinds.get(kind) ?? { all: 0, held: 0 };
    kinds.set(kind, { all: all + 1, held: held + Number(isHeld) });
  };
  const worlds = isFullSize ? 2_000 : 200;
  for (let world = worlds; world > 0; world--) {
    const organization = {
      recipients: source.pick([200, 400, 800]),
      campaigns: source.pick([12, 20, 31]),
      spread: source.pick([0.1, 0.2, 0.3]),
    };
    const teams = source.pick([["HR"], ["HR", "IT"], ["HR", "IT", "Ops", "Sales"]]);
    const sent = (team: string, count: number, id: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...simulateCampaign(random, id + index, organization),
        team,
      }));
    const now = 400 * dayMs;
    const campaigns = teams.flatMap((team, index) => {
      const earlier = sent(team, organization.campaigns, 100 * index);
      const fresh = sent(team, source.between(team === "HR" ? 1 : 0, 3), 100 * index + 50);
      return fresh.map((own): SameAge => {
        const age = reachedAge(0, hourMs * source.between(1, 160));
        return { own, age, comparable: earlier, team };
      });
    });
    const ended = campaigns.map(
      ({ own }) => openingCurve({ ...own, sentAt: 0 }, now)[spanOf(14 * dayMs)]?.value ?? 0,
    );
    // What the service knows of them.
    const known = campaigns.map((each) => ({
      ...each,
      own: {
        ...each.own,
        opensByAge: each.own.opensByAge.map((opens, span) => (span <= spanOf(each.age ?? 0) ? opens : 0)),
      },
    }));
    const end = likelyEndOf(known);
    const size = campaigns.length === 1 ? "one" : campaigns.length < 5 ? "a few" : "many";
    const final = ended.reduce((sum, each) => sum + each, 0) / ended.length;
    const isHeld = end !== undefined && end.low <= final && final <= end.high;
    if (end) for (const kind of ["weeks", `weeks of ${size}`]) count(kind, isHeld);
    const rates = ratesTogether(known, "openRate");
    if (rates) count("as usual", sideOf(rates.rate, rates.usual) === 0);
  }
  for (const [kind, { all, held }] of kinds)
    report(`${kind}: ${((100 * held) / all).toFixed(1)} % of ${all}`);
  const share = (kind: string) => (kinds.get(kind)?.held ?? 0) / (kinds.get(kind)?.all ?? 0);
  assert.ok(Math.abs(share("weeks") - 0.8) < (isFullSize ? 0.03 : 0.09), String(share("weeks")));
  assert.ok(share("as usual") >= 0.95, String(share("as usual")));
});

test("tests forecasts with what was known at the time, and counts only those that it would have shown", () => {
  const source = new Random(7);
  const random = () => source.between(0, 2 ** 30 - 1) / 2 ** 30;
  const organization = { recipients: 400, campaigns: 40, spread: 0.4 };
  const all = Array.from({ length: 40 }, (_, id) => simulateCampaign(random, id, organization)).toReversed();
  const now = 39 * 3 * dayMs + dayMs;
  for (const age of [3 * hourMs, 24 * hourMs]) {
    let [forecasts, held] = [0, 0];
    for (const campaign of all) {
      // A plain oracle: the same day by day, from the list of all campaigns.
      if (now - campaign.sentAt < 14 * dayMs) continue;
      const known = all
        .filter(
          ({ sentAt }) =>
            sentAt + 14 * dayMs <= campaign.sentAt + age && sentAt >= campaign.sentAt - 365 * dayMs,
        )
        .slice(0, 30);
      const forecast =
        known.length < 5 ? undefined : forecastOpens([{ own: campaign, comparable: known, age }]);
      if (!forecast || !isNarrow(forecast)) continue;
      forecasts += 1;
      const end =
        campaign.opensByAge.slice(0, spanOf(14 * dayMs) + 1).reduce((sum, each) => sum + each, 0) / 400;
      if (end >= forecast.low && end <= forecast.high) held += 1;
    }
    assert.ok(forecasts > 10);
    assert.deepEqual(testForecasts(all, age, now), { forecasts, held });
  }
});
