// The commands that a check kills, what they start from, and the state that they must leave.

import assert from "node:assert/strict";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { eventsPerCommit } from "../../../src/cli/import/import-events.ts";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { generateCampaign, generateEvents } from "../../support/generated-events.ts";
import { generateRecords } from "../../support/generated-record.ts";
import { askAs } from "../../support/guest-role.ts";
import { makeWorldOn, present, run, succeeds } from "../../support/world.ts";
import { writeLines } from "../../support/write-lines.ts";

/** @returns the URL of an empty database that did not exist before */
type NewDatabase = () => Promise<string>;

export interface InterruptedCommand {
  name: string;
  argv: readonly string[];
  /** @returns the URL of a new database for the command */
  prepare: NewDatabase;
  /** Otherwise it does all of its work or nothing. */
  isDoneInBatches?: boolean;
  /** All that the command may change. */
  stateOf(databaseUrl: string): Promise<unknown>;
  /** Runs the command again, and says which part of its work was done before. */
  repeat(databaseUrl: string, wasDone: boolean): Promise<string>;
}

interface Scene {
  folder: string;
  /** Imported records; five times as many events. */
  rows: number;
  newDatabase: NewDatabase;
}

const campaigns = 6;
const ofOrganization = ["--organization", "1"] as const;

export async function makeInterruptedCommands(scene: Scene): Promise<InterruptedCommand[]> {
  const [records, events] = ["records", "events"].map((name) => join(scene.folder, `${name}.ndjson`));
  await writeLines(records as string, generateRecords(scene.rows, campaigns + 1));
  await writeLines(events as string, generateEvents(scene.rows * 5, campaigns));
  const importRecords = ["import", ...ofOrganization, records as string];
  const importEvents = ["import", ...ofOrganization, "--events", events as string];
  const empty = () => withCampaigns(scene.newDatabase);
  const full = async () => {
    const databaseUrl = await empty();
    for (const argv of [importRecords, importEvents]) await finishes(databaseUrl, argv);
    return databaseUrl;
  };
  const source = await full();
  const copy = ["copy", "--from", source];
  const backup = join(scene.folder, "backup.db");
  await finishes(source, ["backup", backup]);
  const restore = ["restore", backup];
  const again = (argv: string[]) => async (databaseUrl: string, wasDone: boolean) => {
    await finishes(databaseUrl, argv);
    return wasDone ? "all" : "nothing";
  };
  /** A complete copy or restore is not repeated: the target must be empty. */
  const once = (argv: string[]) => async (databaseUrl: string, wasDone: boolean) =>
    wasDone ? "all" : again(argv)(databaseUrl, wasDone);
  const [vacuum, migrate] = [["doctor", "--vacuum"], ["migrate"]];
  const common = { prepare: empty, stateOf: exportOf };
  const target = { prepare: scene.newDatabase, stateOf: exportOf };
  const inBatches = { isDoneInBatches: true, repeat: repeatEvents(importEvents) };
  return [
    { ...common, name: "import of records", argv: importRecords, repeat: again(importRecords) },
    { ...common, name: "import of events", argv: importEvents, ...inBatches },
    { ...common, name: "doctor --vacuum", argv: vacuum, prepare: full, repeat: again(vacuum) },
    { ...target, name: "copy", argv: copy, repeat: once(copy) },
    { ...target, name: "restore", argv: restore, repeat: once(restore) },
    { ...target, name: "migrate", argv: migrate, stateOf: schemaOf, repeat: again(migrate) },
  ];
}

/** The killed processes have the real clock. */
export const finishes = (databaseUrl: string, argv: readonly string[]) =>
  succeeds(databaseUrl, [...argv], { now: () => Math.max(Date.now(), present) });

/** An organization with registered campaigns. */
async function withCampaigns(newDatabase: NewDatabase): Promise<string> {
  const databaseUrl = await newDatabase();
  const steps: (() => unknown)[] = [];
  const world = await makeWorldOn({ after: (step) => steps.unshift(step) }, databaseUrl);
  const { organization } = await world.addOrganization();
  for (let id = 1; id <= campaigns; id++) await world.register(organization, id, { ...generateCampaign(id) });
  for (const step of steps) await step();
  return databaseUrl;
}

/** Events are imported in batches: each was counted completely or not at all. */
function repeatEvents(argv: readonly string[]) {
  return async (databaseUrl: string): Promise<string> => {
    const { rows } = await finishes(databaseUrl, [...argv, "--json"]);
    const { accepted, repeated } = rows[0] as { accepted: number; repeated: number };
    if (accepted > 0) assert.equal(repeated % eventsPerCommit, 0, `${repeated} events were counted before`);
    return accepted === 0 ? "all" : repeated === 0 ? "nothing" : "some batches";
  };
}

/** The export of the organization. Undefined without a database, or with an empty one. */
async function exportOf(databaseUrl: string): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await run(databaseUrl, ["export", ...ofOrganization]);
  if (exitCode === 0) return stdout;
  assert.match(stderr, /^error: (there is no .*database|organization 1 does not exist)/);
  return undefined;
}

async function schemaOf(databaseUrl: string): Promise<unknown[]> {
  const path = sqlitePath(databaseUrl);
  if (path) {
    const sqlite = new Sqlite(path);
    const schema = sqlite.prepare("select sql from sqlite_master order by name").all();
    sqlite.close();
    return schema;
  }
  // The tables that remember migrations exist before the first migration.
  const columns = await askAs(
    databaseUrl,
    `select table_name, column_name, data_type, is_nullable from information_schema.columns
     where table_schema = 'public' and table_name not like 'kysely_migration%' order by 1, 2`,
  );
  const indexes = await askAs(
    databaseUrl,
    `select indexdef from pg_indexes
     where schemaname = 'public' and tablename not like 'kysely_migration%' order by 1`,
  );
  return [...columns, ...indexes];
}
