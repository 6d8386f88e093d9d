// Reads the records of JSON documents as a stream. Here it is only found where each record begins and ends; what it
// says is left to JSON.parse, so that numbers and texts are exactly what they are everywhere else.

import { type FileEntry, largestRecordLength } from "./file-entry.ts";

/** The document itself is the list of records, or has it under a name. */
export type ListName = "" | "emails";

/**
 * The members of a list, wherever the pieces are cut. Several documents may follow each other, as when pages are
 * appended to one file.
 */
export async function* readDocuments(text: AsyncIterable<string>, list: ListName): AsyncGenerator<FileEntry> {
  const documents = new Documents(list);
  for await (const piece of text) {
    yield* documents.take(piece);
    const fault = documents.tooLong();
    if (fault) {
      yield fault;
      return;
    }
  }
  yield* documents.end();
}

class Documents {
  readonly #list: ListName;
  /** How many brackets are open among the members of the list. */
  readonly #listDepth: number;
  #piece = "";
  /** Where in the piece the text begins that was not kept yet. */
  #from = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #inList = false;
  /** The member of the list that is being read. */
  #record = "";
  /** The document so far, without the members of its list. */
  #frame = "";
  #membersOfList = 0;
  #records = 0;
  #documents = 0;
  #found: FileEntry[] = [];

  constructor(list: ListName) {
    this.#list = list;
    this.#listDepth = list === "" ? 1 : 2;
  }

  /** The entries that end in the next piece of the text. */
  take(piece: string): FileEntry[] {
    this.#piece = piece;
    this.#from = 0;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at];
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === "\\") this.#isEscaped = true;
        else if (character === '"') this.#inText = false;
      } else if (character === '"') this.#inText = true;
      else if (character === "[" || character === "{") this.#open(at);
      else if (character === "]" || character === "}") this.#close(at);
      else if (character === "," && this.#inList && this.#depth === this.#listDepth) this.#endRecord(at);
    }
    this.#keep(piece.length);
    return this.#found.splice(0);
  }

  /** A fault when a record, or the rest of a document, is larger than any can be. */
  tooLong(): FileEntry | undefined {
    if (Math.max(this.#record.length, this.#frame.length) <= largestRecordLength) return undefined;
    const where = this.#inList ? `${this.#list}[${this.#records}]` : `document ${this.#documents + 1}`;
    return { where, problem: `is longer than ${largestRecordLength} characters` };
  }

  /** What is wrong when the text ends here. */
  end(): FileEntry[] {
    if (this.#depth > 0) {
      const where = `after ${this.#records} ${this.#records === 1 ? "record" : "records"}`;
      return [{ where, problem: "the JSON ends in the middle; the file was cut" }];
    }
    if (this.#frame.trim() !== "") this.#endDocument();
    return this.#found.splice(0);
  }

  #keep(until: number): void {
    const text = this.#piece.slice(this.#from, until);
    if (this.#inList) this.#record += text;
    else this.#frame += text;
    this.#from = until;
  }

  #open(at: number): void {
    this.#depth += 1;
    if (this.#inList || this.#depth !== this.#listDepth) return;
    this.#keep(at + 1);
    this.#inList = (this.#list === "" ? /^\s*\[$/ : /"emails"\s*:\s*\[$/).test(this.#frame);
    this.#membersOfList = 0;
  }

  #close(at: number): void {
    this.#depth = Math.max(this.#depth - 1, 0);
    if (this.#inList && this.#depth < this.#listDepth) {
      this.#endRecord(at);
      this.#inList = false;
      this.#from = at;
    }
    if (this.#depth > 0) return;
    this.#keep(at + 1);
    this.#endDocument();
  }

  /** At a comma or at the end of the list. An empty list has no member, not an empty one. */
  #endRecord(at: number): void {
    this.#keep(at);
    this.#from = at + 1;
    const isEmptyList = this.#piece[at] !== "," && this.#membersOfList === 0 && this.#record.trim() === "";
    if (!isEmptyList) this.#found.push(parse(`${this.#list}[${this.#records++}]`, this.#record));
    this.#membersOfList += 1;
    this.#record = "";
  }

  #endDocument(): void {
    const where = `document ${++this.#documents}`;
    const entry = parse(where, this.#frame.trim());
    this.#frame = "";
    if ("problem" in entry) this.#found.push(entry);
    else if (this.#list === "" && !Array.isArray(entry.record)) {
      this.#found.push({ where, problem: "is no list" });
    } else if (this.#list !== "" && !Array.isArray((entry.record as { emails?: unknown } | null)?.emails)) {
      this.#found.push({ where, problem: `has no list named "${this.#list}"` });
    }
  }
}

function parse(where: string, text: string): FileEntry {
  try {
    return { where, record: JSON.parse(text) };
  } catch (error) {
    return { where, problem: `is not valid JSON: ${(error as Error).message}` };
  }
}
