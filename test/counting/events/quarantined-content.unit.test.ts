// The encrypted content of quarantined events.

import assert from "node:assert/strict";
import test from "node:test";
import {
  decryptContent,
  encryptContent,
  storableInput,
} from "../../../src/counting/events/quarantined-content.ts";

const secret = "ab".repeat(32);
const content = {
  input: { id: "e-1", recipient: "ann@example.com" },
  classification: {
    traffic: "person",
    device: null,
    hashes: { recipient: "r", device: "d" },
    isAhead: false,
  },
} as const;

test("decrypts quarantined content with the same secret only", () => {
  const encrypted = encryptContent(secret, content);
  assert.deepEqual(decryptContent(secret, encrypted), content);
  assert.throws(() => decryptContent("cd".repeat(32), encrypted));
  encrypted[encrypted.length - 1] = (encrypted.at(-1) ?? 0) ^ 1;
  assert.throws(() => decryptContent(secret, encrypted));
});

test("stores no IP, no user agent and no nested value of a quarantined event", () => {
  const given = { id: "e-1", ip: "192.0.2.1", user_agent: "curl/8.5.0", recipient: { nested: [] }, other: 1 };
  assert.deepEqual(storableInput(given), { id: "e-1" });
  assert.deepEqual(storableInput(given, { campaign_id: 7 }), { id: "e-1", campaign_id: 7 });
  for (const each of [undefined, null, 5, "text", [given]]) assert.equal(storableInput(each), null);
});
