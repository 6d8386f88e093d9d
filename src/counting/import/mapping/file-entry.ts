// An entry of a campaign file, in any format.

import { largestTextLength } from "../../../campaign/fields/field-schema.ts";
import type { Origin } from "../../../campaign/reported-campaign.ts";
import type { Mapping } from "./mapping.ts";

/** A record, or its problem. `where` is its line or its position in the JSON. */
export type FileEntry =
  | {
      where: string;
      record: unknown;
      /** The columns of its fields, if they have other names. */
      columns?: Mapping["columns"];
      /** Where the record has its id from; missing if it keeps that of a record of ours. */
      origin?: Origin | undefined;
      /** Whether another tool or a person wrote it, so that it must be plausible too. */
      isForeign?: boolean;
    }
  /** `needsDateOrder`: the user has to choose the order of its date. */
  | { where: string; problem: string; needsDateOrder?: boolean };

/** Null is an empty cell. */
export type Cells = (string | null)[];

/** A row of a table with its line in the file. */
export type SheetRow = { line: number; cells: Cells } | { line: number; problem: string };

/** The longest record in characters. A record whose fields are within their limits is never longer. */
export const largestRecordLength = 32 * largestTextLength;

export const maxColumns = 1_000;

/** Spreadsheets write some after the last row. */
const maxEmptyRows = 100_000;

/** Counts the empty rows of a file. @throws UnreadableFile beyond their maximum */
export function checkEmptyRows(count: number): void {
  if (count > maxEmptyRows) throw new UnreadableFile(`has more than ${maxEmptyRows} empty rows; delete them`);
}

/** Whether a file that starts like this one is compressed with gzip. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** A file that cannot be read at all. Its message says why, after "file: ". */
export class UnreadableFile extends Error {}
