// The oracle of the emails endpoint: a plain function over the plain list of an organization's campaigns, written from the
// specification. It shares no code with the program.

import { dayAfter, localTime, startOfDate } from "./local-time.ts";

/** A campaign as it was imported or registered. Missing values are null. */
export interface KnownCampaign {
  id: number;
  sentAt: number;
  tagIds: readonly number[];
  /** All other fields of its record by name. */
  values: Readonly<Record<string, unknown>>;
}

export interface KnownOrganization {
  id: number;
  timeZone: string;
  tags: Map<number, { name: string; color: string }>;
  campaigns: Map<number, KnownCampaign>;
}

/** A time of the query: an instant in milliseconds, or a date `YYYY-MM-DD` of the organization's time zone. */
export type Bound = number | string;

export interface Filters {
  sentAfter?: Bound;
  sentBefore?: Bound;
  /** Undefined without the filter; an empty list matches nothing. */
  tagIds?: readonly number[];
}

const texts = ["sent_from", "organization_team", "sending_type", "tracking_type"] as const;
const numbersBeforeTags = [
  ["open_rate", "click_rate", "unique_opens", "multiple_opens", "unopened", "total_opens", "unique_clicks"],
  ["multiple_clicks", "total_clicks", "click_per_unique_open_rate", "desktop_open_rate", "mobile_open_rate"],
].flat();
const numbersAtTheEnd = [
  ["read_time_glanced", "read_time_skimmed", "read_time_read", "surveys_count", "enps_score_average"],
  [
    "enps_reactions_count",
    "enps_comments_count",
    "survey_reactions_count",
    "survey_reactions_comments_count",
  ],
].flat();

/** The fields that an import may leave out, except the tags (specification 2.1). */
export const optionalFields = {
  texts: [...texts, "recipients"] as readonly string[],
  numbers: [...numbersBeforeTags, "recipient_count", ...numbersAtTheEnd] as readonly string[],
};

/** All records that match, newest first; with equal times, larger id first. */
export function findMatches(organization: KnownOrganization, filters: Filters, now: number): KnownCampaign[] {
  const { timeZone, campaigns } = organization;
  const { sentAfter, sentBefore, tagIds } = filters;
  const from = typeof sentAfter === "string" ? startOfDate(sentAfter, timeZone) : (sentAfter ?? -Infinity);
  const until =
    typeof sentBefore === "string"
      ? startOfDate(dayAfter(sentBefore), timeZone) - 1
      : (sentBefore ?? Infinity);
  return [...campaigns.values()]
    .filter(({ sentAt }) => sentAt <= now && sentAt >= from && sentAt <= until)
    .filter((campaign) => !tagIds || tagIds.some((id) => campaign.tagIds.includes(id)))
    .sort((a, b) => b.sentAt - a.sentAt || b.id - a.id);
}

/** The whole body of the response, byte for byte. */
export function expectedBody(
  organization: KnownOrganization,
  matches: readonly KnownCampaign[],
  { page, perPage }: { page: number; perPage: number },
): string {
  const emails = matches
    .slice((page - 1) * perPage, page * perPage)
    .map((campaign) => expectedRecord(organization, campaign));
  const total_pages = Math.ceil(matches.length / perPage);
  return JSON.stringify({
    emails,
    meta: { page, per_page: perPage, total_entries: matches.length, total_pages },
  });
}

/** The record in the order of the specification (2.1). There are no nulls. */
function expectedRecord(
  { timeZone, tags }: KnownOrganization,
  { id, sentAt, tagIds, values }: KnownCampaign,
): Record<string, unknown> {
  const all = (names: readonly string[], missing: unknown) =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? missing]));
  return {
    id,
    subject: values.subject,
    sent_at: localTime(sentAt, timeZone).text,
    ...all(texts, ""),
    ...all(numbersBeforeTags, 0),
    tags: tagIds.map((tagId) => tags.get(tagId)).sort((a, b) => ((a?.name ?? "") < (b?.name ?? "") ? -1 : 1)),
    ...all(["recipient_count"], 0),
    ...all(["recipients"], ""),
    ...all(numbersAtTheEnd, 0),
  };
}
