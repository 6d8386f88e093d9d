// Hashes of event ids and links.

import assert from "node:assert/strict";
import test from "node:test";
import { linkRow } from "../../../src/campaign/events/link-number.ts";
import {
  hashEventId,
  hashLink,
  hashProviderEventId,
  hashQuarantinedEvent,
  hashUnreadableEvent,
} from "../../../src/counting/hashes/hash-event.ts";

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

test("hashes each kind of id differently, and always alike", () => {
  // Computed with `openssl dgst -sha256`: with other hashes, a retry of a stored event would count again.
  const secret = "ab".repeat(32);
  assert.equal(hashEventId(secret, "e-1"), "7b07bd00013dca2cad4d2e641be0f09d");
  assert.equal(hashProviderEventId(secret, "e-1"), "1bdd3cb7897b21c34906c46d4baa3201");
  const quarantined = (campaign: number | string, sender?: number) =>
    hashQuarantinedEvent(secret, campaign, { id: "e-1", sender });
  assert.equal(quarantined(7, 1), "6e6deef807a25fc163ff4f6477d80ed7");
  assert.equal(new Set([quarantined("7", 1), quarantined(7, 1), quarantined(7, 2), quarantined(7)]).size, 4);
  assert.equal(hashUnreadableEvent(secret, "{}"), "411996bb0dd63fe9620850d2e2f2dcc5");
});

test("links that are shown alike share the number of the shown link, under one secret", () => {
  const rowOf = (secret: string, url: string) => linkRow(hashLink(secret, url));
  const [one, other] = ["https://example.com/a?token=1", "https://example.com/a?token=2"];
  assert.equal(rowOf("secret", one), rowOf("secret", other));
  assert.notEqual(hashLink("secret", one), hashLink("secret", other));
  assert.equal(hashLink("secret", one), hashLink("secret", one));
  assert.notEqual(rowOf("secret", one), rowOf("secret", "https://example.com/b"));
  assert.notEqual(rowOf("secret", one), rowOf("other secret", one));
});
