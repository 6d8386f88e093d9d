// A series, the campaigns with a tag, of a team or from a sender: its last issues, each at the same age, beside the year before.

import { dateAt } from "../../campaign/calendar/calendar-date.ts";
import { dayMs } from "../../campaign/calendar/durations.ts";
import { comparedSpan, type DateSpan, instantsOf } from "../../campaign/calendar/period.ts";
import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import { countUpTo, recordedAges } from "../../campaign/events/ages.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { spreadOf } from "../../campaign/ranges.ts";
import { addUpSums, type SpreadSums } from "../../campaign/rate-ranges.ts";
import { rateOfParts, ratePartNames, ratePartsOf } from "../../campaign/sum-rates.ts";
import { ofTraffic } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { findNewest } from "../find-released.ts";
import { type BestAndWorst, bestAndWorst, rankRates } from "../sums/best-and-worst.ts";
import { toAgedCampaign } from "./aged-campaigns.ts";
import { averagedDays } from "./campaign-benchmarks.ts";

export interface SeriesIssue {
  stored: StoredCampaign;
  sums: SpreadSums;
}

export interface Series {
  /** The newest that are not still counting, oldest first. */
  issues: SeriesIssue[];
  /** The issues that are compared: those of the year before the newest. */
  total: SpreadSums;
  /** The campaigns of the same dates a year before; undefined without any. */
  compared: { span: DateSpan; total: SpreadSums } | undefined;
  /** Whether each is counted until the same age. Otherwise some are imported, without ages, and each has its numbers of today. */
  isAged: boolean;
  /** The open rate of all issues; null without any. */
  usual: number | null;
  /** The ids of the issues that differ from the others by more than chance. */
  ranked: BestAndWorst;
}

const issuesShown = 12;
const rankedShown = 5;
/** More campaigns of the year before would take too long. */
const maxCompared = 200;

/** @param filter selects the series */
export async function readSeries(
  scope: Scope,
  organization: Organization,
  filter: SumsFilter,
): Promise<Series> {
  const { timeZone } = organization;
  const read = (selected: SumsFilter, most: number) =>
    findNewest(scope, organization, { ...selected, isSettled: true }, most);
  const shown = (await read(filter, issuesShown)).reverse();
  const since = (shown.at(-1)?.campaign.sentAt ?? 0) - averagedDays * dayMs;
  const ofYear = shown.filter(({ campaign }) => campaign.sentAt > since);
  const dayOf = ({ campaign }: StoredCampaign) => dateAt(campaign.sentAt, timeZone);
  const [first, last] = [ofYear[0], ofYear.at(-1)];
  const days = first && last && { first: dayOf(first), last: dayOf(last) };
  const span = days && comparedSpan({ span: days }, "year", days.last);
  const found = span ? await read({ ...filter, ...instantsOf(span, timeZone) }, maxCompared) : [];
  // A year has a day more than the first issue is away from the last one.
  const before = found.filter(({ campaign }) => campaign.sentAt < (first?.campaign.sentAt ?? 0));
  const isAged = [...shown, ...before].every(
    ({ campaign, numbers }) => "tallies" in numbers || !campaign.recipientCount,
  );
  const issues = shown.map((stored) => ({ stored, sums: sumsOf(stored, filter.traffic, isAged) }));
  const sumOf = (some: readonly StoredCampaign[]) =>
    addUpSums(some.map((stored) => sumsOf(stored, filter.traffic, isAged)));
  const rates = issues.map(({ stored: { campaign }, sums }) => {
    const parts = ratePartsOf(sums, "openRate");
    return { ...campaign, team: null, parts: ratePartNames.map((name) => parts[name]), given: [null] };
  });
  return {
    issues,
    total: sumOf(ofYear),
    compared: span && before.length > 0 ? { span, total: sumOf(before) } : undefined,
    isAged,
    usual: rateOfParts(ratePartsOf(sumOf(shown), "openRate")),
    ranked: bestAndWorst(rankRates(rates), rankedShown),
  };
}

/** What a campaign adds. @param isAged whether its opens and clicks are those until the last of the recorded ages */
export function sumsOf(stored: StoredCampaign, traffic: TrafficFilter, isAged: boolean): SpreadSums {
  const sums: SpreadSums = { ...sumsOfCampaign(ofTraffic(stored, traffic)), spreads: {} };
  const aged = isAged ? toAgedCampaign(stored, traffic) : undefined;
  if (aged) {
    const until = (spans: readonly number[]) =>
      Math.min(countUpTo(spans, recordedAges["7d"]), aged.recipientCount);
    sums.opens = until(aged.opensByAge);
    sums.clicks = until(aged.clicksByAge);
  }
  for (const name of ["openRate", "clickRate", "enpsIndex"] as const) {
    const { part, whole } = ratePartsOf(sums, name);
    sums.spreads[name] = spreadOf(part, whole);
  }
  return sums;
}
