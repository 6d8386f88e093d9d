// Reads what the page of a series shows.

import { dateAt } from "../../../campaign/calendar/calendar-date.ts";
import { customPeriod } from "../../../campaign/calendar/period.ts";
import { AppError } from "../../../errors.ts";
import { type FreshCampaign, readFresh } from "../../../listing/reports/fresh-campaigns.ts";
import { readSeries, type Series } from "../../../listing/reports/series.ts";
import { toSumsFilter } from "../../../listing/sums/campaign-filter.ts";
import { findFilterDefaults } from "../../../listing/sums/filter-defaults.ts";
import {
  defaultFilters,
  type FilterDefaults,
  type PageFilters,
  toCampaignFilter,
  todayOf,
} from "../../../listing/sums/page-filters.ts";
import { quoted } from "../../../locale/quoted.ts";
import type { Reach } from "../../../storage/audience/reach.ts";
import { listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNewestIds } from "../../../storage/sums/sum-queries.ts";
import { type ReachSelection, readReach } from "../audience/reach.ts";
import { parseChoice } from "../filters/filters.ts";
import type { WebSession } from "../frame/page.ts";
import { type FoundDetails, findDetails } from "../overview/overview-details.ts";
import { type SeriesKind, seriesKinds } from "../ui/texts/series-link.ts";

/** How many issues the page can show, as the URL names them. */
export const issueCounts = ["12", "24"] as const;

interface NamedSeries {
  by: SeriesKind;
  /** The id of a tag, or the name. */
  value: string;
  name: string;
  filter: Partial<PageFilters>;
}

export interface FoundSeries extends NamedSeries {
  count: (typeof issueCounts)[number];
  /** Of the period of the issues. */
  filters: PageFilters;
  defaults: FilterDefaults;
  series: Series;
  fresh: FreshCampaign[];
  /** What the issues are about, and whom they reached. */
  details: FoundDetails;
  reach: ReachSelection & Reach;
}

/** @throws AppError `not_found` if there is no such tag, or no campaign of the team or sender */
export async function readPage(
  scope: Scope,
  session: WebSession,
  query: URLSearchParams,
  now: number,
): Promise<FoundSeries> {
  const { organization, locale } = session;
  const label = locale.t("series.issues");
  const count = parseChoice(locale, label, query.get("issues") ?? "", issueCounts) ?? "12";
  const named = await findNamed(scope, session, query);
  const defaults = await findFilterDefaults(scope, session, now);
  const filters = { ...defaultFilters(defaults), ...named.filter, period: { name: "all", span: undefined } };
  const { traffic } = filters;
  const all = await toSumsFilter(scope, toCampaignFilter(filters, defaults), traffic);
  if (named.by !== "tag" && (await findNewestIds(scope, all, 1)).length === 0) {
    throw notFound(session, named.name);
  }
  const series = await readSeries(scope, { ...organization, now }, all, Number(count));
  const [first] = series.issues;
  const from = first && dateAt(first.stored.campaign.sentAt, organization.timeZone);
  const shown = { traffic, ids: series.issues.map(({ stored }) => stored.campaign.id) };
  return {
    ...named,
    count,
    filters: { ...filters, ...(from && { period: customPeriod({ from }, todayOf(defaults)) }) },
    defaults,
    series,
    fresh: await readFresh(scope, organization, all, now),
    details: await findDetails(scope, organization, shown, []),
    reach: await readReach(scope, { filter: shown }),
  };
}

async function findNamed(scope: Scope, session: WebSession, query: URLSearchParams): Promise<NamedSeries> {
  const by = seriesKinds.find((each) => query.has(each)) ?? "tag";
  const value = (query.get(by) ?? "").toWellFormed();
  if (by !== "tag") return { by, value, name: value, filter: { [by]: value } };
  const tag = (await listTags(scope)).find(({ id }) => String(id) === value);
  if (!tag) throw notFound(session, value);
  return { by, value, name: tag.name, filter: { tagIds: [tag.id] } };
}

const notFound = ({ locale }: WebSession, name: string): AppError =>
  new AppError("not_found", locale.t("series.notFound", { name: quoted(locale, name) }));
