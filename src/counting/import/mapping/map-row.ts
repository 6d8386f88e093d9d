// A row of a foreign export as a record of an import: its times, rates and counts in our forms. What cannot be read stays as it
// is, and validation rejects it.

import {
  type DateOrder,
  dateOrderOf,
  dateOrders,
  parseExportedTime,
} from "../../../campaign/calendar/exported-time.ts";
import { parseId } from "../../../campaign/fields/parse-id.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import type { RecordField } from "../../../campaign/record-fields.ts";
import { type ImportField, importFields, type Origin } from "../../../campaign/reported-campaign.ts";
import type { Cells, FileEntry } from "./file-entry.ts";
import type { FileForms, FoundForm } from "./file-forms.ts";
import { generateId } from "./generated-id.ts";
import { hasOwnForm, type Mapping } from "./mapping.ts";
import type { RateForm } from "./presets.ts";
import { parseTagCell } from "./tag-cell.ts";

export function rowMapper(
  header: readonly string[],
  mapping: Mapping,
): (where: string, cells: Cells, forms: FileForms) => FileEntry {
  const { columns, timeZone, preset } = mapping;
  const isForeign = !hasOwnForm(header);
  const places = Object.entries(columns).map(
    ([field, column]) => [field as ImportField, header.indexOf(column)] as const,
  );
  // Validation counts the names that are no fields.
  const unknown = isForeign
    ? []
    : [...header.entries()].filter(([, name]) => !Object.hasOwn(importFields, name));
  const rateEvidence = rateEvidenceOf(header, columns);
  return (where, cells, forms) => {
    const record: Record<string, unknown> = {};
    let origin: Origin | undefined;
    const problemOf = (field: string, problem: string) => ({
      where: placeOf(where, columns, field),
      problem,
    });
    // Our own rates have their units.
    const form =
      mapping.rates ?? (isForeign ? (forms.rates?.form ?? preset?.rates ?? "fraction") : undefined);
    const evidence = isForeign && mapping.rates === undefined ? rateEvidence(cells) : undefined;
    if (typeof evidence === "object" && evidence.form !== form) {
      return problemOf(evidence.field, otherRateForm(evidence, forms.rates));
    }
    for (const [field, at] of places) {
      const cell = cells[at] ?? null;
      const { type, unit }: RecordField = importFields[field];
      const text = cell?.trim() ?? "";
      if (field === "tags") record[field] = parseTagCell(text);
      else if (type === "string") record[field] = cell;
      else if (text === "" || noValue.test(text)) record[field] = null;
      else if (field === "sent_at") {
        const time = addTimeOfDay(text, mapping, cells[header.indexOf(mapping.timeOfDay ?? "")]);
        const order = mapping.dateOrder ?? forms.dateOrder?.form;
        const sentAt = parseExportedTime(time, timeZone, order);
        if (sentAt === "ambiguous")
          return { ...problemOf(field, ambiguous(text, timeZone)), needsDateOrder: true };
        const found = forms.dateOrder;
        const own = sentAt === undefined && found ? dateOrderOf(time, timeZone) : undefined;
        if (found && own) return problemOf(field, contradiction([text, own], found));
        record[field] = sentAt === undefined ? time : (isoOf(sentAt) ?? time);
      } else if (field === "id") {
        const id = parseRowId(text);
        if (isForeign) origin = { tool: preset?.tool ?? "file", id: String(id ?? text) };
        record[field] = id ?? (isForeign ? generateId([preset?.tool ?? null, text]) : text);
      } else if (type === "integer") record[field] = parseCount(text);
      else record[field] = parseRate(text, unit, form);
    }
    for (const [at, name] of unknown) record[name] = cells[at] ?? null;
    if (isForeign) {
      const titles = mapping.titles.map((title) => cells[header.indexOf(title)]);
      if (isEmpty(record.subject)) record.subject = titles.find((title) => !isEmpty(title)) ?? record.subject;
      record.id ??= identify(record);
    }
    return { where, record, isForeign, origin, ...(isForeign && { columns }) };
  };
}

const isEmpty = (text: unknown) => typeof text !== "string" || text.trim() === "";

/** The id of another tool, also as pandas writes a number in a column with gaps: `12.0`. */
const parseRowId = (text: string) => parseId(text.replace(/\.0+$/, ""));

/** A date with the time of day in another column: `14`, `14:30` or `2 PM`. Text that is no time is refused with the date. */
function addTimeOfDay(
  date: string,
  { timeZone, timeOfDay }: Mapping,
  cell: string | null | undefined,
): string {
  const time = cell?.trim() ?? "";
  if (timeOfDay === undefined || time === "" || noValue.test(time)) return date;
  const clock = time.replace(/^(\d{1,2})(?:\.0+)?(?=$|\s*[ap]\.?m)/i, "$1:00");
  const isDate = parseExportedTime(`${date} 00:00`, timeZone) !== undefined;
  return isDate ? `${date} ${clock}` : date;
}

/** Where a value is, for an error. */
export function placeOf(where: string, columns: Mapping["columns"], field: string): string {
  const column = columns[field as ImportField];
  return column === undefined ? where : `${where}, column ${quote(column)}`;
}

/** What tools write for nothing. */
const noValue = /^(?:n\/?a|null|[-–—])$/i;

const partOf = (order: string) => order.replace("-first", "");

function ambiguous(text: string, timeZone: string): string {
  const orders = dateOrders.filter((order) => parseExportedTime(text, timeZone, order) !== undefined);
  const parts = orders.map(partOf).join(" or the ");
  return `${quote(text)} may have the ${parts} first; choose the order of dates, ${orders.join(" or ")}`;
}

const contradiction = (
  [text, own]: [string, DateOrder | "ambiguous"],
  { form: order, text: other, line }: FoundForm<DateOrder>,
) => {
  const has =
    own === "ambiguous" ? `does not have the ${partOf(order)} first` : `has the ${partOf(own)} first`;
  return `${quote(text)} ${has}, but ${quote(other)} in line ${line} has the ${partOf(order)} first`;
};

/** Years that ISO-8601 writes with four digits; validation rejects others. */
function isoOf(at: number): string | undefined {
  const iso = new Date(at).toISOString();
  return iso.length === 24 ? iso : undefined;
}

/** Two campaigns with the same time, subject and groups are the same one. */
function identify({ sent_at, subject, recipients }: Record<string, unknown>): number {
  if (typeof sent_at !== "string" || typeof subject !== "string") return generateId([String(sent_at)]);
  return generateId([sent_at, subject, typeof recipients === "string" ? recipients : null]);
}

/**
 * A count has no decimals, so three digits after a separator are thousands (in groups of two above them, as in India), and
 * zeros after another separator are none.
 */
function parseCount(text: string): number | string {
  const [, digits, , decimal] =
    /^([1-9]\d{0,2}(?:([.,'’ \u00a0\u202f])\d{3})(?:\2\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3}|\d+)(?:([.,])0+)?$/.exec(
      text,
    ) ?? [];
  if (digits === undefined || (decimal !== undefined && digits.includes(decimal))) return text;
  return Number(digits.replace(/\D/g, ""));
}

/** A rate has no thousands, so that a comma is a decimal comma. With a percent sign it is a percentage in any file. */
function parseRate(text: string, unit: RecordField["unit"], form: RateForm | undefined): number | string {
  const [, first, digits, exponent = "0", last] =
    ratePattern.exec(text.replaceAll(/[\u00a0\u202f]/g, " ")) ?? [];
  if (digits === undefined) return text;
  const given = first || last ? "percent" : form;
  const shift =
    given === undefined || unit === given ? 0 : unit === "fraction" ? -2 : unit === "percent" ? 2 : 0;
  // Shifted as text: 27.78 / 100 may have another last digit.
  return Number(`${digits.replace(",", ".")}e${Number(exponent) + shift}`);
}

/** The percent sign is first in Turkish and Basque. */
const ratePattern = /^(%?)\s*(-?\d+(?:[.,]\d+)?)(?:e([+-]?\d{1,3}))?\s*(%?)$/i;

/** A rate with the counts that it is a quotient of. */
const ratesOfCounts = [
  ["open_rate", "unique_opens", "recipient_count"],
  ["click_rate", "unique_clicks", "recipient_count"],
  ["click_per_unique_open_rate", "unique_clicks", "unique_opens"],
] as const;

interface RateEvidence {
  form: RateForm;
  text: string;
  field: ImportField;
}

/**
 * Tells by the counts of a row what its rates without a percent sign are: 601 of 1,200 with 0.5008 are fractions. The two forms
 * are a hundredfold apart, so tools may round, and divide by another number of recipients.
 *
 * @returns for the cells of a row: the form, `needed` if its rates do not tell it, undefined if it has none
 */
export function rateEvidenceOf(
  header: readonly string[],
  columns: Mapping["columns"],
): (cells: Cells) => RateEvidence | "needed" | undefined {
  const at = (field: ImportField) => header.indexOf(columns[field] ?? "");
  const mapped = ratesOfCounts.filter((fields) => fields.every((field) => columns[field] !== undefined));
  return (cells) => {
    let isNeeded = false;
    for (const [field, numerator, denominator] of mapped) {
      const text = cells[at(field)]?.trim() ?? "";
      const value = parseRate(text, undefined, "fraction");
      if (typeof value !== "number" || text.includes("%")) continue;
      isNeeded = true;
      const [some, all] = [numerator, denominator].map((name) =>
        Number(parseCount(cells[at(name)]?.trim() ?? "")),
      );
      const ratio = (value * (all as number)) / (some as number);
      if (ratio >= 0.5 && ratio <= 2) return { form: "fraction", text, field };
      if (ratio >= 50 && ratio <= 200) return { form: "percent", text, field };
    }
    return isNeeded ? "needed" : undefined;
  };
}

function otherRateForm({ text, form }: RateEvidence, found: FileForms["rates"]): string {
  const noun = { fraction: "a fraction", percent: "a percentage" };
  const other = found
    ? `${quote(found.text)} in line ${found.line} is ${noun[found.form]}`
    : `other rates are not`;
  return `${quote(text)} is ${noun[form]} by its counts, but ${other}; choose the form of rates, percent or fraction`;
}
