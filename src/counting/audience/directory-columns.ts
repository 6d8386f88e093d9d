// Which columns of a CSV file with a directory are read: people know the names of their attributes, and not ours.

import { Readable } from "node:stream";
import { foldCase } from "../../campaign/fields/fold-case.ts";
import { findSameName } from "../../campaign/fields/names.ts";
import { AppError } from "../../errors.ts";
import { type ListColumns, readCells, recipientColumn } from "./parse-list.ts";

/** Names of the column with the recipients, in any letter case, if the user names no other. */
const recipientColumns = [recipientColumn, "email", "e-mail", "email address"];

interface DirectoryColumns {
  columns: ListColumns;
  /** Columns that are no attribute. */
  others: string[];
}

/**
 * Matches the columns of the header to attributes by their names. Letter case makes no difference.
 *
 * @param recipient the column of the recipients; empty finds it by its name
 */
export async function chooseColumns(
  bytes: Uint8Array,
  recipient: string,
  attributes: readonly { name: string }[],
): Promise<DirectoryColumns> {
  const header = await readHeader(bytes);
  const wanted = recipient === "" ? recipientColumns : [foldCase(recipient)];
  const own = header.find((column) => wanted.includes(foldCase(column))) ?? (recipient || recipientColumn);
  const matched = new Map<string, string>();
  const others: string[] = [];
  for (const column of header) {
    if (column === own) continue;
    const attribute = findSameName(attributes as { name: string }[], column);
    if (attribute) matched.set(column, attribute.name);
    else if (column !== "") others.push(column);
  }
  return { columns: { recipient: own, attributes: matched }, others };
}

/** A header is shorter. */
const maxHeaderBytes = 400_000;

/** Empty if the file has none: reading it names the mistake. */
async function readHeader(bytes: Uint8Array): Promise<string[]> {
  try {
    for await (const { cells } of readCells(Readable.from([bytes.subarray(0, maxHeaderBytes)]))) return cells;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return [];
}
