// The command `import --events`: events as NDJSON, through the same code that takes them by HTTP.

import { access } from "node:fs/promises";
import { classifyEvents } from "../../counting/events/classify-events.ts";
import type { ClassifiedEvent } from "../../counting/events/incoming-event.ts";
import { type IngestResult, ingestEvents } from "../../counting/events/ingest-events.ts";
import { type ProblemReason, problems } from "../../counting/events/problems.ts";
import type { Database } from "../../storage/database.ts";
import { type EventLine, readEventLines } from "../files/event-lines.ts";
import { type InputFile, openInput } from "../files/input-file.ts";
import { counted, type Output, printable, printDone } from "../output.ts";
import { progressBar } from "../progress-bar.ts";
import { needOrganization, takeOrganization } from "../shell.ts";

/** Each commit waits for the disk once; so many events share that wait, and others get their turn in between. */
export const eventsPerCommit = 5_000;
/** It bounds the memory where events are long. */
const bytesPerCommit = 8 * 1024 * 1024;
const problemsShownMax = 100;

export interface ImportEventsOptions {
  organizationId: number;
  files: string[];
  stdin: AsyncIterable<Uint8Array>;
  now: () => number;
  quarantineMax: number;
}

interface Total {
  accepted: number;
  repeated: number;
  quarantined: number;
  refused: number;
  /** How many for each reason. */
  reasons: Map<ProblemReason, number>;
  /** The first ones that say what is wrong with an event itself. */
  shown: string[];
}

/**
 * Events are committed some at a time: whatever was taken stays taken, and the same file again counts nothing twice.
 *
 * @returns the exit code: 1 when an event could not be read, or was not kept
 */
export async function importEvents(
  database: Database,
  output: Output,
  options: ImportEventsOptions,
): Promise<number> {
  await database.snapshot((queries) => needOrganization(queries, options.organizationId));
  const total: Total = {
    accepted: 0,
    repeated: 0,
    quarantined: 0,
    refused: 0,
    reasons: new Map(),
    shown: [],
  };
  const files: InputFile[] = [];
  // A file that is not there is told before anything of another one is counted.
  for (const name of options.files) if (name !== "-") await access(name);
  for (const name of options.files) files.push(await openInput(name, options.stdin));
  for (const file of files) await importFile(database, output, file, options, total);
  return report(output, total);
}

async function importFile(
  database: Database,
  output: Output,
  file: InputFile,
  options: ImportEventsOptions,
  total: Total,
): Promise<void> {
  const bar = progressBar(output);
  let events: EventLine[] = [];
  let bytes = 0;
  let written: Promise<{ error?: unknown }> = Promise.resolve({});
  const commit = async () => {
    const some = events;
    events = [];
    bytes = 0;
    const arrivals = classifyEvents(
      some.map(({ entry }) => entry),
      options.now(),
    );
    await isWritten();
    const write = async () => {
      const result = await writeEvents(database, arrivals, options);
      addUp(total, result, (index) => `${file.name}: line ${some[index]?.line}`);
    };
    // While it is being written, the next ones are read.
    written = write().then(
      () => ({}),
      (error: unknown) => ({ error }),
    );
  };
  const isWritten = async () => {
    const { error } = await written;
    if (error !== undefined) throw error;
  };
  for await (const some of readEventLines(file.bytes(bar))) {
    for (const event of some) {
      events.push(event);
      bytes += event.length;
      if (events.length >= eventsPerCommit || bytes >= bytesPerCommit) await commit();
    }
  }
  if (events.length > 0) await commit();
  await isWritten();
  bar.clear();
}

function writeEvents(
  database: Database,
  arrivals: readonly ClassifiedEvent[],
  { organizationId, now, quarantineMax }: ImportEventsOptions,
): Promise<IngestResult> {
  return database.transaction(async (queries) => {
    const organization = await takeOrganization(queries, organizationId);
    return ingestEvents(queries, organization, arrivals, { now: now(), quarantineMax });
  }, "idempotent");
}

function addUp(total: Total, result: IngestResult, whereOf: (index: number) => string): void {
  total.accepted += result.accepted;
  total.repeated += result.repeated;
  total.quarantined += result.quarantined;
  total.refused += result.refused;
  for (const { index, reason, message } of result.problems) {
    total.reasons.set(reason, (total.reasons.get(reason) ?? 0) + 1);
    if (reason === "unreadable" && total.shown.length < problemsShownMax) {
      total.shown.push(`${whereOf(index)}: ${message}`);
    }
  }
}

function report(output: Output, total: Total): number {
  const { accepted, repeated, quarantined, refused, reasons, shown } = total;
  const wrong = reasons.get("unreadable") ?? 0;
  const others = reasons.get("no_campaign") ?? 0;
  const isNoneOurs = others > 0 && accepted + repeated + quarantined + refused === 0;
  for (const problem of shown) output.stderr.write(`${printable(problem)}\n`);
  if (wrong > shown.length) output.stderr.write(`… and ${wrong - shown.length} more\n`);
  if (!output.json) {
    for (const [reason, events] of reasons) {
      if (reason !== "unreadable") output.stderr.write(`${reason}: ${events}. ${problems[reason].meaning}\n`);
    }
  }
  if (wrong > 0)
    output.stderr.write(`error: ${counted(wrong, "event")} with faults; the others were taken\n`);
  if (isNoneOurs)
    output.stderr.write("error: no record names a campaign in campaign_id; are these events?\n");
  if (refused > 0) {
    output.stderr.write(
      `error: ${counted(refused, "event")} had to be set aside, and there is no room for them (QUARANTINE_MAX); register their campaigns or discard what waits, then import the file again\n`,
    );
  }
  const row = { accepted, repeated, quarantined, problems: Object.fromEntries(reasons) };
  printDone(output, row, `Imported: ${accepted} counted, ${repeated} repeated, ${quarantined} set aside.`);
  return wrong > 0 || refused > 0 || isNoneOurs ? 1 : 0;
}
