// Sorts selected campaigns by any of their fields.

import type { Tally } from "../../campaign/events/tally.ts";
import { tallyNames } from "../../campaign/events/tally.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { knownDerivation, knownMetric, metricsFor } from "../../campaign/known-metrics.ts";
import { type MetricName, metricNames, type ReportedMetrics } from "../../campaign/metrics.ts";
import { enpsIndexOf } from "../../campaign/sum-rates.ts";
import type { IndexEntry } from "../../storage/campaigns/index-entries.ts";
import { CampaignReader } from "./campaign-reader.ts";
import { valueAt } from "./dictionary-column.ts";
import type { NumbersChunk } from "./numbers-chunk.ts";
import { entryAt, type Selection } from "./select.ts";
import { selectPage } from "./select-page.ts";
import { subjectAt } from "./subject-column.ts";

type ReadText = (chunk: NumbersChunk, position: number) => string | null;

const textColumns = {
  subject: ({ subjects }, position) => subjectAt(subjects, position),
  organization_team: ({ texts }, position) => valueAt(texts.team, position),
  sending_type: ({ texts }, position) => valueAt(texts.sendingType, position),
  tracking_type: ({ texts }, position) => valueAt(texts.trackingType, position),
  kind: ({ texts }, position) => valueAt(texts.kind, position),
} satisfies Record<string, ReadText>;
type TextColumn = keyof typeof textColumns;

/** Numbers that follow from several metrics: the eNPS index, and the comments in all surveys. */
const derivedColumns = ["enps_index", "comments_count"] as const;

/** The columns with numbers: metrics, and what follows from them. */
export type NumberColumnName =
  | MetricName
  | "recipient_count"
  | "surveys_count"
  | (typeof derivedColumns)[number];

/** What campaigns can be sorted by: fields of their records, their kind, and numbers derived from several fields. */
export type SortColumn = "sent_at" | TextColumn | NumberColumnName;

export const sortColumns: readonly SortColumn[] = [
  "sent_at",
  ...(Object.keys(textColumns) as TextColumn[]),
  "recipient_count",
  "surveys_count",
  ...metricNames,
  ...derivedColumns,
];

export interface SortedPage {
  column: SortColumn;
  isAscending: boolean;
  /** Which campaign comes first, from 0. */
  offset: number;
  limit: number;
}

/**
 * One page of a selection. Campaigns without a value come last, and those with the same value newest first. Texts are in
 * the order of their characters; subjects without regard to letter case.
 */
export function sortSelection(selection: Selection, traffic: TrafficFilter, page: SortedPage): IndexEntry[] {
  const from = Math.min(page.offset, selection.size);
  const until = Math.min(from + page.limit, selection.size);
  const compare = comparison(selection, traffic, page);
  return selectPage(selection.size, compare, from, until).map((index) => entryAt(selection, index));
}

/** Compares two campaigns by their index in the selection. */
function comparison(
  selection: Selection,
  traffic: TrafficFilter,
  { column, isAscending }: SortedPage,
): (a: number, b: number) => number {
  const sign = isAscending ? 1 : -1;
  if (column === "sent_at") return (a, b) => sign * (a - b);
  if (isTextColumn(column)) {
    const texts = textsOf(selection, textColumns[column]);
    return (a, b) => {
      const [one, other] = [texts[a] ?? null, texts[b] ?? null];
      if (one === other) return b - a;
      if (one === null || other === null) return one === null ? 1 : -1;
      return one < other ? -sign : sign;
    };
  }
  const values = valuesOf(selection, traffic, column);
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

/** The values of a column, in the order of the selection; NaN for none. */
export function valuesOf(
  { parts, size }: Selection,
  traffic: TrafficFilter,
  column: NumberColumnName,
): Float64Array {
  const reader = new CampaignReader(traffic, reportedMetricsFor(column), tallyNames);
  const values = new Float64Array(size);
  let index = 0;
  for (const { chunk, positions } of parts) {
    reader.use(chunk);
    for (const position of positions)
      values[index++] = columnValue(reader.read(position), column) ?? Number.NaN;
  }
  return values;
}

/** The metrics of a reported campaign that its value of a column comes from. */
function reportedMetricsFor(column: NumberColumnName): readonly MetricName[] {
  if (column === "comments_count") return commentCounts;
  const metric = metricNames.find((name) => name === column);
  return metric ? metricsFor(metric) : [];
}

const commentCounts = ["enps_comments_count", "survey_reactions_comments_count"] as const;

/** A campaign with its numbers for one traffic. */
interface CampaignNumbers {
  recipientCount: number | null;
  surveysCount: number | null;
  numbers: { reported: Partial<ReportedMetrics> } | { tally: Tally };
}

/** The value of a column; null if it is not known, or a rate of nothing. */
export function columnValue(
  { recipientCount, surveysCount, numbers }: CampaignNumbers,
  column: NumberColumnName,
): number | null {
  if (column === "recipient_count") return recipientCount;
  if (column === "surveys_count") return surveysCount;
  if (column === "enps_index") return "tally" in numbers ? indexOf(numbers.tally) : null;
  if (column === "comments_count") return commentsOf(numbers);
  return "tally" in numbers
    ? knownDerivation(column, numbers.tally, recipientCount ?? 0)
    : knownMetric(column, numbers.reported, recipientCount);
}

function indexOf({ enpsPromoters, enpsDetractors, enpsReactions }: Tally): number | null {
  return enpsIndexOf({ promoters: enpsPromoters, detractors: enpsDetractors, indexed: enpsReactions });
}

function commentsOf(numbers: CampaignNumbers["numbers"]): number | null {
  if ("tally" in numbers) return numbers.tally.enpsComments + numbers.tally.surveyComments;
  const [enps = null, other = null] = commentCounts.map((name) => numbers.reported[name]);
  return enps === null && other === null ? null : (enps ?? 0) + (other ?? 0);
}
