// Buffers of page bodies: every body is exact, and memory is used again only after its release.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { PageBodies } from "../../../src/http/api/page-bodies.ts";
import { randomCases } from "../../support/random-cases.ts";

test("joins texts of any characters and length, while bodies are released in any order", () => {
  const text = fc.tuple(fc.string({ unit: "grapheme", maxLength: 20 }), fc.integer({ min: 0, max: 3_000 }));
  const step = fc.record({ texts: fc.array(text, { maxLength: 30 }), released: fc.nat({ max: 5 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const bodies = new PageBodies();
      const open: { body: Buffer; expected: string }[] = [];
      for (const { texts, released } of steps) {
        const parts = texts.map(([unit, count]) => unit.repeat(count));
        open.push({ body: bodies.write("[", parts, "]"), expected: `[${parts.join(",")}]` });
        for (const { body, expected } of open) assert.equal(body.toString(), expected);
        const [done] = released < open.length ? open.splice(released, 1) : [];
        // A second release of the same body changes nothing.
        if (done) for (let time = 0; time < 2; time++) bodies.release(done.body);
      }
    }),
    { numRuns: randomCases(30) },
  );
});

test("uses the memory of a released body again, and no other", () => {
  const bodies = new PageBodies();
  const texts = Array.from({ length: 100 }, () => "x".repeat(850));
  const [first, second] = [bodies.write("[", texts, "]"), bodies.write("[", texts, "]")];
  assert.notEqual(first.buffer, second.buffer);
  bodies.release(first);
  bodies.release(Buffer.alloc(128 * 1024));
  assert.equal(bodies.write("[", texts, "]").buffer, first.buffer);
  assert.notEqual(bodies.write("[", texts, "]").buffer, second.buffer);
});
