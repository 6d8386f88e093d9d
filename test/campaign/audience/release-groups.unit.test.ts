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
  const groups = sizes.map((size, index) => ({ attributeId: 1, groupId: index + 1, ...size }));
  const released = releaseGroups(groups, limits);
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
  const released = releaseGroups(groups, { minGroup: 10, minRatings: 5 });
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
    { numRuns: 2_000 },
  );
});
