// How the audit log describes changes and sources.

import assert from "node:assert/strict";
import test from "node:test";
import { describeChange, describeSource, keyActor } from "../../src/access/audit-actions.ts";

test("lists changed settings in words", () => {
  const text = "time zone: Europe/Berlin, close after days: 30";
  assert.equal(describeChange({ timeZone: "Europe/Berlin", closeAfterDays: 30 }), text);
  assert.equal(describeChange({ name: "Acme" }), "name: Acme");
  assert.equal(describeChange({}), "");
});

test("shows the first six characters of the secret in a source's id, and no more", () => {
  const text = "sendgrid 12-abcdef…";
  assert.equal(describeSource({ provider: "sendgrid", id: "12-abcdefghijklmnop-qrst" }), text);
});

test("names a key as an actor that reads like no email", () => {
  assert.equal(keyActor("Power BI"), "API key Power BI");
});
