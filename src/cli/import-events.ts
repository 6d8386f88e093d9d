// The command `import --events`: events as NDJSON, through the same code that takes them by HTTP.

import type { Entry, Problem } from "../counting/arrival.ts";
import { readEventLine } from "../counting/event-batch.ts";
import { ingestEvents } from "../counting/ingest-events.ts";
import { problems } from "../counting/problems.ts";
import type { Database } from "../storage/database.ts";
import { largestRecordLength } from "./file-entry.ts";
import { type InputFile, openInput } from "./input-file.ts";
import { type Output, printable, printDone } from "./output.ts";
import { progressBar } from "./progress-bar.ts";
import { needOrganization } from "./shell.ts";

/** Each commit waits for the disk once; so many events share that wait, and others get their turn in between. */
export const eventsPerCommit = 5_000;
const problemsShownMax = 100;

export interface ImportEventsOptions {
  organizationId: number;
  files: string[];
  stdin: AsyncIterable<Uint8Array>;
  now: () => number;
  setAsideMax: number;
}

interface Total {
  accepted: number;
  repeated: number;
  setAside: number;
  refused: number;
  /** How many for each reason. */
  reasons: Map<Problem["reason"], number>;
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
  await database.read((queries) => needOrganization(queries, options.organizationId));
  const total: Total = { accepted: 0, repeated: 0, setAside: 0, refused: 0, reasons: new Map(), shown: [] };
  const files: InputFile[] = [];
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
  let entries: Entry[] = [];
  let lines: number[] = [];
  const commit = async () => {
    const { now, setAsideMax, organizationId } = options;
    const result = await database.write(async (queries) => {
      const organization = await needOrganization(queries, organizationId);
      return ingestEvents(queries, organization, entries, { now: now(), setAsideMax });
    });
    total.accepted += result.accepted;
    total.repeated += result.repeated;
    total.setAside += result.setAside;
    total.refused += result.refused;
    for (const { index, reason, message } of result.problems) {
      total.reasons.set(reason, (total.reasons.get(reason) ?? 0) + 1);
      if (reason === "unreadable" && total.shown.length < problemsShownMax) {
        total.shown.push(`${file.name}: line ${lines[index]}: ${message}`);
      }
    }
    entries = [];
    lines = [];
  };
  let number = 0;
  for await (const some of readLines(file.bytes(bar))) {
    for (const line of some) {
      number += 1;
      const entry = readEventLine(line);
      if (!entry) continue;
      entries.push(entry);
      lines.push(number);
      if (entries.length >= eventsPerCommit) await commit();
    }
  }
  if (entries.length > 0) await commit();
  bar.clear();
}

/** The lines of a file, as many at a time as its pieces hold. What is no UTF-8 is no JSON either. */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    // A line that has no end would fill the memory; no event is so long.
    if (rest.length > largestRecordLength) rest = rest.slice(0, largestRecordLength);
    yield lines;
  }
  yield [rest + decoder.decode()];
}

function report(output: Output, total: Total): number {
  const { accepted, repeated, setAside, refused, reasons, shown } = total;
  const unreadable = reasons.get("unreadable") ?? 0;
  for (const problem of shown) output.stderr.write(`${printable(problem)}\n`);
  if (unreadable > shown.length) output.stderr.write(`… and ${unreadable - shown.length} more\n`);
  if (!output.json) {
    for (const [reason, events] of reasons) {
      if (reason === "unreadable") continue;
      output.stderr.write(`${reason}: ${events}. ${problems[reason].meaning}\n`);
    }
  }
  if (refused > 0) {
    output.stderr.write(
      `error: ${refused} events had to be set aside, and there is no room for them (SET_ASIDE_MAX); register their campaigns or discard what waits, then import the file again\n`,
    );
  }
  const row = { accepted, repeated, set_aside: setAside, problems: Object.fromEntries(reasons) };
  printDone(output, row, `Imported: ${accepted} counted, ${repeated} repeated, ${setAside} set aside.`);
  return unreadable > 0 || refused > 0 ? 1 : 0;
}
