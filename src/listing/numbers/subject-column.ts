// The folded subjects of a chunk, as one text: searching it is much faster than searching each of them.

import { binarySearch } from "../timeline/binary-search.ts";
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

/** The positions of the subjects that contain a folded text. */
export function findSubjects({ text, starts }: SubjectColumn, part: string): Set<number> {
  const found = new Set<number>();
  if (part.includes(separator)) return found;
  for (let from = text.indexOf(part); from !== -1; ) {
    const at = binarySearch(0, starts.length, (index) => (starts[index] as number) > from) - 1;
    found.add(at);
    from = text.indexOf(part, starts[at + 1]);
  }
  return found;
}

/** Approximate memory: V8 stores a text of Latin letters in one byte each. */
export function bytesOfSubjects({ text, starts }: SubjectColumn): number {
  const isLatin = !/[\u0100-\uffff]/.test(text);
  return (isLatin ? 1 : 2) * text.length + starts.byteLength + bytesPerArray;
}
