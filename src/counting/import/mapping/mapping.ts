// Which column of a CSV file is which field: chosen by the user, or by the preset that recognizes the header.

import type { DateOrder } from "../../../campaign/calendar/exported-time.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import { type ImportField, importFieldNames, importFields } from "../../../campaign/reported-campaign.ts";
import { headerWords } from "./header-words.ts";
import { type ImportPreset, importPresets, type RateForm } from "./presets.ts";

/** What the user chose for a file. */
export interface MappingChoice {
  /** The time zone of times without an offset. */
  timeZone: string;
  /** The column of a field, which precedes that of a preset; empty for none. */
  columns?: ReadonlyMap<ImportField, string> | undefined;
  dateOrder?: DateOrder | undefined;
  rates?: RateForm | undefined;
}

export interface Mapping {
  /** Undefined if no preset recognizes the header. */
  preset: ImportPreset | undefined;
  /** The names of the columns, by field. */
  columns: Readonly<Partial<Record<ImportField, string>>>;
  /** Columns whose text is the subject where that is empty, such as the title of the campaign. */
  titles: readonly string[];
  /** The column of the time of day, where that of `sent_at` has dates. */
  timeOfDay: string | undefined;
  timeZone: string;
  /** What the user chose. Undefined if the rows tell it. */
  dateOrder: DateOrder | undefined;
  rates: RateForm | undefined;
}

/** A file in our own form has columns with these names. */
export const ownRequiredFields = ["id", "subject", "sent_at"] as const satisfies ImportField[];

export function hasOwnForm(header: readonly string[]): boolean {
  return ownRequiredFields.every((field) => header.includes(field));
}

/** Records without an id get one. */
const requiredFields = ["subject", "sent_at"] as const satisfies ImportField[];

/**
 * Maps the columns of a header.
 *
 * @returns the mapping and its problems; undefined if the header has neither our names nor those of a tool, and the user chose
 *   nothing
 */
export function chooseMapping(
  header: readonly string[],
  { timeZone, columns, dateOrder, rates }: MappingChoice,
): { mapping: Mapping; problems: string[] } | undefined {
  const preset = findPreset(header);
  if (columns === undefined && preset === undefined && !hasOwnForm(header)) return undefined;
  const base = preset ? presetColumns(preset, header) : ownColumns(header);
  const chosen: Partial<Record<ImportField, string>> = { ...base };
  const problems: string[] = [];
  for (const [field, name] of columns ?? []) {
    const column = name === "" ? undefined : findColumn(header, name);
    if (column === undefined) delete chosen[field];
    else chosen[field] = column;
    if (column === undefined && name !== "") {
      problems.push(`has no column ${quote(name)} for ${field}; the columns are ${listed(header)}`);
    }
  }
  for (const field of requiredFields) {
    if (chosen[field] !== undefined || problems.length > 0) continue;
    problems.push(`has no column for ${field}; map one of its columns to it: ${listed(header)}`);
  }
  for (const column of new Set(Object.values(chosen))) {
    if (header.indexOf(column) < header.lastIndexOf(column)) {
      problems.push(`has the column ${quote(column)} twice`);
    }
  }
  const mapping = {
    preset,
    columns: chosen,
    titles: titleColumns(header, chosen.subject),
    timeOfDay: timeColumn(header, chosen.sent_at),
    timeZone,
    dateOrder,
    rates,
  };
  return { mapping, problems };
}

/**
 * The columns that have the names of fields, in any of the known exports or languages. Each column is one field only.
 *
 * @returns by field
 */
export function guessColumns(header: readonly string[]): Map<ImportField, string> {
  const guessed = new Map<ImportField, string>();
  const isTaken = (column: string) => [...guessed.values()].includes(column);
  for (const field of importFieldNames) {
    const names = importPresets.flatMap(({ columns }) => columns[field] ?? []);
    const found = [field, importFields[field].title, ...names, ...(headerWords[field] ?? [])]
      .map((name) => findColumn(header, name))
      .find((column) => column !== undefined && !isTaken(column));
    if (found !== undefined) guessed.set(field, found);
  }
  return guessed;
}

function titleColumns(header: readonly string[], subject: string | undefined): string[] {
  const names = importPresets.flatMap(({ columns }) => columns.subject ?? []);
  const columns = names.map((name) => findColumn(header, name));
  return [...new Set(columns)].filter((column) => column !== undefined && column !== subject) as string[];
}

/** `Send Hour` or `Send Time` of `Send Date`. */
function timeColumn(header: readonly string[], dates: string | undefined): string | undefined {
  const names = ["Hour", "Time"].map((word) => dates?.replace(/date/i, word) ?? "");
  return names
    .map((name) => (name === dates ? undefined : findColumn(header, name)))
    .find((column) => column);
}

function findPreset(header: readonly string[]): ImportPreset | undefined {
  // Our own names, some of which differ from those of a tool in their spelling only; our rates are fractions.
  if (requiredFields.every((field) => header.includes(field))) return undefined;
  return importPresets.find(({ recognizedBy }) => recognizedBy.every((name) => findColumn(header, name)));
}

function presetColumns({ columns }: ImportPreset, header: readonly string[]) {
  const found = Object.entries(columns).map(([field, names]) => [
    field,
    names.map((name) => findColumn(header, name)).find((column) => column !== undefined),
  ]);
  return Object.fromEntries(found.filter(([, column]) => column !== undefined)) as Mapping["columns"];
}

/** Columns with our names. */
function ownColumns(header: readonly string[]): Mapping["columns"] {
  return Object.fromEntries(
    importFieldNames.filter((field) => header.includes(field)).map((field) => [field, field]),
  );
}

/** The column with this name: exactly, or else without regard to letter case, spaces and punctuation. */
function findColumn(header: readonly string[], name: string): string | undefined {
  const wanted = plain(name);
  return header.includes(name) ? name : header.find((column) => plain(column) === wanted);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}%]/gu, "") || name;
}

const maxListed = 40;

function listed(header: readonly string[]): string {
  const names = header.slice(0, maxListed).map((name) => quote(name));
  return names.join(", ") + (header.length > maxListed ? ", …" : "");
}
