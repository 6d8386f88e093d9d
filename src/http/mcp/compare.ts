// The tool compare: two to five campaigns side by side, or the groups of a period, such as its teams.

import Type, { type Static } from "typebox";
import { rangedRate } from "../../campaign/campaign-number.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { largestInteger } from "../../campaign/fields/field-schema.ts";
import { othersOf } from "../../campaign/rate-ranges.ts";
import { coveredRateOf } from "../../campaign/sum-rates.ts";
import { AppError } from "../../errors.ts";
import { findReleased } from "../../listing/find-released.ts";
import {
  areRanked,
  bestOf,
  comparedCampaigns,
  openRatesAtSameAge,
} from "../../listing/reports/campaign-comparison.ts";
import { freshOfGroup, readFresh, soFarOf } from "../../listing/reports/fresh-campaigns.ts";
import {
  type BreakdownGroup,
  computeBreakdown,
  largestGroups,
} from "../../listing/sums/breakdown-numbers.ts";
import { filterQuery } from "../../listing/sums/filter-query.ts";
import { type BreakdownField, breakdownFields } from "../../listing/sums/overview-choices.ts";
import { webPaths } from "../../paths.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import {
  answerCampaign,
  answerCoveredRate,
  answerRate,
  answerRateNames,
  answerRates,
  answerRatesOf,
  answerSoFar,
  answerTotal,
  campaignSchema,
  choice,
  compareSums,
  count,
  coveredRateSchema,
  differenceSchema,
  nullable,
  rateProperties,
  rateSchema,
  ratesSchema,
  soFarSchema,
  strict,
  totalSchema,
} from "./answer-schema.ts";
import { answerSpan, readSelection, type SelectionInput, selectionInput, spanSchema } from "./selection.ts";
import { defineTool, type ToolContext } from "./tool.ts";

const { min, max } = comparedCampaigns;
const input = Type.Object({
  ids: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: largestInteger }), {
      description: `The ids of ${min} to ${max} campaigns, instead of by.`,
      minItems: min,
      maxItems: max,
    }),
  ),
  by: Type.Optional(choice(breakdownFields, "Compares the groups of the selection.")),
  ...selectionInput,
});

const output = strict({
  campaigns: Type.Array(
    strict({
      ...campaignSchema.properties,
      rates: ratesSchema,
      open_rate_at_same_age: rateSchema,
      best_in: Type.Array(choice(answerRateNames), {
        description: "The rates in which it is the highest by more than chance.",
      }),
    }),
    { description: "Those of ids." },
  ),
  same_age_hours: nullable(
    Type.Number({ description: "While one is still counting: the last age that all have reached." }),
  ),
  cannot_tell: Type.Array(choice(answerRateNames), {
    description:
      "The rates in which no campaign is the highest by more than chance, or none may be compared.",
  }),
  period: spanSchema,
  groups: Type.Array(
    strict({
      name: nullable(Type.String({ description: "Null for campaigns without one." })),
      ...totalSchema,
      so_far: soFarSchema,
      open_rate: coveredRateSchema,
      click_rate: coveredRateSchema,
      enps: coveredRateSchema,
      vs_others: differenceSchema,
    }),
    {
      description:
        "Those of by: the twelve with the most recipients, by their open rates. vs_others compares the open rate with that of all other campaigns. A campaign with two tags is in two groups.",
    },
  ),
  groups_of: count("All groups."),
  page_url: Type.String(),
});

export const compare = defineTool({
  title: "Compare campaigns or groups",
  description:
    "Whether campaigns, teams or tags differ by more than chance. Give ids, or by with a selection. For two periods use trend.",
  input,
  output,
  async run(context, { ids, by, ...selection }) {
    if ((ids === undefined) === (by === undefined)) {
      throw new AppError("bad_request", "Give either ids or by.");
    }
    const unused = Object.keys(selection).filter((name) => name !== "traffic");
    if (ids && unused.length > 0)
      throw new AppError("bad_request", `Give ids without ${unused.join(", ")}: ids are the selection.`);
    return ids ? compareCampaigns(context, ids, selection) : compareGroups(context, by ?? "team", selection);
  },
});

async function compareCampaigns(
  context: ToolContext,
  given: readonly number[],
  { traffic = context.organization.countedTraffic }: SelectionInput,
): Promise<Static<typeof output>> {
  const { organization, database, publicUrl, now } = context;
  const ids = [...new Set(given)];
  if (ids.length < min) throw new AppError("bad_request", `ids: give ${min} to ${max} different campaigns.`);
  const campaigns = await database.queryOf(organization.id, (scope) =>
    findReleased(scope, organization, ids),
  );
  const missing = ids.find((id) => campaigns.every(({ campaign }) => campaign.id !== id));
  if (missing !== undefined) throw new AppError("not_found", `There is no campaign ${missing}.`);
  const sameAge = openRatesAtSameAge(campaigns, traffic, now);
  const best = bestRates(campaigns, traffic);
  const query = new URLSearchParams(ids.map((id) => ["ids", String(id)]));
  if (traffic !== organization.countedTraffic) query.set("traffic", traffic);
  return {
    campaigns: campaigns.map((stored, index) => ({
      ...answerCampaign(stored, context, traffic),
      rates: answerRatesOf(stored, traffic),
      open_rate_at_same_age: answerRate(sameAge?.rates[index] ?? null),
      best_in: answerRateNames.filter((name) => best[name][index]),
    })),
    same_age_hours: sameAge ? sameAge.age / 3_600_000 : null,
    cannot_tell: answerRateNames.filter((name) => !best[name].includes(true)),
    period: null,
    groups: [],
    groups_of: 0,
    page_url: `${publicUrl}${webPaths.compare}?${query}`,
  };
}

/** Whether each campaign is the best in each rate. */
const bestRates = (campaigns: readonly StoredCampaign[], traffic: TrafficFilter) =>
  rateProperties((name) => {
    const rate = answerRates[name];
    const numbers = campaigns.map((stored) => rangedRate(stored, traffic, rate));
    return areRanked(rate, campaigns, traffic) ? bestOf(numbers) : [];
  });

function compareGroups(
  context: ToolContext,
  by: BreakdownField,
  selection: SelectionInput,
): Promise<Static<typeof output>> {
  const { organization, database, publicUrl } = context;
  return database.snapshotOf(organization.id, async (scope) => {
    const { filters, defaults } = await readSelection(scope, context, selection);
    const breakdown = await computeBreakdown(scope, { filters, by }, defaults);
    const fresh = await readFresh(scope, organization, breakdown.filter, context.now);
    const tags = by === "tag" ? await listTags(scope) : [];
    const nameOf = (key: BreakdownGroup["key"]) => {
      if (by === "tag") return tags.find(({ id }) => id === key)?.name ?? null;
      return key === null ? null : String(key);
    };
    const rateOf = ({ total }: BreakdownGroup) => coveredRateOf(total, "openRate").rate ?? -1;
    const largest = largestGroups(breakdown.groups).sort((a, b) => rateOf(b) - rateOf(a));
    return {
      campaigns: [],
      same_age_hours: null,
      cannot_tell: [],
      period: answerSpan(breakdown.span),
      groups: largest.map(({ key, total }) => ({
        name: nameOf(key),
        so_far: answerSoFar(soFarOf(total, freshOfGroup(fresh, by, key), filters.traffic), "openRate"),
        ...answerTotal(total),
        open_rate: answerCoveredRate(total, "openRate", breakdown.total),
        click_rate: answerCoveredRate(total, "clickRate", breakdown.total),
        enps: answerCoveredRate(total, "enpsIndex", breakdown.total),
        vs_others: compareSums(total, othersOf(breakdown.total, total), {
          name: "openRate",
          traffic: filters.traffic,
          all: breakdown.total,
        }),
      })),
      groups_of: breakdown.groups.length,
      page_url: `${publicUrl}${webPaths.breakdown}?${new URLSearchParams([...filterQuery(filters, defaults), ["by", by]])}`,
    };
  });
}
