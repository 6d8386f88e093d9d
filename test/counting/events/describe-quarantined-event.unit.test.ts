// What people see of quarantined events.

import assert from "node:assert/strict";
import test from "node:test";
import {
  describeQuarantinedEvent,
  findUnreadableFields,
} from "../../../src/counting/events/describe-quarantined-event.ts";
import { encryptContent } from "../../../src/counting/events/quarantined-content.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import type { QuarantinedEvent } from "../../../src/storage/quarantine/quarantine.ts";
import { open } from "../../support/events.ts";
import { pick } from "../../support/pick.ts";

const organization = { secret: "ab".repeat(32) } as Organization;

function quarantined(
  reason: QuarantinedEvent["reason"],
  input: Record<string, unknown> | null,
  error?: string,
) {
  const hashes = { recipient: "r", device: "d" };
  const classification = { traffic: "person", device: null, hashes, isAhead: false } as const;
  const content = { input, classification, ...(error !== undefined && { error }) };
  return { reason, content: encryptContent(organization.secret, content) } as QuarantinedEvent;
}

test("gives the id of an event and the meaning of its reason, or what cannot be read", () => {
  const describe = (...given: Parameters<typeof quarantined>) =>
    describeQuarantinedEvent(organization, quarantined(...given));
  const { id, message } = describe("unreadable", open(1, { at: "never" }));
  assert.equal(id, "e-1");
  assert.match(message, /^at: "never" is not /);
  assert.deepEqual(
    describe("unreadable", open(1, { at: undefined }), "at: invalid value, which was not stored"),
    {
      id: "e-1",
      message: "at: invalid value, which was not stored",
    },
  );
  assert.deepEqual(describe("unreadable", null, "is not an object"), {
    id: null,
    message: "is not an object",
  });
  const meaning = "The numbers of the campaign were imported. Events are never added to imported numbers.";
  assert.deepEqual(describe("reported_campaign", open(2, { at: "never" })), { id: "e-2", message: meaning });
  // A later version may read what this one could not.
  assert.deepEqual(describe("unreadable", open(3)), { id: "e-3", message: "A field is missing or invalid." });
});

test("lists the fields that cannot be read, with what they accept, and without their values", () => {
  const fields = (input: Record<string, unknown> | null) =>
    findUnreadableFields(organization, quarantined("unreadable", input));
  assert.deepEqual(fields(open(1)), []);
  const found = fields(open(1, { recipient: 987_654, type: "read", seconds: -1 }));
  assert.deepEqual(pick(found, "field"), ["recipient", "seconds"]);
  assert.ok(found.every(({ accepted }) => accepted !== "" && !accepted.includes("987654")));
});
