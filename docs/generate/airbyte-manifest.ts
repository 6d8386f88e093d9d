// Fills the fields of feed records into the manifest for Airbyte.

import { readFileSync } from "node:fs";
import { feedFieldSchema } from "../../src/campaign/feed/feed-field-schema.ts";
import { feedFieldNames, feedFields } from "../../src/campaign/feed/feed-fields.ts";

const manifest = new URL("../../connectors/airbyte/manifest.yaml", import.meta.url);

/** A deleted campaign has only `id` and `updated_at`, so all other fields may be missing. */
export function airbyteManifest(): string {
  const lines = feedFieldNames.map((name) => {
    const schema = feedFieldSchema(feedFields[name]);
    return `          ${name}: ${JSON.stringify({ ...schema, type: [...new Set([schema.type, "null"].flat())] })}\n`;
  });
  return readFileSync(manifest, "utf8").replace(
    /(# generated: fields\n)[\s\S]*?( *# end\n)/,
    (_all, start: string, end: string) => start + lines.join("") + end,
  );
}
