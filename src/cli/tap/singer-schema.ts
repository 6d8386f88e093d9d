// The stream of the tap: its JSON Schema and its catalog (Singer, discovery mode).

import { feedFieldSchema } from "../../campaign/feed/feed-field-schema.ts";
import { feedFieldNames, feedFields } from "../../campaign/feed/feed-fields.ts";
import type { RecordField } from "../../campaign/record-fields.ts";

export const streamName = "emails";
export const keyProperties = ["id"];
/** By which changes are sorted. */
export const bookmarkProperties = ["updated_at"];
/** What targets of the industry take for a deleted row. */
export const deletedAt = "_sdc_deleted_at";

/** Always selected: without them, a target could neither replace nor delete a row. */
const automaticProperties: readonly string[] = [...keyProperties, ...bookmarkProperties, deletedAt];

interface SingerSchema {
  type: "object";
  additionalProperties: false;
  required: readonly string[];
  properties: Readonly<Record<string, object>>;
}

/** A deleted campaign has only the required properties, so all others may be missing. */
export const streamSchema: SingerSchema = {
  type: "object",
  additionalProperties: false,
  required: [...keyProperties, ...bookmarkProperties],
  properties: {
    ...Object.fromEntries(feedFieldNames.map((name) => [name, propertySchema(name)])),
    [deletedAt]: {
      type: ["string", "null"],
      format: "date-time",
      description: "When the campaign was deleted; null for the others.",
    },
  },
};

function propertySchema(name: keyof typeof feedFields): object {
  const schema = feedFieldSchema(feedFields[name] as RecordField);
  return automaticProperties.includes(name) ? schema : { ...schema, type: [schema.type, "null"].flat() };
}

export interface CatalogEntry {
  tap_stream_id: string;
  stream: string;
  key_properties: readonly string[];
  schema: object;
  metadata: readonly { breadcrumb: readonly string[]; metadata: Readonly<Record<string, unknown>> }[];
}

/** The output of discovery mode. */
export const catalog: { streams: readonly CatalogEntry[] } = {
  streams: [
    {
      tap_stream_id: streamName,
      stream: streamName,
      key_properties: keyProperties,
      schema: streamSchema,
      metadata: [
        {
          breadcrumb: [],
          metadata: {
            inclusion: "available",
            "selected-by-default": true,
            "table-key-properties": keyProperties,
            "valid-replication-keys": bookmarkProperties,
            "forced-replication-method": "INCREMENTAL",
          },
        },
        ...Object.keys(streamSchema.properties).map((name) => ({
          breadcrumb: ["properties", name],
          metadata: automaticProperties.includes(name)
            ? { inclusion: "automatic" }
            : { inclusion: "available", "selected-by-default": true },
        })),
      ],
    },
  ],
};

/**
 * The properties that a catalog selects, in their order.
 *
 * @param entry of the stream; undefined if the catalog does not have it
 * @returns undefined if the stream is not selected
 */
export function selectProperties(entry: CatalogEntry | undefined): string[] | undefined {
  const isSelected = (...breadcrumb: string[]) => {
    const found = entry?.metadata.find((each) => each.breadcrumb.join(".") === breadcrumb.join("."));
    return (found?.metadata.selected ?? found?.metadata["selected-by-default"] ?? true) === true;
  };
  if (!entry || !isSelected()) return undefined;
  return Object.keys(streamSchema.properties).filter(
    (name) => automaticProperties.includes(name) || isSelected("properties", name),
  );
}
