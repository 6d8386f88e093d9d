// The text of a cell of an Excel sheet: dates and percentages as people see them, which are numbers in the file.

import { dayMs, secondMs } from "../../../campaign/calendar/durations.ts";

/** Null for an empty cell. */
export function cellText(
  { type, style, value }: { type: string; style: number; value: string },
  texts: readonly string[],
  { byStyle, is1904 }: CellForms,
): string | null {
  if (type === "s") return unescapeText(texts[Number(value)] ?? null);
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (value === "") return null;
  if (type !== "n") return unescapeText(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const form = byStyle[style];
  if (form === "date") return dateText(number, is1904);
  // Multiplied by 100, a fraction may have another last digit.
  return form === "percent" ? `${Number((number * 100).toPrecision(13))}%` : String(number);
}

/** Characters that XML does not have, such as a carriage return, are `_x000D_` (ECMA-376, part 1, 22.9.2.19). */
function unescapeText(text: string | null): string | null {
  return (
    text?.replaceAll(/_x([\da-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) ?? null
  );
}

type NumberForm = "date" | "percent";

export interface CellForms {
  /** The form of each style, by its number; undefined for plain numbers. */
  byStyle: (NumberForm | undefined)[];
  /** Whether dates count from 1904, as on old Macs. */
  is1904: boolean;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The built-in formats of numbers (ECMA-376, part 1, 18.8.30). */
export const formsOfBuiltIns: readonly [number, NumberForm | undefined][] = [
  ...[9, 10].map((number) => [number, "percent"] as [number, NumberForm]),
  ...[...range(14, 22), ...range(27, 36), ...range(45, 47), ...range(50, 58)].map(
    (number) => [number, "date"] as [number, NumberForm],
  ),
];

/** What a format such as `yyyy-mm-dd` or `0.0%` shows. Quoted, escaped and padding characters and colors are no part of it. */
export function formOfCode(code: string): NumberForm | undefined {
  const plain = code.replaceAll(/"[^"]*"|[\\_*].|\[[^\]]*\]/g, "");
  if (plain.includes("%")) return "percent";
  return /[ymdhs]/i.test(plain) ? "date" : undefined;
}

/** Days between the start of Excel's calendar and 1970. */
const daysTo1970 = { since1900: 25_569, since1904: 24_107 };

/** A wall time, `2024-01-31 09:00:00`, or a date if it has no time. */
function dateText(serial: number, is1904: boolean): string {
  const days = serial - (is1904 ? daysTo1970.since1904 : daysTo1970.since1900);
  const at = new Date(Math.round((days * dayMs) / secondMs) * secondMs);
  if (Number.isNaN(at.getTime())) return String(serial);
  const iso = at.toISOString();
  return at.getTime() % dayMs === 0 ? iso.slice(0, -14) : iso.slice(0, -5).replace("T", " ");
}
