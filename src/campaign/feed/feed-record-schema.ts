// The JSON Schema of a feed record: of a line of emails.ndjson, and of a row of the other formats.

import { feedFieldSchema } from "./feed-field-schema.ts";
import { feedFieldNames, feedFields, feedFormat } from "./feed-fields.ts";

/** @param id its URL */
export function feedRecordSchema(id: string) {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    title: "Email",
    description: `A campaign, in the feed format ${feedFormat}. Later formats may add fields.`,
    type: "object",
    required: feedFieldNames,
    properties: Object.fromEntries(feedFieldNames.map((name) => [name, feedFieldSchema(feedFields[name])])),
  };
}
