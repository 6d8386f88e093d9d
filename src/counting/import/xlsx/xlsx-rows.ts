// Reads the first sheet of an Excel workbook (XLSX, ECMA-376) row by row, as the text that a CSV file would have. The package
// yauzl unpacks, saxes parses; neither keeps a sheet in memory.

import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import { type SheetRow, UnreadableFile } from "../mapping/file-entry.ts";
import { readSheet } from "./sheet-rows.ts";
import { maxUnpacked, megabyte, saveAsCsv, unreadable, Workbook } from "./workbook.ts";

/** A workbook is read from its end, so that it is in memory as it is: compressed. */
const maxBytes = 32 * megabyte;

/**
 * @param onNotice called if the workbook has more sheets
 * @throws UnreadableFile if it is no workbook, or one that is too large
 */
export async function* readXlsxRows(
  bytes: AsyncIterable<Uint8Array>,
  onNotice: (notice: string) => void = () => undefined,
): AsyncGenerator<SheetRow> {
  const book = await Workbook.open(await collect(bytes));
  try {
    const { texts, forms, sheet, sheetNames } = await book.read();
    const [first, ...others] = sheetNames;
    if (others.length > 0)
      onNotice(`only the sheet ${quote(first)} is imported; ${pluralize(others.length, "sheet")} more`);
    yield* readSheet(book.unpack(sheet, maxUnpacked.sheet), texts, forms);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : unreadable((error as Error).message);
  } finally {
    book.close();
  }
}

export function isXlsx(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x4b && start[2] === 3 && start[3] === 4;
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  // The system gives it memory when it is written.
  const all = Buffer.allocUnsafeSlow(maxBytes);
  let length = 0;
  for await (const chunk of bytes) {
    const end = length + chunk.length;
    if (end > maxBytes) throw new UnreadableFile(`is larger than ${maxBytes / megabyte} MB; ${saveAsCsv}`);
    all.set(chunk, length);
    length = end;
  }
  return all.subarray(0, length);
}
