// What the tests of import and export share: files in the world's folder, and what has come of them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { readCampaignFile } from "../../src/cli/files/campaign-file.ts";
import type { FileEntry } from "../../src/cli/files/file-entry.ts";
import { makeWorld, type Run, run, type World } from "./world.ts";

/** The published sample of the original; its rates do not follow from its counts. */
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

/** The least that a record needs. */
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

/** Imports one file of this content into organization 1. */
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

/** The records of an organization as an export gives them, the latest first. */
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
export const told = ({ stderr }: Run) => stderr.split("\n").slice(0, -1);

/** A world with one organization and no campaigns. */
export async function emptyWorld(t: TestContext): Promise<World> {
  const world = await makeWorld(t);
  await world.addOrganization();
  return world;
}

/** The faults of a file of which nothing must have been written. */
export async function faults(world: World, content: string | Uint8Array): Promise<string[]> {
  const result = await importing(world, content);
  assert.equal(result.exitCode, 1);
  assert.deepEqual(counts(result), [0, 0, 0]);
  assert.deepEqual(await exported(world), []);
  const last = told(result).at(-1) ?? "";
  assert.match(last, /^error: \d+ faults?; a file with a fault is not imported$/);
  return told(result).slice(0, -1);
}

/** The entries of a file that arrives in pieces of so many bytes. */
export async function entriesOf(content: string | Uint8Array, pieceLength = 65_536): Promise<FileEntry[]> {
  const bytes = Buffer.from(content);
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += pieceLength) {
      yield bytes.subarray(start, start + pieceLength);
    }
  }
  const entries: FileEntry[] = [];
  for await (const entry of readCampaignFile(pieces())) entries.push(entry);
  return entries;
}

/** The ids of a file's records, with the place of each; a fault stands as its text. */
export async function read(content: string | Uint8Array): Promise<string[]> {
  const entries = await entriesOf(content);
  return entries.map((entry) =>
    "problem" in entry
      ? `${entry.where}: ${entry.problem}`
      : `${entry.where}: ${(entry.record as { id: unknown }).id}`,
  );
}
