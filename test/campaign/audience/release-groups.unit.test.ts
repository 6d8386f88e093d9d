// Which groups are released: examples, and an attacker who knows everything that is released and the campaign's own numbers.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { releaseGroups } from "../../../src/campaign/audience/release-groups.ts";

interface Size {
  recipients: number;
  enpsReactions: number;
}

/** Releases the groups of one attribute: `rated`, `shown` without their average, or `-`. */
function release(sizes: readonly Size[], limits = { minGroup: 10, minRatings: 5 }): string[] {
  const groups = sizes.map((size, index) => ({ groups: { 1: index + 1 }, active: size.recipients, ...size }));
  const released = releaseGroups(groups, [1], { ...limits, countsInactive: true });
  return sizes.map((_, index) => {
    const isRated = released.get(index + 1);
    return isRated === undefined ? "-" : isRated ? "rated" : "shown";
  });
}

const of = (...sizes: [recipients: number, enpsReactions: number][]) =>
  sizes.map(([recipients, enpsReactions]) => ({ recipients, enpsReactions }));

test("withholds small groups, and the next smallest if the rest would be small", () => {
  assert.deepEqual(release(of([10, 5], [20, 9])), ["rated", "rated"]);
  assert.deepEqual(release(of([9, 0], [20, 0], [30, 0])), ["-", "-", "shown"], "20 hides the 9");
  assert.deepEqual(release(of([4, 0], [6, 0], [20, 0])), ["-", "-", "shown"], "4 and 6 hide each other");
  assert.deepEqual(release(of([9, 0], [20, 0])), ["-", "-"]);
  assert.deepEqual(release(of([9, 0])), ["-"]);
  assert.deepEqual(release([]), []);
});

test("withholds averages of few ratings likewise, also those that hidden groups would reveal", () => {
  assert.deepEqual(release(of([20, 4], [20, 9], [20, 12])), ["shown", "shown", "rated"]);
  assert.deepEqual(release(of([20, 0], [20, 9])), ["shown", "rated"], "no ratings hide nothing");
  // The hidden groups have 3 ratings together.
  assert.deepEqual(release(of([5, 1], [6, 2], [20, 8], [30, 9])), ["-", "-", "shown", "rated"]);
  assert.deepEqual(release(of([20, 1], [20, 2]), { minGroup: 10, minRatings: 1 }), ["rated", "rated"]);
});

/** Whether the total and all released sizes reveal a sum of hidden ones that is too small. */
function reveals(sizes: readonly number[], isReleased: readonly boolean[], min: number): boolean {
  const hidden = sizes.filter((_, index) => !isReleased[index]).reduce((sum, size) => sum + size, 0);
  return (
    (hidden > 0 && hidden < min && isReleased.includes(true)) ||
    sizes.some((size, index) => isReleased[index] && size > 0 && size < min)
  );
}

test("reveals no small group and no few ratings, and withholds no more than it must", () => {
  const sizes = fc.array(
    fc.record({
      recipients: fc.integer({ min: 1, max: 40 }),
      enpsReactions: fc.integer({ min: 0, max: 40 }),
    }),
    { maxLength: 12 },
  );
  const property = fc.property(
    sizes,
    fc.integer({ min: 5, max: 20 }),
    fc.integer({ min: 1, max: 20 }),
    (given, minGroup, minRatings) => {
      const all = given.map(({ recipients, enpsReactions }) => ({
        recipients,
        enpsReactions: Math.min(recipients, enpsReactions),
      }));
      const found = release(all, { minGroup, minRatings });
      const recipients = all.map((each) => each.recipients);
      const ratings = all.map((each) => each.enpsReactions);
      const isShown = found.map((each) => each !== "-");
      const isRated = found.map((each) => each === "rated");
      assert.equal(reveals(recipients, isShown, minGroup), false);
      // What is not rated has its ratings in the campaign's average, which is released from the minimum on.
      assert.equal(reveals(ratings, isRated, minRatings), false);
      // Releasing the largest hidden group as well would reveal something.
      const hidden = recipients.flatMap((size, index) => (isShown[index] ? [] : [{ size, index }]));
      const largest = hidden.toSorted((a, b) => b.size - a.size)[0];
      if (!largest || largest.size < minGroup) return;
      assert.equal(reveals(recipients, isShown.with(largest.index, true), minGroup), true);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

/** A recipient: its group of each attribute, and whether it rated. */
interface Person {
  groups: Record<number, number>;
  hasRated: boolean;
}

/** The recipients of each part that readers know the sum of: released groups, and the rest of each attribute. */
function knownParts(people: readonly Person[], isKnown: (groupId: number) => boolean): Person[][][] {
  const attributeIds = Object.keys(people[0]?.groups ?? {}).map(Number);
  return attributeIds.map((id) => [
    ...Map.groupBy(people, ({ groups }) => (isKnown(groups[id] as number) ? groups[id] : 0)).values(),
  ]);
}

/** The smallest difference of a part and parts of another attribute within it. */
function smallestDifference(parts: Person[][][], sizeOf: (people: readonly Person[]) => number): number {
  const differences = parts.flatMap((own, index) =>
    own.flatMap((part) =>
      parts
        .filter((_, at) => at !== index)
        .flatMap((others) => {
          const members = new Set(part);
          const within = others.filter((other) => other.every((each) => members.has(each))).flat();
          const left = part.filter((each) => !within.includes(each));
          return within.length > 0 && sizeOf(left) > 0 ? [sizeOf(left)] : [];
        }),
    ),
  );
  return Math.min(...differences, Number.POSITIVE_INFINITY);
}

function releaseOf(people: readonly Person[], limits: { minGroup: number; minRatings: number }) {
  const combinations = people.map(({ groups, hasRated }) => ({
    ...{ groups, recipients: 1, active: 1, enpsReactions: Number(hasRated) },
  }));
  const attributeIds = Object.keys(people[0]?.groups ?? {}).map(Number);
  return releaseGroups(combinations, attributeIds, { ...limits, countsInactive: true });
}

test("reveals no few recipients or ratings as a difference of two attributes", () => {
  // Sites lie within countries, but for some people. Teams are independent.
  const person = fc.record({
    site: fc.integer({ min: 1, max: 6 }),
    isAbroad: fc.integer({ min: 0, max: 19 }),
    team: fc.integer({ min: 1, max: 3 }),
    rated: fc.integer({ min: 0, max: 2 }),
  });
  const limits = fc.record({
    minGroup: fc.integer({ min: 5, max: 10 }),
    minRatings: fc.integer({ min: 1, max: 8 }),
  });
  let isWithheld = 0;
  const property = fc.property(
    fc.array(person, { minLength: 20, maxLength: 90 }),
    limits,
    (drawn, { minGroup, minRatings }) => {
      const people = drawn.map(({ site, isAbroad, team, rated }): Person => {
        const country = 100 + (isAbroad === 0 ? 1 : Math.ceil(site / 3));
        return { groups: { 1: 10 + site, 2: country, 3: 200 + team }, hasRated: rated === 0 };
      });
      const released = releaseOf(people, { minGroup, minRatings });
      const shown = knownParts(people, (id) => released.has(id));
      assert.ok(smallestDifference(shown, (some) => some.length) >= minGroup);
      const rated = knownParts(people, (id) => released.get(id) === true);
      const ratings = (some: readonly Person[]) => some.filter(({ hasRated }) => hasRated).length;
      assert.ok(smallestDifference(rated, ratings) >= minRatings);
      isWithheld += released.size > 0 ? 1 : 0;
    },
  );
  fc.assert(property, { numRuns: 100 });
  assert.ok(isWithheld > 50, `${isWithheld} of 100 release a group`);
});

test("withholds a site within a country if the rest of the country is small", () => {
  const people = [
    ...Array.from({ length: 12 }, () => ({ groups: { 1: 11, 2: 21 }, hasRated: false })),
    { groups: { 1: 12, 2: 21 }, hasRated: false },
    ...Array.from({ length: 30 }, () => ({ groups: { 1: 13, 2: 22 }, hasRated: false })),
    ...Array.from({ length: 10 }, () => ({ groups: { 1: 14, 2: 22 }, hasRated: false })),
  ];
  const released = releaseOf(people, { minGroup: 10, minRatings: 1 });
  const shown = [...released.keys()].sort();
  // Without the rule, 12 of site 11 and 13 of country 21 would show the one person of site 12.
  assert.deepEqual(shown, [13, 21, 22]);
});

test("withholds groups of two attributes that cross if their difference depends on few recipients", () => {
  const crossing = (size: number, site: number, team: number) =>
    Array.from({ length: size }, () => ({ groups: { 1: site, 2: team }, hasRated: false }));
  /** @param sizes of what both sites share with the first team and the second */
  const shownOf = (...[a, b, c, d]: [number, number, number, number]) => {
    const people = [
      crossing(a, 11, 21),
      crossing(b, 11, 22),
      crossing(c, 12, 21),
      crossing(d, 12, 22),
    ].flat();
    const released = releaseOf(people, { minGroup: 10, minRatings: 1 });
    return [...released.keys()].sort();
  };
  assert.deepEqual(shownOf(5, 26, 26, 5), [11, 12, 21, 22]);
  // Site 11 without team 22 is what 4 did, less what 4 others did.
  assert.deepEqual(shownOf(4, 26, 26, 4), [21, 22]);
});

test("counts recipients without an event only if recipients have names", () => {
  const group = (groupId: number, active: number, inactive: number) => ({
    ...{ groups: { 1: groupId }, recipients: active + inactive, active, enpsReactions: 0 },
  });
  const shownOf = (countsInactive: boolean, ...combinations: ReturnType<typeof group>[]) => {
    const limits = { minGroup: 10, minRatings: 1, countsInactive };
    const released = releaseGroups(combinations, [1], limits);
    return [...released.keys()].sort();
  };
  // The target and 30 invented recipients.
  const padded = [group(1, 1, 30), group(2, 20, 5), group(3, 15, 0)];
  assert.deepEqual(shownOf(true, ...padded), [1, 2, 3]);
  assert.deepEqual(shownOf(false, ...padded), [2]);
  assert.deepEqual(
    shownOf(false, group(1, 0, 40), group(2, 20, 0), group(3, 10, 0)),
    [2],
    "no one is as few",
  );
});

test("keeps one attribute if it takes too long to look at all sums", () => {
  // 150 groups of ten in each of eight attributes, at random: every sum of three has few recipients in common with others.
  const mixed = (index: number, attribute: number) =>
    (index * (2 * attribute + 1) * 7_919 + attribute * 131) % 1_500;
  const combinations = Array.from({ length: 1_500 }, (_, index) => ({
    groups: Object.fromEntries(
      Array.from({ length: 8 }, (_, attribute) => [
        attribute + 1,
        1_000 * (attribute + 1) + Math.floor(mixed(index, attribute) / 10),
      ]),
    ),
    ...{ recipients: 1, active: 1, enpsReactions: 0 },
  }));
  const attributeIds = [1, 2, 3, 4, 5, 6, 7, 8];
  const released = releaseGroups(combinations, attributeIds, {
    minGroup: 10,
    minRatings: 1,
    countsInactive: true,
  });
  const shown = [...released.keys()].map((id) => Math.floor(id / 1_000));
  assert.deepEqual(new Set(shown), new Set([1]));
});
