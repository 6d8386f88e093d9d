// What a colleague would say, above the cards.

import { chooseClauses } from "../../../listing/reports/choose-clauses.ts";
import type { FreshCampaign } from "../../../listing/reports/fresh-campaigns.ts";
import type { CampaignComment } from "../../../listing/reports/latest-comments.ts";
import { filterQuery, overviewQuery } from "../../../listing/sums/filter-query.ts";
import type { OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import type { TeamAverages } from "../../../listing/sums/team-averages.ts";
import type { Html } from "../../../locale/html.ts";
import { writeClauses } from "../../../locale/write-clauses.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import { campaignUrl } from "../campaigns/campaign-url.ts";
import { ratings } from "../comments/comments-url.ts";
import { ratingOf } from "../comments/find-comments.ts";
import { listQuery } from "../filters/filters.ts";
import type { OverviewContext } from "./overview-context.ts";
import { commentsShown, type FoundDetails, latestCommentsId } from "./overview-details.ts";
import { chartId } from "./overview-metrics.ts";

interface FoundCampaigns {
  details: FoundDetails;
  averages: TeamAverages;
  fresh: readonly FreshCampaign[];
  /** All on the newest campaigns. */
  comments: readonly CampaignComment[];
}

export function overviewSentence(
  { locale, filters, defaults, view }: OverviewContext,
  numbers: OverviewNumbers,
  { details: { campaigns, hasAllCommented: isAll }, averages, fresh, comments }: FoundCampaigns,
): Html {
  const { traffic, compare } = filters;
  const newest = isAll ? comments : comments.slice(0, commentsShown);
  const low = newest.filter((comment) => ratings.low(ratingOf(comment))).length;
  const shown = { numbers, ranking: view.ranking, campaigns, averages, fresh };
  const clauses = chooseClauses({ ...shown, comments: { count: newest.length, low, isAll } }, traffic);
  const list = listQuery(filters, defaults);
  const chart = overviewQuery(filters, { ...view, chart: "open_rate" }, defaults);
  const urls = {
    list: urlWithQuery(paths.web.campaigns, list),
    rate: `${urlWithQuery("/", chart)}#${chartId}`,
    comments: isAll
      ? urlWithQuery(paths.web.comments, filterQuery(filters, defaults))
      : `#${latestCommentsId}`,
    campaign: (id: number) => campaignUrl(id, defaults, { traffic, list }),
  };
  return writeClauses(locale, clauses, { compare, urls });
}
