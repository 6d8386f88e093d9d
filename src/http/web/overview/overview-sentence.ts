// What a colleague would say, above the cards.

import { chooseClauses } from "../../../listing/reports/choose-clauses.ts";
import type { FreshCampaign, SoFar } from "../../../listing/reports/fresh-campaigns.ts";
import type { CampaignComment } from "../../../listing/reports/latest-comments.ts";
import type { OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import type { Html } from "../../../locale/html.ts";
import { type ClauseUrls, writeClauses } from "../../../locale/write-clauses.ts";
import { ratingOf } from "../comments/find-comments.ts";
import { ratings } from "../comments/rating-filter.ts";
import type { OverviewContext } from "./overview-context.ts";
import { commentsShown, type FoundDetails } from "./overview-details.ts";

interface FoundCampaigns extends FoundDetails {
  fresh: readonly FreshCampaign[];
  soFar: SoFar | undefined;
  /** All on the newest campaigns. */
  comments: readonly CampaignComment[];
}

export function overviewSentence(
  session: OverviewContext,
  numbers: OverviewNumbers,
  { campaigns, hasAllCommented: isAll, fresh, soFar, comments }: FoundCampaigns,
  urls: ClauseUrls,
): Html {
  const {
    filters: { traffic, compare },
  } = session;
  const newest = isAll ? comments : comments.slice(0, commentsShown);
  const low = newest.filter((comment) => ratings.low(ratingOf(comment))).length;
  return writeClauses(
    session,
    chooseClauses({
      numbers,
      traffic,
      campaigns,
      fresh,
      soFar,
      comments: { count: newest.length, low, isAll },
    }),
    { compare, urls },
  );
}
