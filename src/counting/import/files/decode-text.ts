// Decodes the file of a user: UTF-8, UTF-16 with its byte order mark, or a table in Windows-1252.

import { isAscii } from "node:buffer";
import { quote } from "../../../campaign/fields/quote.ts";
import { UnreadableFile } from "../mapping/file-entry.ts";

/** What files of other formats start with, in hex. */
const otherFormats = {
  "1f8b": "is compressed with gzip; decompress it first",
  d0cf11e0: "is an Excel file that is old (.xls) or has a password; save it as .xlsx or CSV UTF-8",
  "504b0304": "is an Excel workbook or a ZIP file; save it as CSV UTF-8",
  "25504446": "is a PDF; export a CSV file or an Excel workbook (.xlsx) instead",
  "89504e47": "is an image; export a CSV file or an Excel workbook (.xlsx) instead",
  ffd8ff: "is an image; export a CSV file or an Excel workbook (.xlsx) instead",
};

/** Bytes of the longest character of UTF-8. */
const longestCharacter = 4;
/** What Windows-1252 lacks, runs of letters that are rare in the languages that it has, and how UTF-8 looks in it. */
const notWestern = /[\x80-\x9f]|[^\P{L}a-z]{3}|[ÂÃ][¡-º¼-¿]/iu;
/** A match may start so many characters before the end of a chunk. */
const tailLength = 2;

/**
 * Returns the text in pieces, without a mark at its start. The first character that is not ASCII tells UTF-8 from Windows-1252.
 *
 * @param onNotice called if the bytes could be meant in another encoding too; such bytes are refused without it
 * @throws UnreadableFile with the line of what the encoding does not have
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  onNotice?: (notice: string) => void,
): AsyncGenerator<string, undefined> {
  let [strict, lenient] = decodersOf("utf-8");
  let refused: RegExp | undefined;
  let [line, tail, isJson] = [1, "", undefined as boolean | undefined];
  const take = (chunk?: Uint8Array): string => {
    const stream = chunk !== undefined;
    const text = lenient.decode(chunk, { stream });
    const seen = tail + text;
    let at = refused ? seen.search(refused) : -1;
    try {
      strict.decode(chunk, { stream });
    } catch {
      at = Math.max(0, seen.indexOf("\ufffd"));
    }
    line += seen.slice(0, at < 0 ? -tailLength : at).split("\n").length - 1;
    if (at >= 0) throw new UnreadableFile(`is not UTF-8 text in line ${line}; ${saveAsUtf8}`);
    tail = seen.slice(-tailLength);
    return text;
  };
  for await (const { chunk, other } of untilTold(bytes)) {
    if (isJson === undefined) checkFormat(chunk);
    const encoding =
      other < 0 ? "utf-8" : encodingOf(chunk.subarray(other), isJson === undefined && other === 0);
    isJson ??= /^\s*[[{]/.test(Buffer.from(chunk).toString("latin1"));
    if (encoding !== "utf-8") [strict, lenient] = decodersOf(encoding);
    const isWestern = encoding === "windows-1252";
    if (isWestern) refused = isJson || !onNotice ? otherThanAscii : notWestern;
    const text = take(chunk);
    const [word] = (isWestern && /\p{L}*[\x80-\uffff]\p{L}*/u.exec(text)) || [];
    if (word) onNotice?.(`read as Windows-1252, because it is not UTF-8; check names such as ${quote(word)}`);
    yield text;
  }
  yield take();
  return undefined;
}

const saveAsUtf8 = "save it as UTF-8 (in Excel: CSV UTF-8)";
const otherThanAscii = /[\x80-\uffff]/;

/** @throws UnreadableFile if the file has a format that is no text */
function checkFormat(start: Uint8Array): void {
  const hex = Buffer.from(start.subarray(0, longestCharacter)).toString("hex");
  for (const [signature, problem] of Object.entries(otherFormats))
    if (hex.startsWith(signature)) throw new UnreadableFile(problem);
}

/** The chunks. Only the first one that is not ASCII says where that begins, and has the whole character. */
async function* untilTold(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ chunk: Uint8Array; other: number }> {
  let chunk: Uint8Array = new Uint8Array();
  let isTold = false;
  for await (const next of bytes) {
    chunk = chunk.length === 0 ? next : Buffer.concat([chunk, next]);
    const other: number = isTold ? -1 : firstOther(chunk);
    if (other > chunk.length - longestCharacter) continue;
    isTold ||= other >= 0;
    yield { chunk, other };
    chunk = new Uint8Array();
  }
  if (chunk.length > 0) yield { chunk, other: firstOther(chunk) };
}

const firstOther = (bytes: Uint8Array) => (isAscii(bytes) ? -1 : bytes.findIndex((byte) => byte > 0x7f));

/** @param other the bytes from the first one on that is not ASCII @param isStart whether it is the first of the file */
function encodingOf(other: Uint8Array, isStart: boolean): string {
  const [lead = 0, next] = other;
  if (isStart && lead === 0xff && next === 0xfe) return "utf-16le";
  if (isStart && lead === 0xfe && next === 0xff) return "utf-16be";
  const length = lead >= 0xf0 ? longestCharacter : lead >= 0xe0 ? 3 : 2;
  try {
    // The file may end in the middle of the character.
    new TextDecoder("utf-8", { fatal: true }).decode(other.subarray(0, length), { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** The second one goes on where the first one throws, to find the line. */
const decodersOf = (encoding: string) =>
  [new TextDecoder(encoding, { fatal: true }), new TextDecoder(encoding)] as const;
