// Sorts selected campaigns by any of their fields.

import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { EmailKey } from "../../storage/campaigns/emails.ts";
import { valueAt } from "./dictionary-column.ts";
import { type NumberName, numberNames, valuesOf } from "./number-values.ts";
import type { NumbersChunk } from "./numbers-chunk.ts";
import { entryAt, type Selection } from "./select.ts";
import { selectPage } from "./select-page.ts";
import { subjectAt } from "./subject-column.ts";

type ReadText = (chunk: NumbersChunk, position: number) => string | null;

const textColumns = {
  subject: ({ subjects }, position) => subjectAt(subjects, position),
  organization_team: ({ texts }, position) => valueAt(texts.team, position),
  kind: ({ texts }, position) => valueAt(texts.kind, position),
} satisfies Record<string, ReadText>;
type TextColumn = keyof typeof textColumns;

/** What campaigns can be sorted by. */
export type SortColumn = "sent_at" | TextColumn | NumberName;

export const sortColumns: readonly SortColumn[] = [
  "sent_at",
  ...(Object.keys(textColumns) as TextColumn[]),
  ...numberNames,
];

export interface SortOrder {
  /** A column, or the number of each selected campaign, with NaN for none. */
  by: SortColumn | Float64Array;
  isAscending: boolean;
}

export interface SortedPage extends SortOrder {
  /** Which campaign comes first, from 0. */
  offset: number;
  limit: number;
}

/** A campaign, and its index in the selection. */
export interface SortedEntry extends EmailKey {
  index: number;
}

/**
 * One page of a selection. Campaigns without a value come last, and those with the same value newest first. Texts are in
 * the order of their characters; subjects without regard to letter case.
 */
export function sortSelection(selection: Selection, traffic: TrafficFilter, page: SortedPage): SortedEntry[] {
  const from = Math.min(page.offset, selection.size);
  const until = Math.min(from + page.limit, selection.size);
  const compare = comparison(selection, traffic, page);
  const indexes = selectPage(selection.size, compare, from, until);
  return indexes.map((index) => ({ ...entryAt(selection, index), index }));
}

export interface PlaceInOrder {
  /** How many campaigns come before it. */
  index: number;
  before: EmailKey | undefined;
  after: EmailKey | undefined;
}

/** Where a campaign is in the order of a selection; undefined if it is not selected. In linear time. */
export function placeOf(
  selection: Selection,
  traffic: TrafficFilter,
  order: SortOrder,
  id: number,
): PlaceInOrder | undefined {
  const own = indexOf(selection, id);
  if (own === undefined) return undefined;
  const compare = comparison(selection, traffic, order);
  let index = 0;
  let [before, after]: (number | undefined)[] = [];
  for (let other = 0; other < selection.size; other++) {
    if (other === own) continue;
    if (compare(other, own) < 0) {
      index += 1;
      if (before === undefined || compare(other, before) > 0) before = other;
    } else if (after === undefined || compare(other, after) < 0) after = other;
  }
  const entry = (at: number | undefined) => (at === undefined ? undefined : entryAt(selection, at));
  return { index, before: entry(before), after: entry(after) };
}

function indexOf({ parts }: Selection, id: number): number | undefined {
  let start = 0;
  for (const { chunk, positions } of parts) {
    if (id >= chunk.minId && id <= chunk.maxId) {
      const at = positions.findIndex((position) => chunk.ids[position] === id);
      if (at >= 0) return start + at;
    }
    start += positions.length;
  }
  return undefined;
}

/** Compares two campaigns by their index in the selection. */
function comparison(
  selection: Selection,
  traffic: TrafficFilter,
  { by, isAscending }: SortOrder,
): (a: number, b: number) => number {
  const sign = isAscending ? 1 : -1;
  if (by === "sent_at") return (a, b) => sign * (a - b);
  if (typeof by === "string" && isTextColumn(by)) {
    const texts = textsOf(selection, textColumns[by]);
    return (a, b) => {
      const [one, other] = [texts[a] ?? null, texts[b] ?? null];
      if (one === other) return b - a;
      if (one === null || other === null) return one === null ? 1 : -1;
      return one < other ? -sign : sign;
    };
  }
  const values = typeof by === "string" ? valuesOf(selection, traffic, by) : by;
  return (a, b) => {
    const [one, other] = [values[a] as number, values[b] as number];
    if (one < other) return -sign;
    if (one > other) return sign;
    return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || b - a;
  };
}

function isTextColumn(column: SortColumn): column is TextColumn {
  return Object.hasOwn(textColumns, column);
}

function textsOf({ parts }: Selection, read: ReadText): (string | null)[] {
  return parts.flatMap(({ chunk, positions }) => Array.from(positions, (position) => read(chunk, position)));
}
