// The content of a report and of a digest: every number is that of a page.

import { dateAt } from "../../campaign/calendar/calendar-date.ts";
import { customPeriod, type DateSpan } from "../../campaign/calendar/period.ts";
import { rangedRate } from "../../campaign/campaign-number.ts";
import type { Clauses } from "../../campaign/clauses.ts";
import { areDifferent, type Ranged } from "../../campaign/ranges.ts";
import type { CoveredRateName } from "../../campaign/sum-rates.ts";
import { leftOutOf } from "../../campaign/sums.ts";
import { isStillCounting, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findSampleImport } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { countComments, findCommented } from "../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { findNewest, findReleased } from "../find-released.ts";
import { findFilterDefaults } from "../sums/filter-defaults.ts";
import type { OverviewView } from "../sums/overview-choices.ts";
import {
  computeOverview,
  type OverviewNumbers,
  type RateLine,
  rateLineOf,
} from "../sums/overview-numbers.ts";
import { defaultFilters, type FilterDefaults, type PageFilters } from "../sums/page-filters.ts";
import { findBenchmarks } from "./campaign-benchmarks.ts";
import { readClauses } from "./choose-clauses.ts";
import type { FreshCampaign } from "./fresh-campaigns.ts";
import { type CampaignComment, chooseCommented, LatestCommentsReader } from "./latest-comments.ts";
import type { ReportPeriod } from "./report-period.ts";

/** The rates of the overview's cards, without read time. */
const reportedRates = [
  "openRate",
  "clickRate",
  "clickToOpenRate",
  "enpsIndex",
] as const satisfies CoveredRateName[];

export interface PeriodReport {
  organization: Organization;
  period: ReportPeriod;
  /** When it was read. */
  at: number;
  /** The campaigns of the period, the mails, and how many of the campaigns are still counting. */
  sent: { campaigns: number; recipients: number; counting: number };
  rates: ReportedRate[];
  /** The period before. `rated` has the campaigns of the rates, and those left out as still counting. */
  compared: DateSpan | undefined;
  rated: { campaigns: number; counting: number };
  best: RankedRate[];
  worst: RankedRate[];
  /** Those of the campaigns that are still counting, newest first. */
  fresh: FreshCampaign[];
  /** The sentence on the campaigns. */
  clauses: Clauses;
  /** The comments on the campaigns of the period, without their times, which could reveal who wrote them. */
  comments: { count: number; latest: CampaignComment[] };
  /** Whether sample data may be among the campaigns. */
  hasSample: boolean;
  /** The filters of the overview with the same rates. */
  page: { filters: PageFilters; view: OverviewView; defaults: FilterDefaults };
}

type ReportedRate = RateLine<(typeof reportedRates)[number]> & { rate: Ranged };

/** A campaign that differs by more than chance from the usual rate that its page compares it with. */
interface RankedRate {
  stored: StoredCampaign;
  rate: Ranged;
  usual: Ranged;
  /** The team or tag that the rate is usual for; empty for all campaigns. */
  baseline: string;
}

interface ReportContext {
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** @returns undefined if the organization sent no campaign in the period, nor in that of the rates */
export async function readReport(
  context: ReportContext,
  organization: Organization,
  period: ReportPeriod,
): Promise<PeriodReport | undefined> {
  const { timeZone } = organization;
  const at = context.now();
  const read = await context.database.snapshotOf(organization.id, async (scope) => {
    const defaults = await findFilterDefaults(scope, { organization }, at);
    const filtersOf = ({ first: from, last: until }: DateSpan): PageFilters => ({
      ...defaultFilters(defaults),
      period: customPeriod({ from, until }, dateAt(at, timeZone)),
    });
    const filters = filtersOf(period.rated);
    const view: OverviewView = { chart: "open_rate" };
    const compute = (of: PageFilters) => computeOverview(scope, of, defaults, view);
    const numbers = await compute(filters);
    const newer = period.sent === period.rated ? numbers : await compute(filtersOf(period.sent));
    const sent = newer.total;
    const { total } = numbers;
    if (sent.campaigns + total.campaigns === 0) return undefined;
    const { fresh, clauses } = await readClauses(scope, organization, newer, at);
    const { count, stored } = await findComments(scope, organization, newer.filter);
    const report: Omit<PeriodReport, "comments"> = {
      organization,
      period,
      at,
      sent: { campaigns: sent.campaigns, recipients: sent.recipients, counting: leftOutOf(sent) },
      rates: ratesOf(numbers, filters),
      compared: numbers.compared?.span,
      rated: { campaigns: total.campaigns, counting: leftOutOf(total) },
      ...(await readRanked(scope, organization, numbers.filter)),
      fresh,
      clauses,
      hasSample: (await findSampleImport(scope)) !== undefined,
      page: { filters, view, defaults },
    };
    return { report, count, stored };
  });
  if (!read) return undefined;
  const { limit } = commented;
  const reader = new LatestCommentsReader(context.database);
  const latest = await reader.read(organization, read.stored, { limit, signal: undefined });
  return { ...read.report, comments: { count: read.count, latest } };
}

function ratesOf(numbers: OverviewNumbers, { traffic }: PageFilters): ReportedRate[] {
  return reportedRates.flatMap((name) => {
    const { rate, ...line } = rateLineOf(numbers, name, traffic);
    return rate ? [{ ...line, rate }] : [];
  });
}

/** Each compared campaign takes a few queries. */
const maxCompared = 100;
const rankedShown = 5;

/** The campaigns of a week are few, so each is compared with what its page compares it with. */
async function readRanked(
  scope: Scope,
  organization: Organization,
  filter: SumsFilter,
): Promise<Record<"best" | "worst", RankedRate[]>> {
  const different: RankedRate[] = [];
  for (const stored of await findNewest(scope, organization, filter, maxCompared)) {
    const rate = isStillCounting(stored) ? null : rangedRate(stored, filter.traffic, "openRate");
    if (!rate) continue;
    const { baseline } = await findBenchmarks(scope, stored, filter.traffic);
    const usual = baseline.usual("openRate");
    if (usual && areDifferent(rate, usual)) different.push({ stored, rate, usual, baseline: baseline.name });
  }
  const ranked = (side: 1 | -1) => {
    const distanceOf = ({ rate, usual }: RankedRate) => side * (rate.value - usual.value);
    const ofSide = different.filter((each) => distanceOf(each) > 0);
    return ofSide.sort((a, b) => distanceOf(b) - distanceOf(a)).slice(0, rankedShown);
  };
  return { best: ranked(1), worst: ranked(-1) };
}

const commented = { limit: 3, maxAnswers: 10_000 };

/** How many there are, and the campaigns that the newest are on. */
async function findComments(scope: Scope, organization: Organization, filter: SumsFilter) {
  const { counted: count = 0 } = await countComments(scope, filter);
  const ids = chooseCommented(await findCommented(scope, filter), commented);
  return { count, stored: await findReleased(scope, organization, ids) };
}
