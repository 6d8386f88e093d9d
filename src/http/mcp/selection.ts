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
import { foldCase } from "../../campaign/fields/fold-case.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";
import { groupsOf } from "../../listing/sums/campaign-filter.ts";
import { findFilterDefaults } from "../../listing/sums/filter-defaults.ts";
import {
  defaultFilters,
  type FilterDefaults,
  type PageFilters,
  todayOf,
} from "../../listing/sums/page-filters.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findKnownValues } from "../../storage/sums/sum-queries.ts";
import { choice, nullable, strict } from "./answer-schema.ts";
import type { ToolContext } from "./tool.ts";

const name = (description: string) => Type.Optional(Type.String({ maxLength: 1_000, description }));
const date = (description: string) =>
  Type.Optional(Type.String({ maxLength: 100, description: `${description} YYYY-MM-DD.` }));

export const selectionInput = {
  period: name(
    `${acceptedPeriods}. By default the last 90 days, or the year of the last campaign if none was sent in them.`,
  ),
  from: date("The first day, on the organization's clocks, instead of a period."),
  until: date("The last day."),
  team: name("One of the teams of describe_metrics."),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100, description: "With one of these tags." }),
  ),
  sending_type: name("One of the sending types of describe_metrics."),
  group: name("One of the recipient groups of describe_metrics."),
  surveys: Type.Optional(choice(surveyFilters, "With eNPS ratings, with any surveys, or without.")),
  subject_words: name("Words that the subject contains, in any order and letter case."),
  traffic: Type.Optional(
    choice(trafficFilters, "Opens and clicks of people, or all. By default what the organization counts."),
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
  scope: Scope,
  { organization, now }: ToolContext,
  input: SelectionInput,
): Promise<{ filters: PageFilters; defaults: FilterDefaults }> {
  const defaults = await findFilterDefaults(scope, { organization }, now);
  const preset = defaultFilters(defaults);
  const known = input.team || input.sending_type || input.group ? await findKnownValues(scope) : undefined;
  const filters = {
    ...preset,
    period: readPeriod(input, todayOf(defaults)) ?? preset.period,
    team: known && findName("team", input.team, known.teams),
    tagIds: input.tags && (await findTagIds(scope, input.tags)),
    sendingType: known && findName("sending_type", input.sending_type, known.sendingTypes),
    group: known && findName("group", input.group, [...new Set(known.recipients.flatMap(groupsOf))]),
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
  const words = period
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
  const named = namedPeriod(words, today) ?? namedPeriod(words.toUpperCase(), today);
  if (named) return named;
  throw new AppError("bad_request", `period: ${quote(period)} is not one of ${acceptedPeriods}.`);
}

/** A day, also as the timestamp of its start or of its last second. */
function readDate(field: string, text: string | undefined): CalendarDate | undefined {
  if (text === undefined) return undefined;
  const day = text.trim().replace(/T(?:00:00:00|23:59:59)(?:\.\d+)?Z?$/, "");
  const timestamp = parseIsoTimestamp(day);
  if (timestamp?.kind === "date") return timestamp.date;
  throw new AppError("bad_request", `${field}: ${quote(text)} is no date such as 2026-01-31.`);
}

async function findTagIds(scope: Scope, texts: readonly string[]): Promise<number[]> {
  const tags = await listTags(scope);
  const names = tags.map(({ name }) => name);
  const isTag = (text: string) => names.some((name) => foldCase(name) === foldCase(text.trim()));
  const meant = texts.flatMap((text) => {
    const parts = text.split(",");
    return !isTag(text) && parts.every(isTag) ? parts : [text];
  });
  const canonical = new Set(meant.map((text) => findName("tags", text, names)));
  return tags.filter(({ name }) => canonical.has(name)).map(({ id }) => id);
}

/** This many names fit into a message. */
const namedInMessage = 10;

/**
 * The name that a text means: it may differ in letter case. An assistant would report "0 campaigns" as a fact.
 *
 * @throws AppError `bad_request` with the names that there are
 */
function findName<Text extends string | undefined>(
  field: string,
  text: Text,
  names: readonly string[],
): Text | string {
  if (text === undefined || names.includes(text)) return text;
  const alike = names.filter((name) => foldCase(name.trim()) === foldCase(text.trim()));
  if (alike.length === 1) return alike[0] as string;
  const listed = alike.length > 0 ? alike : names.toSorted();
  const more =
    listed.length > namedInMessage ? `, and ${listed.length - namedInMessage} more in describe_metrics` : "";
  const choices =
    listed.length > 0
      ? `use ${listed.slice(0, namedInMessage).map(quote).join(", ")}${more}`
      : "there is none";
  const problem = alike.length > 0 ? "means more than one" : "is not known";
  throw new AppError("bad_request", `${field}: ${quote(text)} ${problem}; ${choices}.`);
}
