// A row of a foreign export as a record of an import: its times, rates and counts in our forms. What cannot be read stays as it
// is, and validation rejects it.

import { dateOrderOf, parseExportedTime } from "../../campaign/calendar/exported-time.ts";
import { parseId } from "../../campaign/parse-id.ts";
import { quote } from "../../campaign/quote.ts";
import { type EmailRecordField, type RecordField, recordFields } from "../../campaign/record-fields.ts";
import type { FoundDateOrder } from "./date-order.ts";
import type { FileEntry } from "./file-entry.ts";
import { generateId } from "./generated-id.ts";
import { hasOwnForm, type Mapping } from "./mapping.ts";
import { parseTagCell } from "./tag-cell.ts";

/** @param delimiter where it is a semicolon, counts may have points between thousands */
export function rowMapper(
  header: readonly string[],
  mapping: Mapping,
  delimiter: string,
): (where: string, cells: readonly (string | null)[], found?: FoundDateOrder) => FileEntry {
  const { columns, timeZone, dateOrder, rates } = mapping;
  const places = Object.entries(columns).map(
    ([field, column]) => [field as EmailRecordField, header.indexOf(column)] as const,
  );
  const isForeign = !hasOwnForm(header);
  return (where, cells, found) => {
    const record: Record<string, unknown> = {};
    for (const [field, at] of places) {
      const cell = cells[at] ?? null;
      const { type, unit }: RecordField = recordFields[field];
      const text = cell?.trim() ?? "";
      if (field === "tags") record[field] = parseTagCell(text);
      else if (type === "string") record[field] = cell;
      else if (text === "" || noValue.test(text)) record[field] = null;
      else if (field === "sent_at") {
        const sentAt = parseExportedTime(text, timeZone, dateOrder ?? found?.order);
        const place = placeOf(where, columns, field);
        if (sentAt === "ambiguous") return { where: place, problem: ambiguous(text), needsDateOrder: true };
        if (sentAt === undefined && found && dateOrderOf(text, timeZone))
          return { where: place, problem: contradiction(text, found) };
        record[field] = sentAt === undefined ? text : (isoOf(sentAt) ?? text);
      } else if (field === "id")
        record[field] = parseId(text) ?? generateId([mapping.preset?.tool ?? null, text]);
      else if (type === "integer") record[field] = parseCount(text, delimiter);
      else record[field] = parseRate(text, unit, rates);
    }
    record.id ??= identify(record);
    return { where, record, columns, isForeign };
  };
}

/** Where a value is, for an error. */
export function placeOf(where: string, columns: Mapping["columns"], field: string): string {
  const column = columns[field as EmailRecordField];
  return column === undefined ? where : `${where}, column ${quote(column)}`;
}

/** What tools write for nothing. */
const noValue = /^(?:n\/?a|null|[-–—])$/i;

const ambiguous = (text: string) =>
  `${quote(text)} may have the month or the day first; choose the order of dates, month-first or day-first`;

const contradiction = (text: string, { order, text: other, line }: FoundDateOrder) => {
  const [here, there] = order === "month-first" ? ["day", "month"] : ["month", "day"];
  return `${quote(text)} has the ${here} first, but ${quote(other)} in line ${line} has the ${there} first`;
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

/** A count may have separators between thousands: a point in a count is no decimal point where cells have decimal commas. */
function parseCount(text: string, delimiter: string): number | string {
  const separators = delimiter === ";" ? "[.'’ \u00a0\u202f]" : "[,'’ \u00a0\u202f]";
  const grouped = new RegExp(`^\\d{1,3}(?:${separators}\\d{3})+$`);
  const plain = grouped.test(text) ? text.replaceAll(new RegExp(separators, "g"), "") : text;
  return /^\d+(?:[.,]0+)?$/.test(plain) ? Number(plain.replace(/[.,]0+$/, "")) : text;
}

/** A rate has no thousands, so that a comma is a decimal comma. With a percent sign it is a percentage in any file. */
function parseRate(text: string, unit: RecordField["unit"], form: Mapping["rates"]): number | string {
  const [, digits, sign] = /^(-?\d+(?:[.,]\d+)?)\s*(%?)$/.exec(text.replaceAll(/[\u00a0\u202f]/g, " ")) ?? [];
  if (digits === undefined) return text;
  const decimal = digits.replace(",", ".");
  const isPercent = sign === "%" || form === "percent";
  // Shifted as text: 27.78 / 100 may have another last digit.
  if (unit === "fraction") return Number(isPercent ? `${decimal}e-2` : decimal);
  return Number(unit === "percent" && !isPercent ? `${decimal}e2` : decimal);
}
