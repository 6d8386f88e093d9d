// The statements behind the SQL views of an organization. Numbers come from rendered records and imports: no view computes one.

import { verdictMeanings } from "../../campaign/events/activity.ts";
import { type FeedField, feedFieldNames, feedFields } from "../../campaign/feed/feed-fields.ts";
import { type FeedTableName, feedTables } from "../../campaign/feed/feed-tables.ts";
import type { RecordField } from "../../campaign/record-fields.ts";
import { programVersions } from "../revisions.ts";

export interface ViewColumn extends Pick<RecordField, "description" | "unit" | "nullMeans"> {
  name: string;
}

interface View {
  description: string;
  columns: readonly ViewColumn[];
  /** Returns the columns in their order. */
  query: (organizationId: number) => string;
}

/** An instant. It must match the expression of {@link sentAtIndex}. */
const sentAt = "to_timestamp(records.sent_at / 1000.0)";

/** Lets filters on `emails.sent_at` read only what they select. */
export const sentAtIndex = {
  name: "records_sent_at_instant",
  definition: "on records (organization_id, to_timestamp(sent_at / 1000.0))",
} as const;

const humanVerdicts = Object.entries(verdictMeanings)
  .filter(([, { isHuman }]) => isHuman)
  .map(([name]) => `'${name}'`);

const millisecondsNow = "floor(extract(epoch from now()) * 1000)::bigint";

/** Tools filter without regard to case, which the collation of the tables does for ASCII letters only. */
const text = (column: string) => `${column} collate "default"`;

/** JavaScript compares UTF-16 units, so characters from U+E000 to U+FFFF come after those beyond. */
const byName = `regexp_replace(tags.name, '([\\uE000-\\uFFFF])', '\u{10FFFF}\\1', 'g')`;

const tagsOf = (organizationId: number, result: string) => `(
  select ${result} from campaign_tags
  join tags on tags.organization_id = ${organizationId} and tags.id = campaign_tags.tag_id
  where campaign_tags.organization_id = ${organizationId} and campaign_tags.campaign_id = records.campaign_id)`;

const time = "split_part(records.record::json ->> 'sent_at', ' ', 4)";

/** The fields that are not numbers of the campaign. */
const otherFields: Partial<Record<FeedField, (organizationId: number) => string>> = {
  id: () => "records.campaign_id",
  subject: () => text("campaigns.subject"),
  sent_at: () => sentAt,
  sent_from: () => text("nullif(campaigns.sent_from, '')"),
  organization_team: () => text("nullif(campaigns.team, '')"),
  sending_type: () => text("nullif(campaigns.sending_type, '')"),
  tracking_type: () => text("nullif(campaigns.tracking_type, '')"),
  recipients: () => text("nullif(campaigns.recipients, '')"),
  // An import keeps these beside its metrics.
  recipient_count: () => `coalesce(${numberOf("recipient_count")}, campaigns.recipient_count)`,
  surveys_count: () => `coalesce(${numberOf("surveys_count")}, campaigns.surveys_count)`,
  tags: (id) =>
    `coalesce(${tagsOf(id, `jsonb_agg(jsonb_build_object('name', tags.name, 'color', tags.color) order by ${byName})`)}, '[]')`,
  tag_names: (id) => text(`coalesce(${tagsOf(id, `string_agg(tags.name, '; ' order by ${byName})`)}, '')`),
  sent_on: () => "to_date(records.record::json ->> 'sent_at', 'Mon DD, YYYY')",
  sent_hour: () => `(split_part(${time}, ':', 1)::bigint % 12
    + case split_part(records.record::json ->> 'sent_at', ' ', 5) when 'PM' then 12 else 0 end)`,
  kind: () => "case when campaigns.tallies is null then 'reported' else 'counted' end",
  closed_at: () => "to_timestamp(campaigns.closed_at / 1000.0)",
  updated_at: () =>
    "to_timestamp(greatest(campaign_revisions.revision, organization.render_revision, records.sent_at) / 1000.0)",
};

function numberOf(name: FeedField): string {
  return `(parsed.numbers ->> '${name}')::${feedFields[name].type === "integer" ? "bigint" : "double precision"}`;
}

/** A value is null if it is 0 only because there is nothing to divide by, as in `toFeedRecord`. */
function metricOf(name: FeedField): string {
  const { denominator }: RecordField = feedFields[name];
  const number = numberOf(name);
  if (denominator === undefined) return number;
  if (denominator in feedFields) {
    const divisor = otherFields[denominator as FeedField]?.(0) ?? numberOf(denominator as FeedField);
    return `case when ${number} <> 0 or ${divisor} is distinct from 0 then ${number} end`;
  }
  const shares = feedFieldNames.filter(
    (other) => (feedFields[other] as RecordField).denominator === denominator,
  );
  return `case when ${shares.map((share) => `${numberOf(share)} <> 0`).join(" or ")} then ${number} end`;
}

const isCurrent: ViewColumn = {
  name: "is_current",
  description:
    "False until the service has rendered the campaign again after a change of the time zone, the counted traffic or a tag: until then, the numbers, sent_on and sent_hour are as before.",
};

function emailsQuery(id: number): string {
  const fields = feedFieldNames.map((name) => otherFields[name]?.(id) ?? metricOf(name));
  return `
    select ${fields.join(",\n")}, records.render_version = organization.current_version
    from records
    join campaigns on campaigns.organization_id = ${id} and campaigns.id = records.campaign_id
    join campaign_revisions on campaign_revisions.organization_id = ${id}
      and campaign_revisions.campaign_id = records.campaign_id
    join (
      select id, render_revision, greatest(render_version * ${programVersions},
        (select max(render_version) from records where organization_id = ${id})) as current_version
      from organizations where id = ${id}) as organization on organization.id = records.organization_id
    cross join lateral (
      select (case when campaigns.tallies is null then campaigns.reported_metrics else records.record end)::jsonb
        as numbers offset 0) as parsed
    where records.organization_id = ${id} and records.sent_at <= ${millisecondsNow}`;
}

/** A condition on a table whose rows belong to campaigns: they were sent. */
const isSent = (table: string, id: number) => `${table}.organization_id = ${id} and exists (
  select from campaigns where campaigns.organization_id = ${id} and campaigns.id = ${table}.campaign_id
    and campaigns.sent_at <= ${millisecondsNow})`;

const tagsQuery = (id: number) =>
  `select id, ${text("name")}, ${text("color")} from tags where organization_id = ${id}`;

const emailTagsQuery = (id: number) =>
  `select campaign_id, tag_id from campaign_tags where ${isSent("campaign_tags", id)}`;

const emailLinksQuery = (id: number) => `
  select campaign_id, ${text("url")}, greatest(sum(people_clicks), 0)::bigint,
    greatest(sum(all_clicks) - greatest(sum(people_clicks), 0), 0)::bigint
  from campaign_links where ${isSent("campaign_links", id)}
  group by campaign_id, url having greatest(sum(people_clicks), sum(all_clicks)) > 0`;

/** The parts of a campaign add up, and a part may be negative. Not every zone is whole hours from UTC. */
const emailHoursQuery = (id: number) => `
  select campaign_id, quarter - (wall - date_trunc('hour', wall)) as hour,
    coalesce(sum(count) filter (where activity = 'open' and is_human), 0)::bigint,
    coalesce(sum(count) filter (where activity = 'open' and not is_human), 0)::bigint,
    coalesce(sum(count) filter (where activity = 'click' and is_human), 0)::bigint,
    coalesce(sum(count) filter (where activity = 'click' and not is_human), 0)::bigint
  from (
    select campaign_id, activity, is_human, count, quarter, quarter at time zone organization.time_zone as wall
    from (
      select campaign_id, activities.key as activity,
        verdicts.key in (${humanVerdicts.join(", ")}) as is_human,
        to_timestamp((verdicts.value ->> index)::bigint * 900) as quarter,
        sum((verdicts.value ->> (index + 1))::bigint) as count
      from campaign_hours
      cross join lateral jsonb_each(counts::jsonb) as activities
      cross join lateral jsonb_each(activities.value) as verdicts
      cross join lateral generate_series(0, jsonb_array_length(verdicts.value) - 2, 2) as index
      where ${isSent("campaign_hours", id)}
      group by campaign_id, activities.key, verdicts.key, quarter
      having sum((verdicts.value ->> (index + 1))::bigint) > 0) as quarters
    cross join (select time_zone from organizations where id = ${id}) as organization) as walls
  group by campaign_id, hour`;

const columnsOf = (table: FeedTableName): ViewColumn[] =>
  Object.entries<RecordField>(feedTables[table].fields).map(([name, field]) => ({ name, ...field }));

const view = (table: FeedTableName, query: View["query"], ...more: ViewColumn[]): View => ({
  description: feedTables[table].description,
  columns: [...columnsOf(table), ...more],
  query,
});

export const views: Readonly<Record<FeedTableName, View>> = {
  emails: view("emails", emailsQuery, isCurrent),
  tags: view("tags", tagsQuery),
  email_tags: view("email_tags", emailTagsQuery),
  email_links: view("email_links", emailLinksQuery),
  email_hours: view("email_hours", emailHoursQuery),
};
