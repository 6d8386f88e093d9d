// Options of `import` for files whose columns have other names.

import { InvalidArgumentError, Option } from "commander";
import { dateOrders } from "../../campaign/calendar/exported-time.ts";
import { quote } from "../../campaign/fields/quote.ts";
import type { ImportField } from "../../campaign/reported-campaign.ts";
import { importFieldNames } from "../../campaign/reported-campaign.ts";
import { rateForms } from "../../counting/import/mapping/presets.ts";

export const mapOption = new Option(
  "--map <FIELD=COLUMN,...>",
  "the column of each field in CSV files, such as 'subject=Title,sent_at=Send Date'; FIELD= alone leaves a field out. Exports of known tools need no mapping",
).argParser(parseMap);

export const dateOrderOption = new Option(
  "--date-order <ORDER>",
  "whether 3/4/2024 in mapped columns is March 4 or April 3",
).choices(dateOrders);

export const ratesOption = new Option(
  "--rates <FORM>",
  "whether rates without a percent sign in mapped columns are 27.5 (percent) or 0.275 (fraction)",
).choices(rateForms);

/** Columns may have commas in their names: only one before a field and `=` separates. */
const separator = new RegExp(`,(?=\\s*(?:${importFieldNames.join("|")})\\s*=)`);

function parseMap(
  text: string,
  previous: ReadonlyMap<ImportField, string> = new Map(),
): ReadonlyMap<ImportField, string> {
  const map = new Map(previous);
  for (const pair of text.split(separator)) {
    const [, field = "", column = ""] = /^\s*([^=]*?)\s*=(.*)$/s.exec(pair) ?? [];
    if (!importFieldNames.includes(field as ImportField)) {
      throw new InvalidArgumentError(
        `${quote(pair)} is not FIELD=COLUMN; the fields are ${importFieldNames.join(", ")}.`,
      );
    }
    map.set(field as ImportField, column.trim());
  }
  return map;
}
