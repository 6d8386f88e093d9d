// The parts of an Excel workbook: its sheets, texts and formats. They are unpacked as streams.

import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { UnreadableFile } from "../mapping/file-entry.ts";
import { type CellForms, formOfCode, formsOfBuiltIns } from "./cell-text.ts";
import { parseXml } from "./xml.ts";

export class Workbook {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(buffer: Buffer): Promise<Workbook> {
    try {
      const zip = await fromBufferPromise(buffer, { lazyEntries: true });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.length <= maxNameLength) entries.set(entry.fileName, entry);
        if (zip.entriesRead > maxParts) throw new Error("too many parts");
      }
      return new Workbook(zip, entries);
    } catch (error) {
      throw unreadable((error as Error).message);
    }
  }

  close(): void {
    this.#zip.close();
  }

  async read(): Promise<{ texts: string[]; forms: CellForms; sheet: string; sheetNames: string[] }> {
    const { sheetId, sheetNames, is1904 } = await this.#readBook();
    let sheet = "";
    await this.#parse("xl/_rels/workbook.xml.rels", (name, { Id, Target = "" }) => {
      if (name === "Relationship" && Id === sheetId) sheet = partAt(Target);
    });
    if (!this.#entries.has(sheet)) throw unreadable("no sheet");
    return { texts: await this.#readTexts(), forms: await this.#readForms(is1904), sheet, sheetNames };
  }

  /** The id of the first visible sheet, and the names of all visible ones. */
  async #readBook(): Promise<{ sheetId: string | undefined; sheetNames: string[]; is1904: boolean }> {
    let sheetId: string | undefined;
    const sheetNames: string[] = [];
    let is1904 = false;
    await this.#parse("xl/workbook.xml", (name, { date1904, state, ...attributes }) => {
      if (name === "workbookPr") is1904 = date1904 === "1" || date1904 === "true";
      // The prefix of the namespace of relationships is free.
      const id = Object.keys(attributes).find((each) => each.endsWith(":id")) ?? "";
      if (name !== "sheet" || (state ?? "visible") !== "visible") return;
      sheetId ??= attributes[id];
      sheetNames.push(attributes.name ?? "");
    });
    return { sheetId, sheetNames, is1904 };
  }

  /** The texts that cells refer to by number. Runs of a text with formats are joined; phonetic ones are left out. */
  async #readTexts(): Promise<string[]> {
    const texts: string[] = [];
    if (!this.#entries.has("xl/sharedStrings.xml")) return texts;
    let [isPhonetic, current, length] = [false, "", 0];
    await this.#parse(
      "xl/sharedStrings.xml",
      (name) => {
        if (name === "si") current = "";
        if (name === "rPh") isPhonetic = true;
      },
      (text, inside) => {
        if (inside === "t" && !isPhonetic) current += text;
      },
      (name) => {
        if (name === "rPh") isPhonetic = false;
        if (name !== "si") return;
        length += current.length;
        if (texts.length === maxTexts.count || length > maxTexts.length) {
          const limits = `${maxTexts.count} texts or ${maxTexts.length} characters of text`;
          throw new UnreadableFile(`has more than ${limits}; ${saveAsCsv}`);
        }
        // A copy: a part of a chunk that is longer than 12 characters keeps the whole chunk in memory.
        texts.push(current.length > 12 ? Buffer.from(current).toString() : current);
      },
    );
    return texts;
  }

  /** Whether the numbers with a style are dates or percentages. */
  async #readForms(is1904: boolean): Promise<CellForms> {
    const byNumber = new Map(formsOfBuiltIns);
    const forms: CellForms = { byStyle: [], is1904 };
    if (!this.#entries.has("xl/styles.xml")) return forms;
    let isOfCells = false;
    await this.#parse(
      "xl/styles.xml",
      (name, { numFmtId = "", formatCode = "" }) => {
        if (name === "numFmt") byNumber.set(Number(numFmtId), formOfCode(formatCode.slice(0, maxNameLength)));
        if (name === "cellXfs") isOfCells = true;
        if (name === "xf" && isOfCells) forms.byStyle.push(byNumber.get(Number(numFmtId)));
      },
      undefined,
      (name) => {
        if (name === "cellXfs") isOfCells = false;
      },
    );
    return forms;
  }

  async #parse(
    name: string,
    onOpen: (name: string, attributes: Partial<Record<string, string>>) => void,
    onText?: (text: string, inside: string) => void,
    onClose?: (name: string) => void,
  ): Promise<void> {
    let inside = "";
    const max = name === "xl/sharedStrings.xml" ? maxUnpacked.texts : maxUnpacked.other;
    const parsing = parseXml(this.unpack(name, max), {
      open(opened, attributes) {
        inside = opened;
        onOpen(opened, attributes);
      },
      text: (text) => onText?.(text, inside),
      close(closed) {
        inside = "";
        onClose?.(closed);
      },
    });
    for await (const _ of parsing);
  }

  /** The text of a part. yauzl ends it with an error if it is longer than it says. */
  async *unpack(name: string, max: number): AsyncGenerator<string> {
    const entry = this.#entries.get(name);
    if (!entry) throw unreadable(`no ${name}`);
    if (entry.uncompressedSize > max) {
      const size = Math.round(entry.uncompressedSize / megabyte);
      throw new UnreadableFile(`would have ${size} MB when it is unpacked; ${saveAsCsv}`);
    }
    if (entry.uncompressedSize > Math.max(entry.compressedSize * maxRatio, maxUnpacked.other)) {
      throw new UnreadableFile(`unpacks to more than ${maxRatio} times its size; ${saveAsCsv}`);
    }
    const stream = await this.#zip.openReadStreamPromise(entry);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for await (const chunk of stream) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  }
}

/** The name of the part that a relationship of the workbook names: `worksheets/sheet1.xml`, `./…`, `/xl/…`. */
function partAt(target: string): string {
  const url = URL.parse(target.replace(/^xl\//, ""), "file:///xl/");
  return decodeURIComponent(url?.pathname.slice(1) ?? "");
}

export const megabyte = 1024 * 1024;
/** The most bytes of an unpacked part. Texts are in memory, the sheet is not. */
export const maxUnpacked = { texts: 64 * megabyte, sheet: 512 * megabyte, other: 8 * megabyte };
/** Sheets of Excel unpack to some ten or twenty times their size, repeated characters to a thousand times. */
const maxRatio = 200;
/** Texts that cells share. */
const maxTexts = { count: 1_000_000, length: 16 * megabyte };
const maxParts = 1_000;
/** The most characters of the name of a part, or of a format of numbers; Excel has no longer ones. */
const maxNameLength = 255;
export const saveAsCsv = "save the sheet as CSV UTF-8";

export const unreadable = (why: string) =>
  new UnreadableFile(`is not an Excel workbook that can be read (${why.split("\n")[0]}); ${saveAsCsv}`);
