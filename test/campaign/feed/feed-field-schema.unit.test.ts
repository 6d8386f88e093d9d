// The JSON Schemas of feed fields.

import assert from "node:assert/strict";
import test from "node:test";
import { embeddedTagSchema } from "../../../src/campaign/email-record-schema.ts";
import { feedFieldSchema } from "../../../src/campaign/feed/feed-field-schema.ts";

const base = { title: "A", description: "B.", example: 1 };

test("gives each type of field its JSON Schema", () => {
  const schemas = {
    integer: { type: "integer" },
    number: { type: "number" },
    string: { type: "string" },
    instant: { type: "string", format: "date-time" },
    date: { type: "string", format: "date" },
    tags: { type: "array", items: embeddedTagSchema },
  } as const;
  for (const [type, schema] of Object.entries(schemas) as [keyof typeof schemas, object][]) {
    assert.deepEqual(feedFieldSchema({ ...base, type }), { ...schema, description: "B." });
  }
});

test("adds null to the type of a field that may be null, and what it means", () => {
  assert.deepEqual(feedFieldSchema({ ...base, type: "date", nullMeans: "Unknown." }), {
    type: ["string", "null"],
    format: "date",
    description: "B. Null: Unknown.",
  });
});
