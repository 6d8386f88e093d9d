// The command `import`: saved campaigns, with their finished numbers, into an organization.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { type ReportedCampaign, readReportedCampaign } from "../campaign/reported-campaign.ts";
import { type Outcome, saveReportedCampaigns } from "../counting/save-campaigns.ts";
import { Refusal } from "../errors.ts";
import { type Database, type Queries, rowsPerStatement } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { type Output, printDone } from "./output.ts";
import { type ProgressBar, progressBar } from "./progress-bar.ts";

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
    const bytes = file === "-" ? options.stdin : createReadStream(file);
    const size = file === "-" ? undefined : (await statFile(file)).size;
    const result = await importFile(database, {
      ...options,
      bytes: withProgress(bytes, { bar, size, file }),
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
  for (const fault of faults.slice(0, faultsShownMax)) output.stderr.write(`${fault}\n`);
  if (faultCount > faultsShownMax) output.stderr.write(`… and ${faultCount - faultsShownMax} more\n`);
  if (!output.json) for (const warning of summary.warnings) output.stderr.write(`warning: ${warning}\n`);
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

async function statFile(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    throw new Refusal("not_found", `${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
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
  const organization = await findOrganization(queries, options.organizationId);
  if (!organization) throw new Refusal("not_found", `there is no organization ${options.organizationId}`);
  const batch = new Batch(queries, organization, options.now(), result);
  const fail = (where: string, problem: string) => {
    result.faultCount += 1;
    if (result.faults.length < faultsShownMax) result.faults.push(`${where}: ${problem}`);
  };
  for await (const entry of readCampaignFile(options.bytes)) {
    if ("problem" in entry) {
      fail(entry.where, entry.problem);
      continue;
    }
    const reading = readReportedCampaign(entry.record, organization.timeZone);
    for (const { field, problem } of reading.faults) fail(entry.where, `${field}: ${problem}`);
    options.warnings.add(reading);
    if (!reading.reported) continue;
    const earlier = await batch.add(reading.reported);
    if (earlier !== undefined) {
      fail(
        entry.where,
        `id: ${reading.reported.campaign.id} was already given with other content, by record ${earlier}`,
      );
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
  /** By which record of the file, counted from 1, each id was given. */
  readonly #givenBy = new Map<number, number>();
  #count = 0;
  #waiting: ReportedCampaign[] = [];

  constructor(queries: Queries, organization: Organization, now: number, result: FileResult) {
    this.#queries = queries;
    this.#organization = organization;
    this.#now = now;
    this.#result = result;
  }

  /** Returns the record that gave the same id before with other content. */
  async add(reported: ReportedCampaign): Promise<number | undefined> {
    this.#count += 1;
    const earlier = this.#givenBy.get(reported.campaign.id);
    if (earlier !== undefined) {
      await this.save();
      const [outcome] = await saveReportedCampaigns(this.#queries, this.#organization, [reported], this.#now);
      return outcome === "unchanged" ? undefined : earlier;
    }
    this.#givenBy.set(reported.campaign.id, this.#count);
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
    return [
      ...all(
        this.#unknownFields,
        (name, records) => `${name}: is no field of a record; left out of ${records}`,
      ),
      ...all(this.#nullFields, (name, records) => `${name}: has no value in ${records}`),
      ...all(
        this.#ratesAboveOne,
        (name, records) => `${name}: is above 1 in ${records}; is it a percentage?`,
      ),
    ];
  }
}

async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  { bar, size, file }: { bar: ProgressBar; size: number | undefined; file: string },
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of bytes) {
    read += piece.length;
    bar.show(size ? read / size : undefined, `${file} ${(read / 1e6).toFixed(1)} MB`);
    yield piece;
  }
}
