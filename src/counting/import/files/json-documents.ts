// Reads the records of JSON documents as a stream. It only finds where each record starts and ends; JSON.parse reads the
// record, so that numbers and text mean the same as everywhere else.

import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { type FileEntry, largestRecordLength } from "../mapping/file-entry.ts";

/** The name of the list of records in the document; empty if the document itself is the list. */
type ListName = "" | "emails";

/**
 * The elements of the list, however the text is cut into chunks. The text can have several documents, as when pages are
 * appended to one file.
 */
export async function* readDocuments(text: AsyncIterable<string>, list: ListName): AsyncGenerator<FileEntry> {
  const documents = new Documents(list);
  for await (const chunk of text) {
    yield* documents.take(chunk);
    const problem = documents.tooLong();
    if (problem) {
      yield problem;
      return;
    }
  }
  yield* documents.end();
}

/** The most characters of the name of the list and its bracket, with space between them. */
const nameLength = 100;

class Documents {
  readonly #list: ListName;
  /** The number of open brackets between the elements of the list. */
  readonly #listDepth: number;
  #chunk = "";
  /** The end of the text before the chunk. */
  #before = "";
  /** The position in the chunk from which the text is not kept yet. */
  #from = 0;
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #inList = false;
  /** The element of the list that is being read. */
  #record = "";
  /** The document so far, without the elements of its list. */
  #frame = "";
  #elementsOfList = 0;
  #records = 0;
  #documents = 0;
  #found: FileEntry[] = [];

  constructor(list: ListName) {
    this.#list = list;
    this.#listDepth = list === "" ? 1 : 2;
  }

  /** The entries that end in the next chunk. */
  take(chunk: string): FileEntry[] {
    this.#before = (this.#before + this.#chunk).slice(-nameLength);
    this.#chunk = chunk;
    this.#from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at];
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (character === "\\") this.#isEscaped = true;
        else if (character === '"') this.#inText = false;
      } else if (character === '"') this.#inText = true;
      else if (character === "[" || character === "{") this.#open(at);
      else if (character === "]" || character === "}") this.#close(at);
      else if (character === "," && this.#inList && this.#depth === this.#listDepth) this.#endRecord(at);
    }
    this.#keep(chunk.length);
    return this.#found.splice(0);
  }

  /** A problem if a record, or a document without its records, is longer than a valid one can be. */
  tooLong(): FileEntry | undefined {
    if (Math.max(this.#record.length, this.#frame.length) <= largestRecordLength) return undefined;
    const where = this.#inList ? `${this.#list}[${this.#records}]` : `document ${this.#documents + 1}`;
    return { where, problem: `is longer than ${largestRecordLength} characters` };
  }

  /** The last entries, or a problem if the text ends inside a document. */
  end(): FileEntry[] {
    if (this.#depth > 0) {
      const where = `after ${pluralize(this.#records, "record")}`;
      return [{ where, problem: "the JSON ends too early; the file is truncated" }];
    }
    if (this.#frame.trim() !== "") this.#endDocument();
    return this.#found.splice(0);
  }

  #keep(until: number): void {
    const text = this.#chunk.slice(this.#from, until);
    if (this.#inList) this.#record += text;
    else this.#frame += text;
    this.#from = until;
  }

  #open(at: number): void {
    this.#depth += 1;
    if (this.#inList || this.#depth !== this.#listDepth) return;
    this.#keep(at + 1);
    // The document before the bracket may be long, and have many of them.
    const name = (this.#before + this.#chunk.slice(Math.max(0, at - nameLength), at + 1)).slice(-nameLength);
    this.#inList = this.#list === "" ? this.#frame.trim() === "[" : /"emails"\s*:\s*\[$/.test(name);
    this.#elementsOfList = 0;
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

  /** Ends a record at a comma or at the end of the list. An empty list has no record. */
  #endRecord(at: number): void {
    this.#keep(at);
    this.#from = at + 1;
    const isEmptyList = this.#chunk[at] !== "," && this.#elementsOfList === 0 && this.#record.trim() === "";
    if (!isEmptyList) this.#found.push(parseRecord(`${this.#list}[${this.#records++}]`, this.#record));
    this.#elementsOfList += 1;
    this.#record = "";
  }

  #endDocument(): void {
    const where = `document ${++this.#documents}`;
    const entry = parseRecord(where, this.#frame.trim());
    this.#frame = "";
    if ("problem" in entry) this.#found.push(entry);
    else if (this.#list === "" && !Array.isArray(entry.record)) {
      this.#found.push({ where, problem: "is not an array" });
    } else if (this.#list !== "" && !Array.isArray((entry.record as { emails?: unknown } | null)?.emails)) {
      this.#found.push({ where, problem: `has no array "${this.#list}"` });
    }
  }
}

/** The record that a text is, or its problem. */
export function parseRecord(where: string, text: string): FileEntry {
  const problem = shapeProblem(text);
  if (problem !== undefined) return { where, problem };
  try {
    return { where, record: JSON.parse(text) };
  } catch (error) {
    return { where, problem: `is not valid JSON: ${(error as Error).message}` };
  }
}

const maxDepth = 32;
/** The most values in all lists and objects together. A page of 100 campaigns has some thousands. */
const maxValues = 100_000;

/** Looked for before the text is parsed: `[[],[],…` takes far more memory then. */
function shapeProblem(text: string): string | undefined {
  let [depth, values, isInText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInText = !isInText;
    else if (isInText) at += Number(character === "\\");
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === ",") values += 1;
    if (depth > maxDepth) return `is nested more than ${maxDepth} deep`;
  }
  return values > maxValues ? `has more than ${maxValues} values` : undefined;
}
