// Which campaigns a tool is asked about: the same filters as those of pages.

import Type, { type Static } from "typebox";
import { type CalendarDate, daysBetween, isoDay } from "../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../campaign/calendar/iso-timestamp.ts";
import {
  acceptedPeriods,
  customPeriod,
  type DateSpan,
  type NamedPeriod,
  namedPeriod,
} from "../../campaign/calendar/period.ts";
import { surveyFilters } from "../../campaign/campaign-number.ts";
import { trafficFilters } from "../../campaign/events/traffic.ts";
import { foldCase } from "../../campaign/fold-case.ts";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";
import { findFilterDefaults } from "../../listing/sums/filter-defaults.ts";
import {
  defaultFilters,
  type FilterDefaults,
  type PageFilters,
  todayOf,
} from "../../listing/sums/page-filters.ts";
import type { Queries } from "../../storage/database.ts";
import { listTags } from "../../storage/tags.ts";
import { nullable, strict } from "./answer-schema.ts";
import type { ToolContext } from "./tool.ts";

const name = (description: string) => Type.Optional(Type.String({ maxLength: 1_000, description }));
const date = (description: string) =>
  Type.Optional(Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$`, description }));

export const selectionInput = {
  period: name(
    `${acceptedPeriods}. By default the last 90 days, or the year of the last campaign if none was sent in them.`,
  ),
  from: date("The first day, on the organization's clocks, instead of a period."),
  until: date("The last day."),
  team: name("One of the teams of describe_metrics, exactly."),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100, description: "With one of these tags." }),
  ),
  sending_type: name("One of the sending types of describe_metrics, exactly."),
  group: name("A recipient group."),
  surveys: Type.Optional(
    Type.Enum([...surveyFilters], { description: "With eNPS ratings, with any surveys, or without." }),
  ),
  subject_words: name("Words that the subject contains, in any order and letter case."),
  traffic: Type.Optional(
    Type.Enum([...trafficFilters], {
      description: "Opens and clicks of people, or all. By default what the organization counts.",
    }),
  ),
};
export type SelectionInput = Static<Type.TObject<typeof selectionInput>>;

export const spanSchema = nullable(
  strict({ first: Type.String(), last: Type.String() }, "Days on the organization's clocks."),
);

export const answerSpan = (span: DateSpan | undefined): Static<typeof spanSchema> =>
  span ? { first: isoDay(span.first), last: isoDay(span.last) } : null;

/** @throws AppError `bad_request` */
export async function readSelection(
  queries: Queries,
  { organization, now }: ToolContext,
  input: SelectionInput,
): Promise<{ filters: PageFilters; defaults: FilterDefaults }> {
  const defaults = await findFilterDefaults(queries, { organization }, now);
  const preset = defaultFilters(defaults);
  const exact = (text: string | undefined) => text?.toWellFormed() || undefined;
  const filters = {
    ...preset,
    period: readPeriod(input, todayOf(defaults)) ?? preset.period,
    team: exact(input.team),
    tagIds: input.tags && (await findTagIds(queries, organization.id, input.tags)),
    sendingType: exact(input.sending_type),
    group: exact(input.group),
    surveys: input.surveys,
    traffic: input.traffic ?? preset.traffic,
    search: (input.subject_words ?? "").trim().toWellFormed().normalize("NFC"),
  };
  return { filters, defaults };
}

function readPeriod({ period, from, until }: SelectionInput, today: CalendarDate): NamedPeriod | undefined {
  const [first, last] = [readDate("from", from), readDate("until", until)];
  if (first && last && daysBetween(first, last) < 0) {
    throw new AppError("bad_request", `from: ${from} is after until: ${until}.`);
  }
  if (first || last) return customPeriod({ from: first, until: last }, today);
  if (!period) return undefined;
  const named = namedPeriod(period, today);
  if (named) return named;
  throw new AppError("bad_request", `period: ${quote(period)} is not one of ${acceptedPeriods}.`);
}

function readDate(field: string, text: string | undefined): CalendarDate | undefined {
  if (text === undefined) return undefined;
  const timestamp = parseIsoTimestamp(text);
  if (timestamp?.kind === "date") return timestamp.date;
  throw new AppError("bad_request", `${field}: ${quote(text)} is no date such as 2026-01-31.`);
}

async function findTagIds(
  queries: Queries,
  organizationId: number,
  names: readonly string[],
): Promise<number[]> {
  const tags = await listTags(queries, organizationId);
  return names.flatMap((wanted) => {
    const found = tags.filter((tag) => foldCase(tag.name) === foldCase(wanted));
    if (found.length > 0) return found.map(({ id }) => id);
    throw new AppError("bad_request", `tags: there is no tag ${quote(wanted)}. describe_metrics lists all.`);
  });
}
