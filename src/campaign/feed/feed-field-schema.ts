// The JSON Schemas of feed fields, for documents and tools.

import { embeddedTagSchema } from "../email-record-schema.ts";
import type { RecordField } from "../record-fields.ts";

const types = {
  integer: { type: "integer" },
  number: { type: "number" },
  string: { type: "string" },
  instant: { type: "string", format: "date-time" },
  date: { type: "string", format: "date" },
  tags: { type: "array", items: embeddedTagSchema },
} as const satisfies Record<RecordField["type"], object>;

/** The JSON Schema of a field, without its examples. */
export function feedFieldSchema({ type: name, description, nullMeans }: RecordField) {
  const { type, ...rest } = types[name];
  if (nullMeans === undefined) return { type, ...rest, description };
  return { type: [type, "null"], ...rest, description: `${description} Null: ${nullMeans}` };
}
