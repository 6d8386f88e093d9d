// The JSON Schemas of changes, for the OpenAPI document.

import { feedFieldSchema } from "../../../src/campaign/feed/feed-field-schema.ts";
import { feedFieldNames, feedFields } from "../../../src/campaign/feed/feed-fields.ts";
import type { RecordField } from "../../../src/campaign/record-fields.ts";
import { perPageOfChanges } from "../../../src/http/api/changes-query.ts";

export const exampleCursor = "c1.1.mn3v1kqxa.ls4zy0lo.2b4ha0pnz.ls4zy0lo.ls4zy0lp.q3Xk_w9RbT2mZc7eUa1vLg";

const schemaOf = (field: RecordField) => ({ ...feedFieldSchema(field), examples: [field.example] });

const deleted = (value: boolean, description: string) => ({ type: "boolean", const: value, description });

/** The fields of a feed record, and `deleted`. */
const changedSchema = {
  type: "object",
  title: "Changed",
  description: "A campaign that was added, or reads differently.",
  required: [...feedFieldNames, "deleted"],
  properties: {
    ...Object.fromEntries(feedFieldNames.map((name) => [name, schemaOf(feedFields[name])])),
    deleted: deleted(false, "Always false."),
  },
};

const deletedSchema = {
  type: "object",
  title: "Deleted",
  description: "A campaign that was deleted, or moved to a later send time: delete it from the copy.",
  required: ["id", "updated_at", "deleted"],
  properties: {
    id: schemaOf(feedFields.id),
    updated_at: schemaOf(feedFields.updated_at),
    deleted: deleted(true, "Always true."),
  },
};

const metaSchema = {
  type: "object",
  description: "Where this page ends.",
  required: ["per_page", "has_more", "cursor"],
  properties: {
    per_page: {
      type: "integer",
      description: "Number of items per page, after clamping to the maximum.",
      minimum: 1,
      maximum: perPageOfChanges.max,
    },
    has_more: { type: "boolean", description: "Whether there is another page now." },
    cursor: { type: "string", description: "Send it to go on from here, now or later." },
  },
};

export const changesSchema = {
  type: "object",
  description: "Changes in the order of `updated_at`, then `id`.",
  required: ["emails", "meta"],
  properties: {
    emails: {
      type: "array",
      maxItems: perPageOfChanges.max,
      items: { oneOf: [changedSchema, deletedSchema] },
      description: "The changes.",
    },
    meta: metaSchema,
  },
};

export const exampleChanges = {
  emails: [
    {
      ...Object.fromEntries(feedFieldNames.map((name) => [name, feedFields[name].example])),
      deleted: false,
    },
    { id: 9, updated_at: "2024-01-08T10:15:31.001Z", deleted: true },
  ],
  meta: { per_page: perPageOfChanges.default, has_more: false, cursor: exampleCursor },
};
