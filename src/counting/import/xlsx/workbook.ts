// The parts of an Excel workbook: its sheets, texts and formats. They are unpacked as streams.

import type { Readable } from "node:stream";
import { SaxesParser } from "saxes";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { UnreadableFile } from "../file-entry.ts";
import { type CellForms, formOfCode, formsOfBuiltIns } from "./cell-text.ts";

export class Workbook {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(buffer: Buffer): Promise<Workbook> {
    const zip = await new Promise<ZipFile>((resolve, reject) =>
      fromBuffer(buffer, { lazyEntries: true }, (error, opened) =>
        opened ? resolve(opened) : reject(unreadable(error?.message ?? "no ZIP file")),
      ),
    );
    const entries = new Map<string, Entry>();
    await new Promise<void>((resolve, reject) => {
      zip.on("entry", (entry: Entry) => {
        entries.set(entry.fileName, entry);
        if (entries.size > maxParts) reject(unreadable("too many parts"));
        else zip.readEntry();
      });
      zip.once("end", resolve);
      zip.once("error", (error: Error) => reject(unreadable(error.message)));
      zip.readEntry();
    });
    return new Workbook(zip, entries);
  }

  close(): void {
    this.#zip.close();
  }

  async read(): Promise<{ texts: string[]; forms: CellForms; sheet: string }> {
    const { sheetId, is1904 } = await this.#readBook();
    let sheet = "";
    await this.#parse("xl/_rels/workbook.xml.rels", (name, { Id, Target = "" }) => {
      if (name === "Relationship" && Id === sheetId) sheet = Target.replace(/^\/?(?:xl\/)?/, "xl/");
    });
    if (!this.#entries.has(sheet)) throw unreadable("no sheet");
    return { texts: await this.#readTexts(), forms: await this.#readForms(is1904), sheet };
  }

  async #readBook(): Promise<{ sheetId: string | undefined; is1904: boolean }> {
    let sheetId: string | undefined;
    let is1904 = false;
    await this.#parse("xl/workbook.xml", (name, { "r:id": id, date1904, state }) => {
      if (name === "workbookPr") is1904 = date1904 === "1" || date1904 === "true";
      if (name === "sheet" && (state ?? "visible") === "visible") sheetId ??= id;
    });
    return { sheetId, is1904 };
  }

  /** The texts that cells refer to by number. Runs of a text with formats are joined; phonetic ones are left out. */
  async #readTexts(): Promise<string[]> {
    const texts: string[] = [];
    if (!this.#entries.has("xl/sharedStrings.xml")) return texts;
    let isPhonetic = false;
    await this.#parse(
      "xl/sharedStrings.xml",
      (name) => {
        if (name === "si") texts.push("");
        if (name === "rPh") isPhonetic = true;
      },
      (text, inside) => {
        if (inside === "t" && !isPhonetic) texts[texts.length - 1] += text;
      },
      (name) => {
        if (name === "rPh") isPhonetic = false;
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
        if (name === "numFmt") byNumber.set(Number(numFmtId), formOfCode(formatCode));
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
    const parser = new SaxesParser();
    let inside = "";
    parser.on("opentag", (tag) => {
      inside = localName(tag.name);
      onOpen(inside, tag.attributes as Record<string, string>);
    });
    parser.on("text", (text) => onText?.(text, inside));
    parser.on("closetag", (tag) => {
      inside = "";
      onClose?.(localName(tag.name));
    });
    for await (const chunk of this.unpack(name, maxUnpacked.texts)) parser.write(chunk);
    parser.close();
  }

  /** The text of a part. yauzl ends it with an error if it is longer than it says. */
  async *unpack(name: string, max: number): AsyncGenerator<string> {
    const entry = this.#entries.get(name);
    if (!entry) throw unreadable(`no ${name}`);
    if (entry.uncompressedSize > max) {
      const size = Math.round(entry.uncompressedSize / megabyte);
      throw new UnreadableFile(`would have ${size} MB when it is unpacked; ${saveAsCsv}`);
    }
    const stream = await new Promise<Readable>((resolve, reject) =>
      this.#zip.openReadStream(entry, (error, opened) => (opened ? resolve(opened) : reject(error))),
    );
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for await (const chunk of stream) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  }
}

export const megabyte = 1024 * 1024;
/** Of parts. Texts are in memory, the sheet is not. */
export const maxUnpacked = { texts: 64 * megabyte, sheet: 512 * megabyte };
const maxParts = 1_000;
export const saveAsCsv = "save the sheet as CSV UTF-8";

export const unreadable = (why: string) =>
  new UnreadableFile(`is not an Excel workbook that can be read (${why.split("\n")[0]}); ${saveAsCsv}`);

/** Without the prefix of its namespace. */
export const localName = (name: string) => name.slice(name.indexOf(":") + 1);
