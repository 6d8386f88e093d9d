// A chunk of numbers: up to a thousand consecutive campaigns, in columns. Chunks are immutable.

import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import {
  bytesOfDictionary,
  encodeLists,
  encodeValues,
  type ListColumn,
  listAt,
  type ValueColumn,
  valueAt,
} from "./dictionary-column.ts";
import {
  bytesOfColumn,
  bytesPerArray,
  decodeColumn,
  encodeColumn,
  type NumberColumn,
} from "./number-column.ts";
import {
  columnOf,
  groupsOf,
  type NumberField,
  readNumbers,
  type TextFields,
  textsOf,
} from "./number-fields.ts";
import { bytesOfSubjects, encodeSubjects, type SubjectColumn, subjectAt } from "./subject-column.ts";

/** A change to any campaign rebuilds its whole chunk. */
export const maxChunkSize = 1_024;

export interface NumbersChunk {
  /** When each campaign was sent, ascending. */
  times: Float64Array;
  /** Ascending among campaigns sent at the same time. */
  ids: Float64Array;
  minId: number;
  maxId: number;
  /** As {@link readNumbers}. */
  numbers: readonly NumberColumn[];
  texts: { readonly [Field in keyof TextFields]: ValueColumn<TextFields[Field]> };
  tagIds: ListColumn<number>;
  groups: ListColumn<string>;
  subjects: SubjectColumn;
  /** Approximate memory. */
  bytes: number;
}

/** The numbers of a field; NaN for null. */
export function valuesOfField({ numbers }: NumbersChunk, field: NumberField): Float64Array {
  const values = new Float64Array(maxChunkSize);
  decodeColumn(numbers[columnOf(field)] as NumberColumn, values);
  return values;
}

/** A campaign with its folded subject. */
export interface NumbersRow {
  stored: StoredCampaign;
  subject: string;
}

/** A campaign at a position of an earlier chunk, or a new one. */
export type ChunkSource = number | NumbersRow;

/** Scratch memory for a column. */
const [before, after] = [new Float64Array(maxChunkSize), new Float64Array(maxChunkSize)];

/**
 * @param sources in order, at most {@link maxChunkSize}
 * @param earlier the chunk of the positions
 */
export function chunkOf(sources: readonly ChunkSource[], earlier?: NumbersChunk): NumbersChunk {
  const chunk = earlier as NumbersChunk;
  const pick = <Value>(keep: (at: number) => Value, make: (row: NumbersRow) => Value): Value[] =>
    sources.map((source) => (typeof source === "number" ? keep(source) : make(source)));
  const pickText = <Field extends keyof TextFields>(field: Field) =>
    encodeValues(
      pick(
        (at) => valueAt(chunk.texts[field], at),
        ({ stored }) => textsOf(stored)[field],
      ),
    );
  const sentAt = ({ stored }: NumbersRow) => stored.campaign.sentAt;
  const id = ({ stored }: NumbersRow) => stored.campaign.id;
  const tagIds = ({ stored }: NumbersRow) => stored.tags.map((tag) => tag.id);
  const groups = ({ stored }: NumbersRow) => groupsOf(stored.campaign.recipients);
  const ids = Float64Array.from(pick((at) => chunk.ids[at] as number, id));
  const columns = {
    times: Float64Array.from(pick((at) => chunk.times[at] as number, sentAt)),
    ids,
    minId: ids.reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY),
    maxId: ids.reduce((most, id) => Math.max(most, id), 0),
    numbers: readNumbers.map((read, column) => numberColumn(sources, read, earlier?.numbers[column])),
    texts: {
      team: pickText("team"),
      sendingType: pickText("sendingType"),
      trackingType: pickText("trackingType"),
      kind: pickText("kind"),
    },
    tagIds: encodeLists(pick((at) => listAt(chunk.tagIds, at), tagIds)),
    groups: encodeLists(pick((at) => listAt(chunk.groups, at), groups)),
    subjects: encodeSubjects(
      pick(
        (at) => subjectAt(chunk.subjects, at),
        ({ subject }) => subject,
      ),
    ),
  };
  return { ...columns, bytes: bytesOf(columns) };
}

function numberColumn(
  sources: readonly ChunkSource[],
  read: (typeof readNumbers)[number],
  earlier: NumberColumn | undefined,
): NumberColumn {
  if (earlier !== undefined) decodeColumn(earlier, before);
  for (let at = 0; at < sources.length; at++) {
    const source = sources[at] as ChunkSource;
    after[at] = typeof source === "number" ? (before[source] as number) : (read(source.stored) ?? Number.NaN);
  }
  return encodeColumn(after.subarray(0, sources.length));
}

/** The chunk and its objects, approximately. */
const overheadBytes = 1_500;

function bytesOf({ times, numbers, texts, tagIds, groups, subjects }: Omit<NumbersChunk, "bytes">): number {
  const dictionaries = [...Object.values(texts), tagIds, groups];
  return (
    overheadBytes +
    2 * (times.byteLength + bytesPerArray) +
    numbers.reduce<number>((sum, column) => sum + bytesOfColumn(column), 0) +
    dictionaries.reduce<number>((sum, column) => sum + bytesOfDictionary(column), 0) +
    bytesOfSubjects(subjects)
  );
}
