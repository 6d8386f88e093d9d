// Says how a file with foreign columns was read.

import { truncate } from "../../../campaign/fields/quote.ts";
import type { Mapping } from "./mapping.ts";

const maxIgnored = 50;

/** `read as an export of Mailchimp; columns without a field: Soft Bounces, Hard Bounces`. */
export function describeMapping(
  { preset, columns, titles, timeOfDay }: Mapping,
  header: readonly string[],
): string {
  const used = new Set([...Object.values(columns), ...titles, timeOfDay]);
  const ignored = header.filter((column) => column !== "" && !used.has(column)).map(truncate);
  const what = preset ? `read as an export of ${preset.tool}` : "read with mapped columns";
  if (ignored.length === 0) return what;
  const more = ignored.length > maxIgnored ? ", …" : "";
  return `${what}; columns without a field: ${ignored.slice(0, maxIgnored).join(", ")}${more}`;
}
