// The folded subjects of a chunk, as one text: searching it is much faster than searching each of them.

import { binarySearch } from "./binary-search.ts";
import { bytesPerArray } from "./number-column.ts";

export interface SubjectColumn {
  /** Separated by {@link separator}. */
  text: string;
  /** Where each subject starts, and the end of the last. */
  starts: Uint32Array;
}

/** In no subject: PostgreSQL rejects it, so the API does too. */
const separator = "\0";

export function encodeSubjects(subjects: readonly string[]): SubjectColumn {
  const starts = new Uint32Array(subjects.length + 1);
  for (const [at, { length }] of subjects.entries()) starts[at + 1] = (starts[at] as number) + length + 1;
  return { text: subjects.join(separator), starts };
}

export function subjectAt({ text, starts }: SubjectColumn, at: number): string {
  return text.slice(starts[at], (starts[at + 1] as number) - 1);
}

/**
 * The positions of the subjects that contain all words. Few subjects contain the longest one, so only those are searched
 * for the others.
 *
 * @param words folded; at least one
 */
export function findSubjects(column: SubjectColumn, words: readonly string[]): Set<number> {
  const { text, starts } = column;
  const found = new Set<number>();
  if (words.some((word) => word.includes(separator))) return found;
  const [longest = "", ...others] = words.toSorted((a, b) => b.length - a.length);
  for (let from = text.indexOf(longest); from !== -1; ) {
    const at = binarySearch(0, starts.length, (index) => (starts[index] as number) > from) - 1;
    const subject = others.length > 0 ? subjectAt(column, at) : "";
    if (others.every((word) => subject.includes(word))) found.add(at);
    from = text.indexOf(longest, starts[at + 1]);
  }
  return found;
}

/** Approximate memory: V8 stores a text of Latin letters in one byte each. */
export function bytesOfSubjects({ text, starts }: SubjectColumn): number {
  const isLatin = !/[\u0100-\uffff]/.test(text);
  return (isLatin ? 1 : 2) * text.length + starts.byteLength + bytesPerArray;
}
