// Hashes of event ids.

import assert from "node:assert/strict";
import test from "node:test";
import { hashEventId } from "../../../src/counting/events/hash-event.ts";

test("starts the hash of a UUID of version 7 with its time, and no other hash", () => {
  const hashed = (id: string) => hashEventId("secret", id);
  const [first, second] = [
    hashed("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"),
    hashed("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
  ];
  assert.match(first, /^017f22e279b0[0-9a-f]{20}$/);
  assert.match(second, /^017f22e279b0[0-9a-f]{20}$/);
  assert.notEqual(first, second);
  assert.notEqual(hashEventId("other secret", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"), second);
  for (const id of ["017f22e2-79b0-4cc3-98c4-dc0c0c07398f", "017f22e279b07cc398c4dc0c0c07398f", "e-1"]) {
    assert.match(hashed(id), /^(?!017f22e279b0)[0-9a-f]{32}$/);
  }
});
