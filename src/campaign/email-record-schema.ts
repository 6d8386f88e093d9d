// The schema of the email record: the 31 public fields of a campaign (specification 2.1). The OpenAPI document and the
// validation of imports follow from it.

import {
  countSchema,
  type FieldSchema,
  largestInteger,
  objectSchema,
  textSchema,
} from "./fields/field-schema.ts";
import { type EmailRecordField, type RecordField, recordFields, units } from "./record-fields.ts";

export const colorPattern = /^#[0-9A-Fa-f]{6}$/;

/** The fields of an embedded tag (specification 2.2). */
export const tagFields = {
  name: { type: "string", description: "Tag name.", minLength: 1, maxLength: 200, examples: ["Newsletter"] },
  color: {
    type: "string",
    description: "Hex color of the form `#RRGGBB`.",
    pattern: colorPattern.source,
    examples: ["#4E79A7"],
  },
} satisfies Record<string, FieldSchema>;

export const embeddedTagSchema = objectSchema(tagFields, {
  description: "A tag of the organization, embedded in a record. It has no id.",
});

/** The fields of which the v1 record differs from the table. */
const exceptions: Partial<Record<EmailRecordField, FieldSchema>> = {
  id: {
    type: "integer",
    description: recordFields.id.description,
    minimum: 1,
    maximum: largestInteger,
    examples: [recordFields.id.example],
  },
  sent_at: {
    type: "string",
    description:
      "When the campaign was sent, as `<Mon D, YYYY h:mm AM/PM>` in the organization's time zone. Not ISO-8601.",
    examples: ["Jan 1, 2024 9:00 AM"],
  },
  tags: {
    type: "array",
    items: embeddedTagSchema,
    description: recordFields.tags.description,
    examples: [recordFields.tags.example],
  },
};

/** The fields in the order of the specification, which is the order of keys in every response. */
export const emailRecordFieldNames = Object.keys(recordFields) as EmailRecordField[];

export const emailRecordSchema = objectSchema(
  Object.fromEntries(
    emailRecordFieldNames.map((name) => [name, exceptions[name] ?? schemaOf(recordFields[name])]),
  ) as Record<EmailRecordField, FieldSchema>,
  { description: "One sent campaign and its numbers. Every field is always present." },
);

function schemaOf({ type, description, unit, example }: RecordField): FieldSchema {
  if (type === "string") return textSchema(description, String(example));
  if (type === "integer") return countSchema(description, Number(example));
  if (type === "number" && unit) {
    return {
      type,
      description: `${description} Unit: ${units[unit]}.`,
      ...(unit !== "points" && { minimum: 0 }),
      examples: [example],
    };
  }
  throw new Error(`the email record has no schema for the type ${type}`);
}
