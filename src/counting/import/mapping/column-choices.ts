// The choices of the mapping form in the URL: `c0=subject&c3=sent_at&date_order=day-first`. So a preview is a page that can be
// loaded again.

import { dateOrders } from "../../../campaign/calendar/exported-time.ts";
import { emailRecordFieldNames } from "../../../campaign/email-record-schema.ts";
import type { EmailRecordField } from "../../../campaign/record-fields.ts";
import { chooseMapping, guessColumns, hasOwnForm, type MappingChoice } from "./mapping.ts";
import { rateForms } from "./presets.ts";

export interface ColumnChoices {
  choice: MappingChoice;
  /** The tool whose export it is, if the user has chosen no columns. */
  tool: string | undefined;
  /** The field of each column; undefined for none. */
  fields: (EmailRecordField | undefined)[];
  /** A field that two columns have. */
  repeated: EmailRecordField | undefined;
}

/** @param header undefined for files without columns, which need no mapping */
export function readColumnChoices(
  query: URLSearchParams,
  header: readonly string[] | undefined,
  timeZone: string,
): ColumnChoices {
  const dateOrder = dateOrders.find((each) => each === query.get("date_order"));
  const rates = rateForms.find((each) => each === query.get("rates"));
  const given = { timeZone, dateOrder, rates };
  if (!header) return { choice: given, tool: undefined, fields: [], repeated: undefined };
  if (query.has("mapped")) return { ...fromQuery(query, header, given), tool: undefined };
  const isOwn = hasOwnForm(header);
  const recognized = isOwn ? undefined : chooseMapping(header, given)?.mapping;
  const columns = recognized ? undefined : guessColumns(header);
  const fieldOf = (column: string) =>
    emailRecordFieldNames.find((field) => (recognized?.columns[field] ?? columns?.get(field)) === column);
  return {
    choice: { ...given, ...(!isOwn && columns && { columns }) },
    tool: recognized?.preset?.tool,
    fields: header.map(fieldOf),
    repeated: undefined,
  };
}

function fromQuery(query: URLSearchParams, header: readonly string[], given: MappingChoice) {
  const fields = header.map((_, index) =>
    emailRecordFieldNames.find((field) => field === query.get(`c${index}`)),
  );
  const chosen = fields.filter((field) => field !== undefined);
  const repeated = chosen.find((field, index) => chosen.indexOf(field) < index);
  const columns = new Map(
    emailRecordFieldNames.map((field) => [field, header[fields.indexOf(field)] ?? ""] as const),
  );
  return { choice: { ...given, columns }, fields, repeated };
}
