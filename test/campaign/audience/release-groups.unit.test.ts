// Which groups are released: examples, and an attacker who knows everything that is released and the campaign's own numbers.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { countInGroups, noGroups } from "../../../src/campaign/audience/group-counts.ts";
import { releaseGroups } from "../../../src/campaign/audience/release-groups.ts";
import { contributions } from "../../../src/campaign/events/tally.ts";

interface Size {
  recipients: number;
  enpsReactions: number;
}

/** Releases the groups of one attribute: `rated`, `shown` without their average, or `-`. */
function release(sizes: readonly Size[], limits = { minGroup: 10, minRatings: 5 }): string[] {
  const groups = sizes.map((size, index) => ({ attributeId: 1, groupId: index + 1, ...size }));
  const released = releaseGroups(groups, [], limits);
  return groups.map(({ groupId }) => {
    const found = released.get(groupId);
    if (!found?.isReleased) return "-";
    return found.areRatingsReleased ? "rated" : "shown";
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

test("decides for each attribute on its own", () => {
  const groups = [
    { attributeId: 1, groupId: 1, recipients: 3, enpsReactions: 0 },
    { attributeId: 2, groupId: 2, recipients: 30, enpsReactions: 0 },
  ];
  const released = releaseGroups(groups, [], { minGroup: 10, minRatings: 5 });
  assert.deepEqual([released.get(1)?.isReleased, released.get(2)?.isReleased], [false, true]);
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
  fc.assert(
    fc.property(
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
    ),
    { numRuns: 500 },
  );
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
  const counted = noGroups();
  for (const { groups, hasRated } of people) {
    const surveys = hasRated ? { "enps s": { reaction: [9, 1, "e"] as [number, number, string] } } : {};
    countInGroups(counted, { groups }, { isNew: true, after: contributions({ surveys }) });
  }
  const sizes = [...counted.groups].map(([groupId, group]) => ({ groupId, ...group }));
  const overlaps = [...counted.overlaps].map(([pair, counts]) => {
    const [groupId = 0, otherId = 0] = pair.split(" ").map(Number);
    return { groupId, otherId, ...counts };
  });
  return releaseGroups(sizes, overlaps, limits);
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
  fc.assert(
    fc.property(
      fc.array(person, { minLength: 20, maxLength: 90 }),
      limits,
      (drawn, { minGroup, minRatings }) => {
        const people = drawn.map(({ site, isAbroad, team, rated }): Person => {
          const country = 100 + (isAbroad === 0 ? 1 : Math.ceil(site / 3));
          return { groups: { 1: 10 + site, 2: country, 3: 200 + team }, hasRated: rated === 0 };
        });
        const released = releaseOf(people, { minGroup, minRatings });
        const shown = knownParts(people, (id) => released.get(id)?.isReleased === true);
        assert.ok(smallestDifference(shown, (some) => some.length) >= minGroup);
        const rated = knownParts(people, (id) => released.get(id)?.areRatingsReleased === true);
        const ratings = (some: readonly Person[]) => some.filter(({ hasRated }) => hasRated).length;
        assert.ok(smallestDifference(rated, ratings) >= minRatings);
        isWithheld += [...released.values()].some(({ isReleased }) => isReleased) ? 1 : 0;
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(isWithheld > 150, `${isWithheld} of 300 release a group`);
});

test("withholds a site within a country if the rest of the country is small", () => {
  const people = [
    ...Array.from({ length: 12 }, () => ({ groups: { 1: 11, 2: 21 }, hasRated: false })),
    { groups: { 1: 12, 2: 21 }, hasRated: false },
    ...Array.from({ length: 30 }, () => ({ groups: { 1: 13, 2: 22 }, hasRated: false })),
    ...Array.from({ length: 10 }, () => ({ groups: { 1: 14, 2: 22 }, hasRated: false })),
  ];
  const released = releaseOf(people, { minGroup: 10, minRatings: 1 });
  const shown = [...released].filter(([, { isReleased }]) => isReleased).map(([id]) => id);
  // Without the rule, 12 of site 11 and 13 of country 21 would show the one person of site 12.
  assert.deepEqual(shown, [21, 13, 22]);
});

test("releases the groups of two attributes that cross, although few recipients have some two of them", () => {
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
    return [...released].filter(([, { isReleased }]) => isReleased).map(([id]) => id);
  };
  assert.deepEqual(shownOf(4, 26, 26, 4), [11, 21, 22, 12]);
  // Team 21 has exactly as many as a group has at least.
  assert.deepEqual(shownOf(4, 26, 6, 14), [11, 21, 22, 12]);
});
