// Reads an uploaded file of campaigns in a reader thread: rows that an import can save, and what a preview shows.

import { truncate } from "../../campaign/fields/quote.ts";
import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import type { Identified } from "../campaigns/assign-ids.ts";
import { readCampaignFile } from "./files/campaign-file.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import { type ColumnChoices, readColumnChoices } from "./mapping/column-choices.ts";
import { describeMapping } from "./mapping/describe-mapping.ts";
import type { FileEntry } from "./mapping/file-entry.ts";
import type { Mapping } from "./mapping/mapping.ts";
import { parseEntries } from "./parse-entries.ts";
import { compressPiece, unpackPieces, uploadLimits } from "./pieces.ts";

/** Columns that have a menu of all fields in the form. Others are named in a warning. */
export const maxMappedColumns = 100;
const maxPreviewed = 10;
const maxExamples = 5;
const maxCampaigns = 50_000;
/** A file with so many errors is not read further. */
const maxErrors = 1_000;
/** A piece ends at this many rows, or once it has more than this many characters. */
const maxRows = 200;
const maxRowsLength = 1024 * 1024;

export interface CampaignsTask {
  name: "campaigns";
  /** The query of the mapping form. */
  choices: string;
  timeZone: string;
  /** The choices of earlier imports, by header. */
  saved: ReadonlyMap<string, string>;
}

/** Some campaigns of the file. */
interface PreparedRows {
  places: (Identified & { where: string })[];
  /** A piece for {@link readRows}; undefined after an error, with which nothing is imported. */
  rows: Uint8Array | undefined;
}

/** The description of the whole file, which comes last. */
export interface PreparedFile {
  /** The first valid campaigns. */
  first: ReportedCampaign[];
  /** The columns of a table, and the first cells of each. */
  columns: { title: string; examples: string[] }[];
  choices: ColumnChoices;
  errors: string[];
  errorCount: number;
  needsDateOrder: boolean;
  warnings: string[];
}

export type PreparedPart = PreparedRows | { file: PreparedFile };

/** @param pieces of the file, as they are stored */
export async function* prepareCampaigns(
  pieces: AsyncIterable<Uint8Array>,
  { choices, timeZone, saved }: CampaignsTask,
): AsyncGenerator<PreparedPart> {
  const result = new FileResult(new Warnings());
  const first: ReportedCampaign[] = [];
  let columns: PreparedFile["columns"] = [];
  const query = new URLSearchParams(choices);
  let chosen = readColumnChoices(query, undefined, { timeZone, saved });
  const choose = (header: string[]) => {
    chosen = readColumnChoices(query, header, { timeZone, saved });
    columns = header.map((title) => ({ title: truncate(title), examples: [] }));
    return chosen.choice;
  };
  const onNotice = (notice: string) => result.warnings.addNotice(notice);
  const onRow = (cells: readonly (string | null)[]) => {
    if ((columns[0]?.examples.length ?? maxExamples) >= maxExamples) return;
    for (const [at, { examples }] of columns.entries()) examples.push(truncate(cells[at]?.trim() ?? ""));
  };
  const onMapping = (mapping: Mapping, header: readonly string[]) => {
    if (header.length > maxMappedColumns) onNotice(describeMapping(mapping, header));
  };
  const file = readCampaignFile(unpackPieces(pieces), choose, { onMapping, onRow, onNotice });
  const entries = limitEntries(file, result);
  const isValid = () => result.errorCount === 0;
  let [places, rows]: [PreparedRows["places"], string[]] = [[], []];
  let [length, total] = [0, 0];
  const take = async (): Promise<PreparedRows> => {
    const content = isValid() ? await compressPiece(Buffer.from(`[${rows.join()}]`)) : undefined;
    const part = { places, rows: content };
    [places, rows, length] = [[], [], 0];
    return part;
  };
  for await (const entry of parseEntries(entries, timeZone, result)) {
    const { reported, where } = entry;
    if (first.length < maxPreviewed) first.push(reported);
    const { id, subject, sentAt } = reported.campaign;
    places.push({ campaign: { id, subject, sentAt }, origin: reported.origin, where });
    const row = isValid() ? JSON.stringify(entry) : "";
    rows.push(row);
    length += row.length;
    total += row.length;
    if (total > uploadLimits.bytes) result.addError(where, tooMuch);
    if (places.length === maxRows || length > maxRowsLength) yield await take();
    if (total > uploadLimits.bytes) break;
  }
  if (places.length > 0) yield await take();
  const { errors, errorCount, needsDateOrder, warnings } = result;
  const notices = { errors, errorCount, needsDateOrder, warnings: warnings.sentences() };
  yield { file: { first, columns, choices: chosen, ...notices } };
}

/** Ends a file with more campaigns than the web application imports at once, or with many errors. */
async function* limitEntries(
  entries: AsyncIterable<FileEntry>,
  result: FileResult,
): AsyncGenerator<FileEntry> {
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > maxCampaigns) {
      const problem = `more than ${maxCampaigns} campaigns; import the file with the command "email-analytics import", or divide it`;
      yield { where: entry.where, problem };
      return;
    }
    yield entry;
    if (result.errorCount >= maxErrors) return;
  }
}

const tooMuch = `the campaigns up to here have more than ${uploadLimits.bytes} characters; divide the file`;
