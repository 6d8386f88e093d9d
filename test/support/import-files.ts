// Helpers for the tests of import and export.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { readCampaignFile } from "../../src/counting/import/files/campaign-file.ts";
import type { FileEntry } from "../../src/counting/import/mapping/file-entry.ts";
import type { MappingChoice } from "../../src/counting/import/mapping/mapping.ts";
import { makeWorld, type Run, run, type World } from "./world.ts";

/** The sample record of the original API. Its rates do not follow from its counts. */
export const sample = {
  id: 1,
  subject: "Test Campaign 1",
  sent_at: "Jan 1, 2024 9:00 AM",
  organization_team: "Default Team",
  sending_type: "Timezone",
  tracking_type: "Individual",
  open_rate: 0.25,
  click_rate: 0.5,
  unique_opens: 25,
  multiple_opens: 15,
  unopened: 110,
  total_opens: 40,
  unique_clicks: 10,
};

/** A record with only the required fields. */
export const record = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  subject: `Campaign ${id}`,
  sent_at: "2024-01-01T09:00:00Z",
  ...more,
});

export const lines = (...records: unknown[]) => records.map((each) => `${JSON.stringify(each)}\n`).join("");

export function file(world: World, content: string | Uint8Array, name = "campaigns"): string {
  const path = join(world.folder, name);
  writeFileSync(path, content);
  return path;
}

/** Imports a file with this content into organization 1. */
export function importing(world: World, content: string | Uint8Array, ...options: string[]): Promise<Run> {
  return run(world.databaseUrl, [
    "import",
    "--organization",
    "1",
    "--json",
    ...options,
    file(world, content),
  ]);
}

/** The exported records of an organization, newest first. */
export async function exported(world: World, organizationId = 1): Promise<Record<string, unknown>[]> {
  const argv = ["export", "--organization", String(organizationId), "--json"];
  return (await run(world.databaseUrl, argv)).rows;
}

/** How many records were added, changed and unchanged. */
export function counts({ rows }: Run): unknown[] {
  const [summary] = rows;
  return [summary?.added, summary?.changed, summary?.unchanged];
}

/** The lines of standard error. */
export const stderrLines = ({ stderr }: Run) => stderr.split("\n").slice(0, -1);

/** A world with one organization and no campaigns. */
export async function emptyWorld(t: TestContext): Promise<World> {
  const world = await makeWorld(t);
  await world.addOrganization();
  return world;
}

/** The errors of a file, of which nothing must have been written. */
export async function errorsOf(world: World, content: string | Uint8Array): Promise<string[]> {
  const result = await importing(world, content);
  assert.equal(result.exitCode, 1);
  assert.deepEqual(counts(result), [0, 0, 0]);
  assert.deepEqual(await exported(world), []);
  const last = stderrLines(result).at(-1) ?? "";
  assert.match(last, /^error: \d+ errors?; a file with errors is not imported$/);
  return stderrLines(result).slice(0, -1);
}

/** The entries of a file that arrives in chunks of this many bytes. */
export async function entriesOf(
  content: string | Uint8Array,
  chunkLength = 65_536,
  choice: MappingChoice = { timeZone: "UTC" },
): Promise<FileEntry[]> {
  const bytes = Buffer.from(content);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkLength) {
      yield bytes.subarray(start, start + chunkLength);
    }
  }
  const entries: FileEntry[] = [];
  for await (const entry of readCampaignFile(chunks(), () => choice)) entries.push(entry);
  return entries;
}

/** The position and ID of every record, or the position and problem. */
export async function read(content: string | Uint8Array): Promise<string[]> {
  const entries = await entriesOf(content);
  return entries.map((entry) =>
    "problem" in entry
      ? `${entry.where}: ${entry.problem}`
      : `${entry.where}: ${(entry.record as { id: unknown }).id}`,
  );
}
