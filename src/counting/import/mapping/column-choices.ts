// The choices of the mapping form in the URL: `c0=subject&c3=sent_at&date_order=day-first`. So a preview is a page that can be
// loaded again.

import { createHash } from "node:crypto";
import { dateOrders } from "../../../campaign/calendar/exported-time.ts";
import type { ImportField } from "../../../campaign/reported-campaign.ts";
import { importFieldNames } from "../../../campaign/reported-campaign.ts";
import { chooseMapping, guessColumns, hasOwnForm, type MappingChoice } from "./mapping.ts";
import { rateForms } from "./presets.ts";

export interface ColumnChoices {
  choice: MappingChoice;
  /** The tool whose export it is, if the user has chosen no columns. */
  tool: string | undefined;
  /** The field of each column; undefined for none. */
  fields: (ImportField | undefined)[];
  /** A field that two columns have. */
  repeated: ImportField | undefined;
  /** The same as a query string. */
  query: string;
  /** The key of the header among saved mappings; undefined for files without columns. */
  key: string | undefined;
  /** Whether they are those of the last import of this header. */
  isSaved: boolean;
}

/**
 * @param header undefined for files without columns, which need no mapping
 * @param saved the choices of earlier imports by header, which count unless the query chooses columns
 */
export function readColumnChoices(
  given: URLSearchParams,
  header: readonly string[] | undefined,
  { timeZone, saved }: { timeZone: string; saved: ReadonlyMap<string, string> },
): ColumnChoices {
  const key = header && createHash("sha256").update(JSON.stringify(header)).digest("hex");
  const before = given.has("mapped") || key === undefined ? undefined : saved.get(key);
  const query = new URLSearchParams(before);
  for (const [name, value] of given) if (choiceName.test(name) && value !== "") query.set(name, value);
  return {
    ...readChoices(query, header, timeZone),
    query: String(query),
    key,
    isSaved: before !== undefined,
  };
}

const choiceName = /^(?:mapped|c\d{1,4}|date_order|rates)$/;

function readChoices(query: URLSearchParams, header: readonly string[] | undefined, timeZone: string) {
  const dateOrder = dateOrders.find((each) => each === query.get("date_order"));
  const rates = rateForms.find((each) => each === query.get("rates"));
  const given = { timeZone, dateOrder, rates };
  if (!header) return { choice: given, tool: undefined, fields: [], repeated: undefined };
  if (query.has("mapped")) return { ...fromQuery(query, header, given), tool: undefined };
  const isOwn = hasOwnForm(header);
  const recognized = isOwn ? undefined : chooseMapping(header, given)?.mapping;
  const columns = recognized ? undefined : guessColumns(header);
  const fieldOf = (column: string) =>
    importFieldNames.find((field) => (recognized?.columns[field] ?? columns?.get(field)) === column);
  return {
    choice: { ...given, ...(!isOwn && columns && { columns }) },
    tool: recognized?.preset?.tool,
    fields: header.map(fieldOf),
    repeated: undefined,
  };
}

function fromQuery(query: URLSearchParams, header: readonly string[], given: MappingChoice) {
  const fields = header.map((_, index) => importFieldNames.find((field) => field === query.get(`c${index}`)));
  const chosen = fields.filter((field) => field !== undefined);
  const repeated = chosen.find((field, index) => chosen.indexOf(field) < index);
  const known = hasOwnForm(header) ? undefined : chooseMapping(header, given)?.mapping.columns;
  // The form has one field a column, but that of delivered messages is two fields of some exports.
  const sharedOf = (field: ImportField) => {
    const column = known?.[field] ?? "";
    const other = fields[header.indexOf(column)];
    return other && known?.[other] === column ? column : "";
  };
  const columns = new Map(
    importFieldNames.map((field) => [field, header[fields.indexOf(field)] ?? sharedOf(field)] as const),
  );
  return { choice: { ...given, columns }, fields, repeated };
}
