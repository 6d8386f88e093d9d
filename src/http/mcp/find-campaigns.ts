// The tool find_campaigns: campaigns in an order, as the page of campaigns lists them, with their totals.

import Type from "typebox";
import { type NumberName, numberOf } from "../../campaign/campaign-number.ts";
import { findReleased } from "../../listing/find-released.ts";
import { toSumsFilter } from "../../listing/sums/campaign-filter.ts";
import { sortCampaigns } from "../../listing/sums/campaign-values.ts";
import { filterQuery } from "../../listing/sums/filter-query.ts";
import { toCampaignFilter } from "../../listing/sums/page-filters.ts";
import { webPaths } from "../../paths.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import {
  answerCampaign,
  answerCoveredRate,
  answerRates,
  answerRatesOf,
  answerTotal,
  campaignSchema,
  choice,
  coveredRateSchema,
  knownCount,
  rateProperties,
  ratesSchema,
  strict,
  totalSchema,
} from "./answer-schema.ts";
import { answerSpan, readSelection, selectionInput, spanSchema } from "./selection.ts";
import { defineTool } from "./tool.ts";

/** What the list is sorted by, by its values in the URL of the page. */
const sortKeys = {
  ...answerRates,
  recipients: "recipient_count",
  opens: "unique_opens",
  clicks: "unique_clicks",
  comments: "comments_count",
} as const satisfies Record<string, NumberName>;
const sortNames = ["sent_at", ...(Object.keys(sortKeys) as (keyof typeof sortKeys)[])] as const;

export const findCampaigns = defineTool({
  title: "Find campaigns",
  description:
    "Campaigns that match, newest first or by a number, with the totals of all of them. An order by a rate puts small campaigns at both ends by chance: trend says which ones stand out.",
  input: Type.Object({
    ...selectionInput,
    sort: Type.Optional(choice(sortNames)),
    ascending: Type.Optional(Type.Boolean({ description: "Lowest or oldest first." })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "10 by default." })),
  }),
  output: strict({
    period: spanSchema,
    ...totalSchema,
    rates: strict(
      rateProperties(() => coveredRateSchema),
      "Of all campaigns that match.",
    ),
    found: Type.Array(
      strict({
        ...campaignSchema.properties,
        recipients: knownCount,
        opens: knownCount,
        clicks: knownCount,
        comments: knownCount,
        rates: ratesSchema,
      }),
      { description: "The first ones." },
    ),
    page_url: Type.String(),
  }),
  async run(context, { sort = "sent_at", ascending = false, limit = 10, ...input }) {
    const { organization, database, publicUrl } = context;
    return database.snapshotOf(organization.id, async (scope) => {
      const { filters, defaults } = await readSelection(scope, context, input);
      const { traffic } = filters;
      const selected = toCampaignFilter(filters, defaults);
      const filter = await toSumsFilter(scope, selected, traffic);
      const { sums } = await findTotals(scope, filter, Object.values(answerRates));
      const by = sort === "sent_at" ? sort : sortKeys[sort];
      const sorted = await sortCampaigns(scope, filter, { by, isAscending: ascending });
      const ids = sorted.slice(0, limit).map(({ id }) => id);
      const campaigns = await findReleased(scope, organization, ids);
      const query = filterQuery(filters, defaults);
      if (sort !== "sent_at") query.set("sort", sort);
      if (sort !== "sent_at" || ascending) query.set("order", ascending ? "asc" : "desc");
      return {
        period: answerSpan(filters.period.span),
        ...answerTotal(sums),
        rates: rateProperties((name) => answerCoveredRate(sums, answerRates[name])),
        found: campaigns.map((stored) => ({
          ...answerCampaign(stored, context, traffic),
          recipients: numberOf(stored, traffic, "recipient_count"),
          opens: numberOf(stored, traffic, "unique_opens"),
          clicks: numberOf(stored, traffic, "unique_clicks"),
          comments: numberOf(stored, traffic, "comments_count"),
          rates: answerRatesOf(stored, traffic),
        })),
        page_url: `${publicUrl}${webPaths.campaigns}?${query}`,
      };
    });
  },
});
