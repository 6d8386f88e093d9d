// The statements behind the SQL views of an organization: plain selects of published rows.

import { restId } from "../../campaign/audience/copy-groups.ts";
import { groupCountColumns } from "../../campaign/audience/group-counts.ts";
import { verdictMeanings } from "../../campaign/events/activity.ts";
import { type FeedField, feedFieldNames, feedFields } from "../../campaign/feed/feed-fields.ts";
import { type FeedTableName, feedTables } from "../../campaign/feed/feed-tables.ts";
import { normalErrors } from "../../campaign/ranges.ts";
import type { RecordField } from "../../campaign/record-fields.ts";

export interface ViewColumn extends Pick<RecordField, "description" | "unit" | "nullMeans"> {
  name: string;
}

interface View {
  description: string;
  columns: readonly ViewColumn[];
  /** Returns the columns in their order. */
  query: (organizationId: number) => string;
}

/** Lets filters on `emails.sent_at` read only what they select. Its expression must match that of the column. */
export const sentAtIndex = {
  name: "emails_sent_at_instant",
  definition: "on emails (organization_id, to_timestamp(sent_at / 1000.0))",
} as const;

const humanVerdicts = Object.entries(verdictMeanings)
  .filter(([, { isHuman }]) => isHuman)
  .map(([name]) => `'${name}'`);

/** Tools filter without regard to case, which the collation of the tables does for ASCII letters only. */
const text = (column: string) => `${column} collate "default"`;

const typed: Record<RecordField["type"], (column: string) => string> = {
  integer: (column) => column,
  number: (column) => column,
  string: text,
  instant: (column) => `to_timestamp(${column} / 1000.0)`,
  date: (column) => `${column}::date`,
  tags: (column) => `${column}::jsonb`,
};

const columnOf = (name: FeedField) => typed[feedFields[name].type](name);

const emailsQuery = (id: number) =>
  `select ${feedFieldNames.map(columnOf).join(", ")} from emails where organization_id = ${id}`;

/** A condition on a table whose rows belong to campaigns: they are published. */
const isSent = (table: string, id: number) => `${table}.organization_id = ${id} and exists (
  select from changes where changes.organization_id = ${id} and changes.campaign_id = ${table}.campaign_id
    and changes.sent_at is not null)`;

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

/** A quotient in whole numbers, so that it is rounded as `ratio` rounds it: half up to a multiple of 1 / `parts`. */
const ratio = (part: string, whole: string, parts: number) =>
  `(${2 * parts} * ${part} + ${whole}) / (2 * nullif(${whole}, 0)) / ${parts}::float8`;

/** An end of the range of a rate: the steps of `shareRange`, in their order, so that every bit is the same. */
function rangeEnd(part: string, end: "low" | "high"): string {
  const rate = `(${part} / recipients::float8)`;
  const squared = `(${normalErrors ** 2} / recipients::float8)`;
  const center = `((${rate} + ${squared} / 2) / (1 + ${squared}))`;
  const half = `${normalErrors} / (1 + ${squared}) * sqrt((${rate} * (1 - ${rate}) + ${squared} / 4) / recipients)`;
  const [edge, value, sign] = end === "low" ? ["0", "0", "-"] : ["recipients", "1", "+"];
  const exact = `case when ${part} = ${edge} then ${value} else ${center} ${sign} ${half} end`;
  return `case when recipients is not null then floor(10000 * (${exact}) + 0.5) / 10000 end`;
}

const rateAndRange = (part: string) =>
  [ratio(part, "recipients", 10_000), rangeEnd(part, "low"), rangeEnd(part, "high")].join(", ");

const emailGroupsQuery = (id: number) => `
  select campaign_id, ${text("attribute")}, ${text("value")}, recipients, opens, ${rateAndRange("opens")},
    clicks, ${rateAndRange("clicks")}, glanced, skimmed, read, ratings, ${ratio("scores", "ratings", 100)}, answers
  from (
    select released_groups.campaign_id, attributes.name as attribute,
      case when named.id = attributes.id then '' else named.name end as value,
      case when campaigns.listed is not null then released_groups.recipients end as recipients,
      case counted_traffic when 'people' then people_opens else all_opens end as opens,
      case counted_traffic when 'people' then people_clicks else all_clicks end as clicks,
      glanced, skimmed, read, enps_reactions as ratings,
      enps_scores as scores, survey_reactions as answers
    from (
      select campaign_id, attribute_id, (counted ->> 0)::bigint as group_id,
        ${groupCountColumns.map((column, index) => `(counted ->> ${index + 1})::bigint as ${column}`).join(", ")}
      from released_groups cross join lateral jsonb_array_elements(groups::jsonb) as counted
      where ${isSent("released_groups", id)}) as released_groups
    join campaigns on campaigns.organization_id = ${id} and campaigns.id = released_groups.campaign_id
    join audience_groups as attributes on attributes.organization_id = ${id}
      and attributes.id = released_groups.attribute_id
    join audience_groups as named on named.organization_id = ${id} and named.id = released_groups.group_id
    cross join (select counted_traffic from organizations where id = ${id}) as organization
    where released_groups.group_id <> ${restId}) as released`;

const columnsOf = (table: FeedTableName): ViewColumn[] =>
  Object.entries<RecordField>(feedTables[table].fields).map(([name, field]) => ({ name, ...field }));

const view = (table: FeedTableName, query: View["query"]): View => ({
  description: feedTables[table].description,
  columns: columnsOf(table),
  query,
});

export const views: Readonly<Record<FeedTableName, View>> = {
  emails: view("emails", emailsQuery),
  tags: view("tags", tagsQuery),
  email_tags: view("email_tags", emailTagsQuery),
  email_links: view("email_links", emailLinksQuery),
  email_hours: view("email_hours", emailHoursQuery),
  email_groups: view("email_groups", emailGroupsQuery),
};
