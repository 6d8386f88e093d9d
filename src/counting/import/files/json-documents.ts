// Reads the records of JSON documents as a stream. It only finds where each record starts and ends; JSON.parse reads the
// record, so that numbers and text mean the same as everywhere else.

import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { type FileEntry, largestRecordLength } from "../mapping/file-entry.ts";

/** The name of the list of records in the document; empty if the document itself is the list. */
type ListName = "" | "emails";

/** The most characters of the name of the list and its bracket, with space between them. */
const nameLength = 100;

/**
 * The elements of the list, however the text is cut into chunks. The text can have several documents, as when pages are
 * appended to one file. A record, or a document without its records, that is longer than a valid one can be is the last entry.
 */
export async function* readDocuments(text: AsyncIterable<string>, list: ListName): AsyncGenerator<FileEntry> {
  /** The number of open brackets between the elements of the list. */
  const listDepth = list === "" ? 1 : 2;
  let chunk = "";
  /** The end of the text before the chunk. */
  let before = "";
  /** The position in the chunk from which the text is not kept yet. */
  let from = 0;
  let depth = 0;
  let [inText, isEscaped, inList] = [false, false, false];
  /** The element of the list that is being read, and the document so far without the elements of its list. */
  let [record, frame] = ["", ""];
  let [elementsOfList, records, documents] = [0, 0, 0];
  const entries: FileEntry[] = [];

  const keep = (until: number) => {
    const kept = chunk.slice(from, until);
    if (inList) record += kept;
    else frame += kept;
    from = until;
  };
  const open = (at: number) => {
    depth += 1;
    if (inList || depth !== listDepth) return;
    keep(at + 1);
    // The document before the bracket may be long, and have many of them.
    const name = (before + chunk.slice(Math.max(0, at - nameLength), at + 1)).slice(-nameLength);
    inList = list === "" ? frame.trim() === "[" : /"emails"\s*:\s*\[$/.test(name);
    elementsOfList = 0;
  };
  /** Ends a record at a comma or at the end of the list. An empty list has no record. */
  const endRecord = (at: number) => {
    keep(at);
    from = at + 1;
    const isEmptyList = chunk[at] !== "," && elementsOfList === 0 && record.trim() === "";
    if (!isEmptyList) entries.push(parseRecord(`${list}[${records++}]`, record));
    elementsOfList += 1;
    record = "";
  };
  const endDocument = () => {
    const where = `document ${++documents}`;
    const entry = parseRecord(where, frame.trim());
    frame = "";
    if ("problem" in entry) entries.push(entry);
    else if (list === "" && !Array.isArray(entry.record)) entries.push({ where, problem: "is not an array" });
    else if (list !== "" && !Array.isArray((entry.record as { emails?: unknown } | null)?.emails))
      entries.push({ where, problem: `has no array "${list}"` });
  };
  const close = (at: number) => {
    depth = Math.max(depth - 1, 0);
    if (inList && depth < listDepth) {
      endRecord(at);
      inList = false;
      from = at;
    }
    if (depth > 0) return;
    keep(at + 1);
    endDocument();
  };

  for await (const next of text) {
    before = (before + chunk).slice(-nameLength);
    [chunk, from] = [next, 0];
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at];
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (character === "\\") isEscaped = true;
        else if (character === '"') inText = false;
      } else if (character === '"') inText = true;
      else if (character === "[" || character === "{") open(at);
      else if (character === "]" || character === "}") close(at);
      else if (character === "," && inList && depth === listDepth) endRecord(at);
    }
    keep(chunk.length);
    yield* entries.splice(0);
    if (Math.max(record.length, frame.length) > largestRecordLength) {
      const where = inList ? `${list}[${records}]` : `document ${documents + 1}`;
      return yield { where, problem: `is longer than ${largestRecordLength} characters` };
    }
  }
  if (depth > 0) {
    const where = `after ${pluralize(records, "record")}`;
    return yield { where, problem: "the JSON ends too early; the file is truncated" };
  }
  if (frame.trim() !== "") endDocument();
  yield* entries;
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
