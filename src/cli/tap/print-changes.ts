// Prints changes as the messages of a Singer tap.

import { once } from "node:events";
import type { ChangesBody } from "../../http/api/changes.ts";
import type { ChangeRecord } from "../../listing/find-changes.ts";
import type { Shell } from "../shell.ts";
import { bookmarkProperties, deletedAt, keyProperties, streamName, streamSchema } from "./singer-schema.ts";

interface TapRun {
  shell: Pick<Shell, "stdout" | "now">;
  /** Returns the page after a cursor. */
  readPage(cursor: string | undefined): Promise<ChangesBody>;
  /** The properties to print. */
  properties: readonly string[];
}

/**
 * Prints the schema, and then pages until nothing is left, each followed by the state from which another run goes on. A run
 * that was killed repeats at most the records since the last state.
 */
export async function printChanges({ shell, readPage, properties }: TapRun, from: string | undefined) {
  const selected = properties.map((name) => [name, streamSchema.properties[name]]);
  const schema = { ...streamSchema, properties: Object.fromEntries(selected) };
  const [key_properties, bookmark_properties] = [keyProperties, bookmarkProperties];
  await print({ type: "SCHEMA", stream: streamName, schema, key_properties, bookmark_properties });
  let cursor = from;
  // A state may be within a pass whose bounds were fixed long ago. Only another pass has what changed since.
  for (let passes = from === undefined ? 1 : 2; passes > 0; ) {
    const { emails, meta } = await readPage(cursor);
    const time_extracted = new Date(shell.now()).toISOString();
    for (const change of emails) {
      const record = select(toRow(change), properties);
      await print({ type: "RECORD", stream: streamName, record, time_extracted });
    }
    cursor = meta.cursor;
    if (!meta.has_more) passes -= 1;
    await print({ type: "STATE", value: { bookmarks: { [streamName]: { cursor } } } });
  }

  async function print(message: object): Promise<void> {
    if (!shell.stdout.write(`${JSON.stringify(message)}\n`)) await once(shell.stdout, "drain");
  }
}

function toRow({ deleted, ...fields }: ChangeRecord): Record<string, unknown> {
  return { ...fields, [deletedAt]: deleted ? fields.updated_at : null };
}

/** A newer service may have other fields. */
function select(row: Record<string, unknown>, properties: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(properties.filter((name) => name in row).map((name) => [name, row[name]]));
}
