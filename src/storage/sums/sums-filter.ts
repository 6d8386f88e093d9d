// Which rows of the table `sums` a page wants.

import { type RawBuilder, sql } from "kysely";
import type { KindOfNumbers, SurveyFilter } from "../../campaign/campaign-number.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { EmailSelection } from "../campaigns/emails.ts";
import { teamKeyOf } from "../campaigns/teams.ts";
import { isAnyOf } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";

/** Which campaigns, with the numbers of which traffic. A campaign has to match all. */
export interface SumsFilter extends EmailSelection {
  traffic: TrafficFilter;
  /** The campaign is of one of these teams. */
  teams?: readonly string[] | undefined;
  sendingType?: string | undefined;
  surveys?: SurveyFilter | undefined;
  kinds?: readonly KindOfNumbers[] | undefined;
  ids?: readonly number[] | undefined;
  /** The campaign has recipients, and at least one of them opened it. */
  isOpened?: boolean | undefined;
  /** The campaign is not still counting. */
  isSettled?: boolean | undefined;
}

/** The condition on the rows of `sums` that a filter selects. */
export function sumsCondition(scope: Scope, filter: SumsFilter): RawBuilder<unknown> {
  const { traffic, sentFrom, sentUntil, tagIds, teams, sendingType, surveys, kinds, ids } = filter;
  const conditions = [sql`sums.organization_id = ${scope.organizationId} and sums.traffic = ${traffic}`];
  if (sentFrom !== undefined) conditions.push(sql`sums.sent_at >= ${sentFrom}`);
  if (sentUntil !== undefined) conditions.push(sql`sums.sent_at < ${sentUntil}`);
  if (tagIds) {
    conditions.push(sql`exists (
      select 1 from campaign_tags where campaign_tags.organization_id = sums.organization_id
        and campaign_tags.campaign_id = sums.campaign_id
        and ${isAnyOf(scope, "campaign_tags.tag_id", tagIds)})`);
  }
  if (teams) conditions.push(isAnyOf(scope, "sums.team", stored(teams)));
  if (sendingType !== undefined) {
    conditions.push(isAnyOf(scope, "sums.sending_type", stored([sendingType])));
  }
  if (surveys === "some") conditions.push(sql`sums.surveys in ('rated', 'some')`);
  else if (surveys !== undefined) conditions.push(sql`sums.surveys = ${surveys}`);
  if (kinds) conditions.push(isAnyOf(scope, "sums.kind", kinds));
  if (ids) conditions.push(isAnyOf(scope, "sums.campaign_id", ids));
  if (filter.isOpened) conditions.push(sql`sums.recipient_count > 0 and sums.unique_opens > 0`);
  if (filter.isSettled) conditions.push(sql`sums.settled_campaigns = 1`);
  return sql.join(conditions, sql` and `);
}

/** Texts as they are stored. None has the character NUL, which PostgreSQL refuses. */
const stored = (texts: readonly string[]) => texts.filter((text) => !text.includes("\0")).map(teamKeyOf);

/** The filter for the campaigns that have activity by hour and link: imported ones have none. */
export function countedOf(filter: SumsFilter): SumsFilter {
  return { ...filter, kinds: ["counted", "closed"] };
}

/** Joins each row of `sums` with the typed record of its campaign. */
export function emailOfSums() {
  return sql`join emails on emails.organization_id = sums.organization_id
    and emails.sent_at = sums.sent_at and emails.id = sums.campaign_id`;
}
