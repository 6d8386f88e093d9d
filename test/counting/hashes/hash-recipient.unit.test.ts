// The names under which recipients are stored. The hashes were computed with `openssl dgst -sha256`: another hash would
// count every recipient a second time.

import assert from "node:assert/strict";
import test from "node:test";
import type { TrackingType } from "../../../src/campaign/campaign.ts";
import {
  forgottenRecipientName,
  hashRecipientAndDevice,
  storedRecipientName,
} from "../../../src/counting/hashes/hash-recipient.ts";

const secret = "ab".repeat(32);
const secrets = { organization: secret, campaign: "cd".repeat(32) };
const ann = { recipient: "ann@example.com", ip: "192.0.2.1", userAgent: "curl/8.5.0" };
const hashes = {
  recipient: "4d1ea724483cb243b5d8feb70701fb0d",
  device: "f96825923298b98365d034cf4be413e4",
};

const evidenceOf = (given: {
  recipient: string;
  ip?: string;
  userAgent?: string;
  recipientHash?: string;
}) => ({
  ip: undefined,
  userAgent: undefined,
  ...given,
});

test("hashes a recipient and a device under the secret of the organization", () => {
  assert.deepEqual(hashRecipientAndDevice(secret, ann), hashes);
  assert.deepEqual(hashRecipientAndDevice(secret, { ...ann, ip: " 192.0.2.1 " }), hashes);
  const other = hashRecipientAndDevice("cd".repeat(32), ann);
  assert.notEqual(other.recipient, hashes.recipient);
  assert.notEqual(other.device, hashes.device);
});

test("takes the recipient as the device when neither IP nor user agent is known", () => {
  const { recipient } = ann;
  const alone = hashRecipientAndDevice(secret, evidenceOf({ recipient }));
  assert.deepEqual(alone, { recipient: hashes.recipient, device: hashes.recipient });
  for (const known of [{ ip: "192.0.2.1" }, { userAgent: "curl/8.5.0" }]) {
    const { device } = hashRecipientAndDevice(secret, evidenceOf({ recipient, ...known }));
    assert.notEqual(device, hashes.recipient);
    assert.notEqual(device, hashes.device);
    // Another recipient on the same device.
    const bob = evidenceOf({ recipient: "bob@example.com", ...known });
    assert.equal(hashRecipientAndDevice(secret, bob).device, device);
  }
});

test("takes the hash of a recipient as given if only that is known", () => {
  const known = evidenceOf({ recipient: "", recipientHash: hashes.recipient });
  assert.deepEqual(hashRecipientAndDevice(secret, known), {
    recipient: hashes.recipient,
    device: hashes.recipient,
  });
});

test("names a recipient by the tracking type, from the hashes at its arrival if there are any", () => {
  const nameOf = (type: TrackingType, ...given: [typeof ann, typeof hashes?]) =>
    storedRecipientName(secrets, type, ...given);
  const none = { recipient: "", ip: "", userAgent: "" };
  assert.equal(nameOf("Individual", ann), "ann@example.com");
  assert.equal(nameOf("Individual", ann, hashes), "ann@example.com");
  assert.equal(nameOf("Anonymous", ann), "fa218c2ada261f2f9315b6ff97bf3b73");
  assert.equal(nameOf("Anonymous", none, hashes), "fa218c2ada261f2f9315b6ff97bf3b73");
  assert.equal(nameOf("Overall", ann), "780735b2db49b85bfa8bf391a6d59346");
  assert.equal(nameOf("Overall", none, hashes), "780735b2db49b85bfa8bf391a6d59346");
});

test("marks the name of a forgotten recipient, and hashes it", () => {
  const secrets = { organization: secret, campaign: secret };
  const evidence = { recipient: "ann@example.com" };
  const name = forgottenRecipientName(secrets, "Individual", evidence);
  assert.equal(forgottenRecipientName(secrets, "Anonymous", evidence), name);
  assert.equal(name.slice(-32), "d1658eddcf35d079a1f078059cadbe4c");
  assert.doesNotMatch(name, /ann/);
});
