// Selects campaigns by filters.

import { searchWords } from "../../campaign/search-words.ts";
import type { EmailKey } from "../../storage/campaigns/emails.ts";
import { teamKeyOf } from "../../storage/campaigns/teams.ts";
import { binarySearch } from "./binary-search.ts";
import { hasAnyCode, type ListColumn, type ValueColumn } from "./dictionary-column.ts";
import { maxChunkSize, type NumbersChunk, valuesOfField } from "./numbers-chunk.ts";
import type { NumbersTable } from "./numbers-table.ts";
import { findSubjects } from "./subject-column.ts";

/** With eNPS ratings, with any surveys, or without. */
export const surveyFilters = ["rated", "some", "none"] as const;
export type SurveyFilter = (typeof surveyFilters)[number];

/** A campaign has to match all of them. */
export interface NumbersFilter {
  /** Sent at this instant or later. */
  sentFrom?: number | undefined;
  /** Sent before this instant. */
  sentUntil?: number | undefined;
  /** With at least one of these tags. */
  tagIds?: readonly number[] | undefined;
  team?: string | undefined;
  sendingType?: string | undefined;
  /** One of its recipient groups. */
  group?: string | undefined;
  surveys?: SurveyFilter | undefined;
  /** Words that the subject contains, in any order and letter case. */
  subject?: string | undefined;
  ids?: readonly number[] | undefined;
}

/** Selected campaigns of a chunk. */
export interface SelectedPart {
  chunk: NumbersChunk;
  /** Positions in the chunk, ascending. */
  positions: Uint16Array;
}

/** Selected campaigns, in order of time. */
export interface Selection {
  parts: readonly SelectedPart[];
  size: number;
}

export function selectCampaigns(numbers: NumbersTable, filter: NumbersFilter): Selection {
  const { sentFrom = Number.NEGATIVE_INFINITY, sentUntil = Number.POSITIVE_INFINITY } = filter;
  const prepared = prepare(filter);
  const parts: SelectedPart[] = [];
  for (const chunk of numbers.chunks) {
    const { times } = chunk;
    if ((times[0] as number) >= sentUntil || (times.at(-1) as number) < sentFrom) continue;
    const from = binarySearch(0, times.length, (at) => (times[at] as number) >= sentFrom);
    const until = binarySearch(from, times.length, (at) => (times[at] as number) >= sentUntil);
    const positions = matchesIn(chunk, prepared, from, until);
    if (positions.length > 0) parts.push({ chunk, positions });
  }
  return { parts, size: parts.reduce((sum, { positions }) => sum + positions.length, 0) };
}

/** The campaign at an index of a selection, from 0. */
export function entryAt({ parts }: Selection, index: number): EmailKey {
  let start = 0;
  for (const { chunk, positions } of parts) {
    const position = positions[index - start];
    if (position !== undefined) {
      return { sentAt: chunk.times[position] as number, id: chunk.ids[position] as number };
    }
    start += positions.length;
  }
  throw new RangeError(`no campaign ${index} in the selection`);
}

/** All positions of a chunk. */
const allPositions = Uint16Array.from({ length: maxChunkSize }, (_, position) => position);

type Matches = (position: number) => boolean;
/** Undefined if no campaign of the chunk matches. */
type MatcherOf = (chunk: NumbersChunk) => Matches | undefined;

function matchesIn(
  chunk: NumbersChunk,
  matchers: readonly MatcherOf[],
  from: number,
  until: number,
): Uint16Array {
  const all = allPositions.subarray(from, until);
  if (matchers.length === 0) return all;
  const matches: Matches[] = [];
  for (const matcherOf of matchers) {
    const matcher = matcherOf(chunk);
    if (!matcher) return all.subarray(0, 0);
    matches.push(matcher);
  }
  return all.filter((position) => matches.every((each) => each(position)));
}

function prepare({ tagIds, team, sendingType, group, surveys, subject, ids }: NumbersFilter): MatcherOf[] {
  const matchers: MatcherOf[] = [];
  if (ids) matchers.push(hasId(new Set(ids)));
  if (team !== undefined) matchers.push(hasText(({ texts }) => texts.team, teamKeyOf(team)));
  if (sendingType !== undefined) {
    matchers.push(hasText(({ texts }) => texts.sendingType, teamKeyOf(sendingType)));
  }
  if (tagIds) matchers.push(hasAny(({ tagIds }) => tagIds, new Set(tagIds)));
  if (group !== undefined) matchers.push(hasAny(({ groups }) => groups, new Set([teamKeyOf(group)])));
  if (surveys !== undefined) matchers.push(hasSurveys(surveys));
  const words = searchWords(subject ?? "");
  if (words.length > 0) matchers.push(hasSubject(words));
  return matchers;
}

function hasId(wanted: ReadonlySet<number>): MatcherOf {
  return ({ ids }) =>
    (position) =>
      wanted.has(ids[position] as number);
}

function hasText(columnOf: (chunk: NumbersChunk) => ValueColumn<string | null>, wanted: string): MatcherOf {
  return (chunk) => {
    const { values, codes } = columnOf(chunk);
    const code = values.indexOf(wanted);
    return code === -1 ? undefined : (position) => codes[position] === code;
  };
}

function hasAny<Value>(
  columnOf: (chunk: NumbersChunk) => ListColumn<Value>,
  wanted: ReadonlySet<Value>,
): MatcherOf {
  return (chunk) => {
    const column = columnOf(chunk);
    const codes = new Set(column.values.flatMap((value, code) => (wanted.has(value) ? code : [])));
    return codes.size === 0 ? undefined : (position) => hasAnyCode(column, position, codes);
  };
}

/** A campaign has surveys if its sender says so, or if one was answered. */
function hasSurveys(wanted: SurveyFilter): MatcherOf {
  return (chunk) => {
    const ratings = [
      valuesOfField(chunk, "people.enpsReactions"),
      valuesOfField(chunk, "reported.enps_reactions_count"),
    ];
    const all = [
      ...ratings,
      valuesOfField(chunk, "people.surveyReactions"),
      valuesOfField(chunk, "reported.survey_reactions_count"),
      valuesOfField(chunk, "surveysCount"),
    ];
    const columns = wanted === "rated" ? ratings : all;
    return (position) => columns.some((values) => (values[position] as number) > 0) === (wanted !== "none");
  };
}

function hasSubject(words: readonly string[]): MatcherOf {
  return ({ subjects }) => {
    const found = findSubjects(subjects, words);
    return found.size === 0 ? undefined : (position) => found.has(position);
  };
}
