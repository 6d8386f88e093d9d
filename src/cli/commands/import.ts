// The command `import`: saved campaigns, with their finished numbers, into an organization.

import { setFlagsFromString } from "node:v8";
import { type ReportedCampaign, readReportedCampaign } from "../../campaign/reported-campaign.ts";
import {
  type ImportNotices,
  isUnchanged,
  type SaveStatus,
  saveReportedCampaigns,
} from "../../counting/campaigns/save-reported-campaigns.ts";
import { type Database, type Queries, rowsPerStatement } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { readCampaignFile } from "../files/campaign-file.ts";
import { Warnings } from "../files/import-warnings.ts";
import { type InputFile, openInput } from "../files/input-file.ts";
import { counted, type Output, printable, printDone } from "../output.ts";
import { progressBar } from "../progress-bar.ts";
import { needOrganization, takeOrganization } from "../shell.ts";

const faultsShownMax = 100;

/** A campaign whose numbers are counted is not written, but a fault of the file. */
type Written = Exclude<SaveStatus, "counted">;

interface FileResult {
  outcomes: Record<Written, number>;
  faults: string[];
  faultCount: number;
}

/**
 * Each file is written whole or not at all. After a refused file the others are only checked, so that every bad
 * record is named at once. A dry run does the same within one transaction that is undone.
 *
 * @param options.files paths; `-` is standard input
 * @returns the exit code
 */
export async function importCampaigns(
  database: Database,
  output: Output,
  options: ImportOptions,
): Promise<number> {
  collectGarbageEarly();
  await database.snapshot((queries) => needOrganization(queries, options.organizationId));
  const total: Total = {
    added: 0,
    changed: 0,
    unchanged: 0,
    warnings: new Warnings(),
    faults: [],
    faultCount: 0,
  };
  const files: InputFile[] = [];
  for (const name of options.files) files.push(await openInput(name, options.stdin));
  const importInto = (transaction: Transaction) => importFiles(files, transaction, output, options, total);
  // A file, or what was read of it, cannot be read again.
  if (!options.dryRun) await importInto((work) => database.transaction(work, "never"));
  else {
    const dryRun = database.transaction(async (queries) => {
      await importInto((work) => work(queries));
      throw new Undo();
    }, "never");
    await dryRun.catch(ignoreUndo);
  }
  return report(output, options, total);
}

interface ImportOptions {
  organizationId: number;
  files: string[];
  dryRun: boolean;
  stdin: AsyncIterable<Uint8Array>;
  now: () => number;
}

interface Total extends Record<Written, number> {
  warnings: Warnings;
  /** The first ones, as they are printed. */
  faults: string[];
  faultCount: number;
}

type Transaction = (work: (queries: Queries) => Promise<void>) => Promise<void>;

async function importFiles(
  files: readonly InputFile[],
  transaction: Transaction,
  output: Output,
  options: ImportOptions,
  total: Total,
): Promise<void> {
  for (const file of files) {
    const checkOnly = total.faultCount > 0;
    const bar = progressBar(output);
    const result: FileResult = {
      outcomes: { added: 0, changed: 0, unchanged: 0 },
      faults: [],
      faultCount: 0,
    };
    const saving = transaction(async (queries) => {
      const bytes = file.bytes(bar);
      await saveFile(queries, { ...options, bytes, warnings: total.warnings }, result);
      if (result.faultCount > 0 || checkOnly) throw new Undo();
    });
    await saving.catch(ignoreUndo);
    bar.clear();
    const name = files.length > 1 ? `${file.name}: ` : "";
    total.faults.push(...result.faults.map((fault) => name + fault));
    total.faultCount += result.faultCount;
    if (checkOnly && result.faultCount === 0)
      total.warnings.addNotice(`${file.name}: only checked, because a file before it is refused`);
    if (total.faultCount > 0) continue;
    for (const outcome of outcomes) total[outcome] += result.outcomes[outcome];
  }
}

const outcomes = ["added", "changed", "unchanged"] as const;

function report(output: Output, { dryRun }: ImportOptions, total: Total): number {
  const { added, changed, unchanged, faults, faultCount } = total;
  const warnings = total.warnings.sentences();
  for (const fault of faults.slice(0, faultsShownMax)) output.stderr.write(`${printable(fault)}\n`);
  if (faultCount > faultsShownMax) output.stderr.write(`… and ${faultCount - faultsShownMax} more\n`);
  if (!output.json) for (const warning of warnings) output.stderr.write(`warning: ${printable(warning)}\n`);
  if (faultCount > 0) {
    output.stderr.write(`error: ${counted(faultCount, "fault")}; a file with a fault is not imported\n`);
  }
  const verb = dryRun ? "Checked, nothing written" : "Imported";
  const summary = { added, changed, unchanged, warnings };
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
  warnings: Warnings;
  now: () => number;
}

/** Thrown to undo what a file has written so far. */
class Undo extends Error {}

function ignoreUndo(error: unknown): void {
  if (!(error instanceof Undo)) throw error;
}

/** Writes the good records even beside bad ones, so that each is held against what the file gave before it. */
async function saveFile(queries: Queries, options: FileOptions, result: FileResult): Promise<void> {
  const organization = await takeOrganization(queries, options.organizationId);
  const fail = (where: string, problem: string) => {
    result.faultCount += 1;
    if (result.faults.length < faultsShownMax) result.faults.push(`${where}: ${problem}`);
  };
  const batch = new Batch(queries, organization, options.now(), { result, fail, warnings: options.warnings });
  let place = 0;
  for await (const entry of readCampaignFile(options.bytes)) {
    place += 1;
    if ("problem" in entry) {
      fail(entry.where, entry.problem);
      continue;
    }
    const reading = readReportedCampaign(entry.record, organization.timeZone);
    for (const { field, problem } of reading.errors) fail(entry.where, `${field}: ${problem}`);
    options.warnings.add(reading);
    if (!reading.reported) continue;
    const { id } = reading.reported.campaign;
    const earlier = await batch.add(reading.reported, entry.where, place);
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
  readonly #fail: (where: string, problem: string) => void;
  /** By which record of the file, counted from 1, each id was given first. (A number, because there may be millions.) */
  readonly #givenBy = new Map<number, number>();
  readonly #noticed: ImportNotices;
  /** Ids of campaigns in the file whose numbers are counted from events. */
  readonly #counted = new Set<number>();
  #waiting: { reported: ReportedCampaign; where: string }[] = [];

  constructor(
    queries: Queries,
    organization: Organization,
    now: number,
    {
      result,
      fail,
      warnings,
    }: { result: FileResult; fail: (where: string, problem: string) => void; warnings: Warnings },
  ) {
    this.#queries = queries;
    this.#organization = organization;
    this.#now = now;
    this.#result = result;
    this.#fail = fail;
    this.#noticed = { uncolored: new Set(), emptied: (fields) => warnings.addEmptied(fields) };
  }

  /**
   * @param place of the record in the file, counted from 1
   * @returns the place of the record that gave the same id first, with other content; then this one is not saved
   */
  async add(reported: ReportedCampaign, where: string, place: number): Promise<number | undefined> {
    const earlier = this.#givenBy.get(reported.campaign.id);
    if (earlier !== undefined) {
      await this.save();
      if (this.#counted.has(reported.campaign.id)) {
        this.#fail(where, countedProblem(reported));
        return undefined;
      }
      const isSame = await isUnchanged(this.#queries, this.#organization.id, reported);
      return isSame ? undefined : earlier;
    }
    this.#givenBy.set(reported.campaign.id, place);
    this.#waiting.push({ reported, where });
    if (this.#waiting.length >= rowsPerStatement) await this.save();
    return undefined;
  }

  async save(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const outcomes = await saveReportedCampaigns(
      this.#queries,
      this.#organization,
      this.#waiting.map(({ reported }) => reported),
      this.#now,
      this.#noticed,
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome !== "counted") this.#result.outcomes[outcome] += 1;
      else {
        const { reported, where } = this.#waiting[index] as { reported: ReportedCampaign; where: string };
        this.#counted.add(reported.campaign.id);
        this.#fail(where, countedProblem(reported));
      }
    }
    this.#waiting = [];
  }
}

function countedProblem({ campaign }: ReportedCampaign): string {
  return `id: the numbers of campaign ${campaign.id} are counted from events; an import cannot replace them`;
}
