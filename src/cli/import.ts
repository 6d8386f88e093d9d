// The command `import`: saved campaigns, with their finished numbers, into an organization.

import { open } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { type ReportedCampaign, readReportedCampaign } from "../campaign/reported-campaign.ts";
import { isUnchanged, type Outcome, saveReportedCampaigns } from "../counting/save-campaigns.ts";
import { type Database, type Queries, rowsPerStatement } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { type Output, printable, printDone } from "./output.ts";
import { type ProgressBar, progressBar } from "./progress-bar.ts";
import { needOrganization } from "./shell.ts";

const faultsShownMax = 100;
const fieldsWarnedMax = 50;

export interface ImportSummary extends Record<Outcome, number> {
  warnings: string[];
}

interface FileResult {
  outcomes: Record<Outcome, number>;
  faults: string[];
  faultCount: number;
}

/**
 * Each file is written whole or not at all. After a refused file the others are only checked, so that every bad
 * record is named at once.
 *
 * @param options.files paths; `-` is standard input
 * @returns the exit code
 */
export async function importCampaigns(
  database: Database,
  output: Output,
  options: {
    organizationId: number;
    files: string[];
    dryRun: boolean;
    stdin: AsyncIterable<Uint8Array>;
    now: () => number;
  },
): Promise<number> {
  collectGarbageEarly();
  const summary: ImportSummary = { added: 0, changed: 0, unchanged: 0, warnings: [] };
  const warnings = new Warnings();
  const faults: string[] = [];
  let faultCount = 0;
  for (const file of options.files) {
    const checkOnly = options.dryRun || faultCount > 0;
    const bar = progressBar(output);
    const result = await importFile(database, {
      ...options,
      bytes: readBytes(file, options.stdin, bar),
      checkOnly,
      warnings,
    });
    bar.clear();
    const name = options.files.length > 1 ? `${file}: ` : "";
    faults.push(...result.faults.map((fault) => name + fault));
    faultCount += result.faultCount;
    if (faultCount > 0) continue;
    for (const outcome of ["added", "changed", "unchanged"] as const)
      summary[outcome] += result.outcomes[outcome];
  }
  summary.warnings = warnings.sentences();
  for (const fault of faults.slice(0, faultsShownMax)) output.stderr.write(`${printable(fault)}\n`);
  if (faultCount > faultsShownMax) output.stderr.write(`… and ${faultCount - faultsShownMax} more\n`);
  if (!output.json)
    for (const warning of summary.warnings) output.stderr.write(`warning: ${printable(warning)}\n`);
  if (faultCount > 0) {
    output.stderr.write(
      `error: ${faultCount} ${faultCount === 1 ? "fault" : "faults"}; a file with a fault is not imported\n`,
    );
  }
  const { added, changed, unchanged } = summary;
  const verb = options.dryRun ? "Checked, nothing written" : "Imported";
  printDone(output, summary, `${verb}: ${added} added, ${changed} changed, ${unchanged} unchanged.`);
  return faultCount > 0 ? 1 : 0;
}

/** V8 would let garbage grow to several times what is alive; beside other work on a machine that is a waste. */
function collectGarbageEarly(): void {
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--semi-space-growth-factor=1");
}

interface FileOptions {
  organizationId: number;
  bytes: AsyncIterable<Uint8Array>;
  checkOnly: boolean;
  warnings: Warnings;
  now: () => number;
}

/** Thrown to undo what a file has written so far. */
class Undo extends Error {}

async function importFile(database: Database, options: FileOptions): Promise<FileResult> {
  const result: FileResult = { outcomes: { added: 0, changed: 0, unchanged: 0 }, faults: [], faultCount: 0 };
  try {
    await database.write(async (queries) => {
      await saveFile(queries, options, result);
      if (result.faultCount > 0 || options.checkOnly) throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return result;
}

/** Writes the good records even beside bad ones, so that each is held against what the file gave before it. */
async function saveFile(queries: Queries, options: FileOptions, result: FileResult): Promise<void> {
  const organization = await needOrganization(queries, options.organizationId);
  const batch = new Batch(queries, organization, options.now(), result);
  const fail = (where: string, problem: string) => {
    result.faultCount += 1;
    if (result.faults.length < faultsShownMax) result.faults.push(`${where}: ${problem}`);
  };
  let place = 0;
  for await (const entry of readCampaignFile(options.bytes)) {
    place += 1;
    if ("problem" in entry) {
      fail(entry.where, entry.problem);
      continue;
    }
    const reading = readReportedCampaign(entry.record, organization.timeZone);
    for (const { field, problem } of reading.faults) fail(entry.where, `${field}: ${problem}`);
    options.warnings.add(reading);
    if (!reading.reported) continue;
    const { id } = reading.reported.campaign;
    const earlier = await batch.add(reading.reported, place);
    if (earlier !== undefined) {
      fail(entry.where, `id: ${id} was already given with other content, by record ${earlier} of the file`);
    }
  }
  await batch.save();
}

/** Campaigns of one file that wait to be saved together. */
class Batch {
  readonly #queries: Queries;
  readonly #organization: Organization;
  readonly #now: number;
  readonly #result: FileResult;
  /** By which record of the file, counted from 1, each id was given first. (A number, because there may be millions.) */
  readonly #givenBy = new Map<number, number>();
  #waiting: ReportedCampaign[] = [];

  constructor(queries: Queries, organization: Organization, now: number, result: FileResult) {
    this.#queries = queries;
    this.#organization = organization;
    this.#now = now;
    this.#result = result;
  }

  /**
   * @param place of the record in the file, counted from 1
   * @returns the place of the record that gave the same id first, with other content; then this one is not saved
   */
  async add(reported: ReportedCampaign, place: number): Promise<number | undefined> {
    const earlier = this.#givenBy.get(reported.campaign.id);
    if (earlier !== undefined) {
      await this.save();
      const isSame = await isUnchanged(this.#queries, this.#organization.id, reported);
      return isSame ? undefined : earlier;
    }
    this.#givenBy.set(reported.campaign.id, place);
    this.#waiting.push(reported);
    if (this.#waiting.length >= rowsPerStatement) await this.save();
    return undefined;
  }

  async save(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const outcomes = await saveReportedCampaigns(this.#queries, this.#organization, this.#waiting, this.#now);
    for (const outcome of outcomes) this.#result.outcomes[outcome] += 1;
    this.#waiting = [];
  }
}

/** What was taken, but may not be what was meant: counted over all records, told once. */
class Warnings {
  readonly #unknownFields = new Map<string, number>();
  readonly #nullFields = new Map<string, number>();
  readonly #ratesAboveOne = new Map<string, number>();

  add(reading: { unknownFields: string[]; nullFields: string[]; ratesAboveOne: string[] }): void {
    const count = (map: Map<string, number>, names: string[]) => {
      for (const name of names) {
        if (map.has(name) || map.size < fieldsWarnedMax) map.set(name, (map.get(name) ?? 0) + 1);
      }
    };
    count(this.#unknownFields, reading.unknownFields);
    count(this.#nullFields, reading.nullFields);
    count(this.#ratesAboveOne, reading.ratesAboveOne);
  }

  sentences(): string[] {
    const all = (map: Map<string, number>, sentence: (name: string, records: string) => string) =>
      [...map].map(([name, count]) =>
        sentence(name.slice(0, 100), count === 1 ? "1 record" : `${count} records`),
      );
    const fieldsByCount = Map.groupBy(this.#nullFields, ([, count]) => count);
    return [
      ...all(
        this.#unknownFields,
        (name, records) => `${name}: is no field of a record; left out of ${records}`,
      ),
      ...[...fieldsByCount].map(([count, fields]) => {
        const names = fields.map(([name]) => name).join(", ");
        return `no value in ${count === 1 ? "1 record" : `${count} records`}: ${names}`;
      }),
      ...all(
        this.#ratesAboveOne,
        (name, records) => `${name}: is above 1 in ${records}; is it a percentage?`,
      ),
    ];
  }
}

/** A file that cannot be opened or read is an error here, at the place where its records were to come. */
async function* readBytes(
  file: string,
  stdin: AsyncIterable<Uint8Array>,
  bar: ProgressBar,
): AsyncGenerator<Uint8Array> {
  const handle = file === "-" ? undefined : await open(file);
  try {
    const size = (await handle?.stat())?.size;
    let read = 0;
    for await (const piece of handle?.createReadStream({ autoClose: false }) ?? stdin) {
      read += piece.length;
      bar.show(size ? read / size : undefined, `${file} ${(read / 1e6).toFixed(1)} MB`);
      yield piece;
    }
  } finally {
    await handle?.close();
  }
}
