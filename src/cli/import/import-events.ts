// Imports files of events (NDJSON), with the same code that ingests them over HTTP.

import { basename } from "node:path";
import { classifyEvents } from "../../counting/events/classify-events.ts";
import type { ClassifiedEvent } from "../../counting/events/incoming-event.ts";
import { type IngestResult, ingestEvents } from "../../counting/events/ingest-events.ts";
import type { ScannerNetworks } from "../../counting/events/scanner-networks.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type EventLine, readEventLines } from "../files/event-lines.ts";
import type { InputFile } from "../files/input-file.ts";
import type { Output } from "../shell/output.ts";
import { progressBar } from "../shell/progress-bar.ts";
import { recordCommand, requireOrganizationForUpdate } from "../shell/shell.ts";
import { EventTotal, printBeforeError, printImportedEvents } from "./print-imported-events.ts";

/** Every commit waits for the disk once. A large batch shares that wait, but other writers wait for the batch. */
export const eventsPerCommit = 5_000;
/** Bounds the memory when events are long. */
const bytesPerCommit = 8 * 1024 * 1024;

interface ImportEventsOptions {
  organization: number;
  now: () => number;
  maxQuarantineBytes: number;
  networks: ScannerNetworks;
}

/**
 * Commits the events in batches. After a failure, importing the same file again is safe: events are deduplicated.
 *
 * @returns the exit code: 1 if an event is unreadable or was refused
 */
export async function importEvents(
  database: Database,
  output: Output,
  files: readonly InputFile[],
  options: ImportEventsOptions,
): Promise<number> {
  const total = new EventTotal();
  try {
    for (const file of files) await importFile(database, output, file, options, total);
  } catch (error) {
    // The error says only that its own batch was not saved.
    printBeforeError(output, total);
    throw error;
  }
  return printImportedEvents(output, total) ? 0 : 1;
}

async function importFile(
  database: Database,
  output: Output,
  file: InputFile,
  options: ImportEventsOptions,
  total: EventTotal,
): Promise<void> {
  const bar = progressBar(output);
  let unrecorded: string | undefined = basename(file.name);
  let writing: Promise<{ error?: unknown }> = Promise.resolve({});
  const written = async () => {
    const { error } = await writing;
    if (error !== undefined) throw error;
  };
  try {
    for await (const batch of batches(readEventLines(file.bytes(bar)))) {
      const entries = batch.map(({ entry }) => entry);
      const classified = classifyEvents(entries, options.now(), options.networks);
      await written();
      const recorded = unrecorded;
      unrecorded = undefined;
      const write = async () => {
        const result = await writeEvents(database, classified, options, recorded);
        total.add(result, (index) => `${file.name}: line ${batch[index]?.line}`);
      };
      // The next batch is read while this one is written.
      writing = write().then(
        () => ({}),
        (error: unknown) => ({ error }),
      );
    }
    await written();
  } finally {
    bar.clear();
  }
}

async function* batches(groups: AsyncIterable<EventLine[]>): AsyncGenerator<EventLine[]> {
  let batch: EventLine[] = [];
  let bytes = 0;
  for await (const group of groups) {
    for (const line of group) {
      batch.push(line);
      bytes += line.length;
      if (batch.length < eventsPerCommit && bytes < bytesPerCommit) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

/** @param file its name, with its first events: the audit log has one entry of a file */
function writeEvents(
  database: Database,
  classified: readonly ClassifiedEvent[],
  { organization: id, now, maxQuarantineBytes }: ImportEventsOptions,
  file: string | undefined,
): Promise<IngestResult> {
  const work = async (scope: Scope) => {
    const organization = await requireOrganizationForUpdate(scope);
    if (file !== undefined) await recordCommand(scope, { now }, "events.import", file);
    return ingestEvents(scope, organization, classified, { now: now(), maxQuarantineBytes });
  };
  return database.transactionOf(id, work, file === undefined ? "idempotent" : "beforeCommit");
}
