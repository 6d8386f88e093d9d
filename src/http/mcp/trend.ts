// The tool trend: what the overview shows of a period, as a value, a change, a series, and the campaigns that stand out.

import Type from "typebox";
import { comparisons } from "../../campaign/calendar/period.ts";
import { rangedRate } from "../../campaign/campaign-number.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { rateOfSome, type SpreadSums } from "../../campaign/rate-ranges.ts";
import type { CoveredRateName } from "../../campaign/sum-rates.ts";
import { leftOutOf } from "../../campaign/sums.ts";
import { findReleased } from "../../listing/find-released.ts";
import { readClauses } from "../../listing/reports/choose-clauses.ts";
import { overviewQuery } from "../../listing/sums/filter-query.ts";
import { type ChartMetric, chartMetrics } from "../../listing/sums/overview-choices.ts";
import { computeOverview, type OverviewNumbers, rateLineOf } from "../../listing/sums/overview-numbers.ts";
import { locales } from "../../locale/locale.ts";
import { clausesText } from "../../locale/write-clauses.ts";
import {
  answerCampaign,
  answerCoveredRate,
  answerRate,
  answerSoFar,
  answerTotal,
  campaignSchema,
  choice,
  compareRates,
  compareSums,
  count,
  coveredRateSchema,
  differenceSchema,
  nullable,
  rateSchema,
  soFarSchema,
  strict,
  totalSchema,
  untrusted,
  untrustedNote,
} from "./answer-schema.ts";
import { answerSpan, readSelection, selectionInput, spanSchema } from "./selection.ts";
import { defineTool } from "./tool.ts";

const metricNames = Object.keys(chartMetrics) as ChartMetric[];
const standoutSchema = Type.Array(strict({ ...campaignSchema.properties, open_rate: rateSchema }));

export const trend = defineTool({
  title: "Trend of a period",
  description:
    "A metric over a period, compared with the period before or with the year before, in days, weeks, months or years; and the subjects that worked best and worst.",
  input: Type.Object({
    ...selectionInput,
    metric: Type.Optional(choice(metricNames, "open_rate by default.")),
    compare: Type.Optional(
      choice(
        comparisons,
        "previous by default: the span before. An unfinished period is compared with as many days of the one before.",
      ),
    ),
  }),
  output: strict({
    metric: choice(metricNames),
    period: spanSchema,
    ...totalSchema,
    rate: Type.Union([coveredRateSchema, Type.Null()], { description: "Null for the metric campaigns." }),
    sentence: strict(untrusted, untrustedNote),
    so_far: soFarSchema,
    compared_with: nullable(
      strict(
        { period: spanSchema, campaigns: count("All that match."), rate: nullable(coveredRateSchema) },
        "Null if that period had no campaigns.",
      ),
    ),
    change: nullable(differenceSchema),
    unit: choice(["day", "week", "month", "year"]),
    series: Type.Array(
      strict({
        first: Type.String(),
        last: Type.String(),
        campaigns: totalSchema.campaigns,
        still_counting: totalSchema.still_counting,
        rate: rateSchema,
      }),
    ),
    stand_out: strict(
      {
        best: standoutSchema,
        worst: standoutSchema,
        nothing_stands_out: Type.Boolean({
          description: "Chance explains how all open rates differ: then name no best or worst subject.",
        }),
      },
      "Campaigns whose open rates differ from the others by more than chance.",
    ),
    page_url: Type.String(),
  }),
  async run(context, { metric = "open_rate", compare = "previous", ...input }) {
    const { organization, database, publicUrl } = context;
    const view = { chart: metric };
    return database.snapshotOf(organization.id, async (scope) => {
      const { filters: selected, defaults } = await readSelection(scope, context, input);
      const filters = { ...selected, compare };
      const numbers = await computeOverview(scope, filters, defaults, view);
      const { total, compared, ranked, span, buckets } = numbers;
      const { traffic } = filters;
      const name = chartMetrics[metric];
      // Ranked by the rate without its chance, and in the order of the numbers that the page prints.
      const listed = async (ids: readonly number[], side: 1 | -1) => {
        const campaigns = await findReleased(scope, organization, ids);
        const rated = campaigns.map((stored) => ({ stored, rate: rangedRate(stored, traffic, "openRate") }));
        rated.sort((a, b) => side * ((b.rate?.value ?? 0) - (a.rate?.value ?? 0)));
        return rated.map(({ stored, rate }) => ({
          ...answerCampaign(stored, context, traffic),
          open_rate: answerRate(rate),
        }));
      };
      const { soFar, clauses } = await readClauses(scope, organization, numbers, context.now);
      const [best, worst] = [await listed(ranked.best, 1), await listed(ranked.worst, -1)];
      return {
        metric,
        period: answerSpan(span),
        ...answerTotal(total),
        rate: name ? answerCoveredRate(total, name) : null,
        sentence: { untrusted_text: clausesText(locales.en, clauses, compare) },
        so_far: answerSoFar(soFar, name),
        compared_with: compared
          ? {
              period: answerSpan(compared.span),
              campaigns: compared.total.campaigns,
              rate: name ? answerCoveredRate(compared.total, name) : null,
            }
          : null,
        change: compared && name ? changeOf(numbers, compared.total, { name, traffic }) : null,
        unit: buckets.unit,
        series: seriesOf(numbers, name),
        stand_out: {
          best,
          worst,
          nothing_stands_out: best.length + worst.length === 0 && total.settledCampaigns > 0,
        },
        page_url: `${publicUrl}/?${overviewQuery(filters, view, defaults)}`,
      };
    });
  },
});

/** Compares as the card of the overview does. */
function changeOf(
  numbers: OverviewNumbers,
  before: SpreadSums,
  compared: { name: CoveredRateName; traffic: TrafficFilter },
): ReturnType<typeof compareSums> {
  const change = compareSums(numbers.total, before, compared);
  if (change.difference === null) return change;
  const line = rateLineOf(numbers, compared.name, compared.traffic);
  return compareRates(line.rate, line.before, { yearBefore: line.yearBefore });
}

function seriesOf({ buckets, trend: sums, total }: OverviewNumbers, name: CoveredRateName | undefined) {
  return buckets.spans.map((span, index) => {
    const some = sums[index];
    return {
      ...(answerSpan(span) as { first: string; last: string }),
      campaigns: some?.campaigns ?? 0,
      still_counting: some ? leftOutOf(some) : 0,
      rate: name && some ? answerRate(rateOfSome(some, total, name)) : null,
    };
  });
}
