// Sets of ranks as bits, compared with plain sets.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { BitSet } from "../../../src/listing/index/bit-set.ts";
import { randomCases } from "../../support/random-cases.ts";

/** Ends inside of a word, at its end, and in later words. */
const size = 100;
const anyRanks = fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: size });
const anyBound = fc.nat({ max: size });

function toBits(ranks: readonly number[]): BitSet {
  const bits = new BitSet(size);
  for (const rank of ranks) bits.add(rank);
  return bits;
}

test("counts and lists the ranks of a union between two bounds, the largest first, as a plain set does", () => {
  const property = fc.property(
    fc.array(anyRanks, { minLength: 1, maxLength: 3 }),
    fc.tuple(anyBound, anyBound),
    fc.nat({ max: size }),
    fc.nat({ max: size }),
    ([first = [], ...others], bounds, skip, limit) => {
      const [from = 0, until = 0] = bounds.toSorted((one, other) => one - other);
      const union = toBits(first).union(others.map(toBits));
      const expected = [...new Set([first, ...others].flat())]
        .filter((rank) => rank >= from && rank < until)
        .sort((one, other) => other - one);
      assert.equal(union.count(from, until), expected.length);
      assert.deepEqual(union.descending(from, until, skip, limit), expected.slice(skip, skip + limit));
    },
  );
  fc.assert(property, { numRuns: randomCases(1_000) });
});
