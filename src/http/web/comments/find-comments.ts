// Finds the comments of a request: of the campaigns that match, by rating and words, newest campaign first.

import { foldCase } from "../../../campaign/fields/fold-case.ts";
import { searchWords } from "../../../campaign/fields/search-words.ts";
import { findReleased } from "../../../listing/find-released.ts";
import { type CampaignComment, chooseCommented } from "../../../listing/reports/latest-comments.ts";
import { type CampaignQuestions, findQuestions } from "../../../storage/campaigns/campaign-questions.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { countComments, findCommented } from "../../../storage/sums/sum-queries.ts";
import type { FilteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { WebContext } from "../frame/web-context.ts";
import { type RatingFilter, ratings } from "./rating-filter.ts";

/** Reading a thousand answers for the first time takes up to ten milliseconds, and each campaign a query. */
const limits = { limit: 500, maxAnswers: 60_000 };

export interface FoundComments {
  /** The questions of surveys, by campaign. */
  questions: ReadonlyMap<number, CampaignQuestions>;
  /** The teams of campaigns. */
  teams: ReadonlyMap<number, string | null>;
  comments: CampaignComment[];
  /** Campaigns with comments that would take too long to read. */
  leftOut: number;
  /** Numbers of comments in all campaigns, whatever their ratings and words: imports have no texts, and closing deletes them. */
  withoutText: { reported: number; closed: number };
}

/** Commented campaigns, without their comments. */
type Commented = Awaited<ReturnType<typeof readCommented>>;

export async function readCommented(
  scope: Scope,
  { filter, organization }: Pick<FilteredCampaigns, "filter" | "organization">,
) {
  const commented = await findCommented(scope, filter);
  const ids = chooseCommented(commented, limits);
  return {
    leftOut: commented.length - ids.length,
    campaigns: await findReleased(scope, organization, ids),
    questions: await findQuestions(scope, ids),
    counts: await countComments(scope, filter),
  };
}

/** The words of the search are in the comment or the subject, in any order and letter case. */
export async function findComments(
  { comments, shutdownSignal: signal }: WebContext,
  { asked: rating, page, organization }: FilteredCampaigns<RatingFilter>,
  { campaigns, questions, counts, leftOut }: Commented,
): Promise<FoundComments> {
  const all = await comments.read(organization, campaigns, { signal });
  const teams = new Map(campaigns.map(({ campaign }) => [campaign.id, campaign.team]));
  return {
    questions,
    teams,
    comments: all.filter(matcherOf(rating, page.filters.search)),
    leftOut,
    withoutText: { reported: counts.reported ?? 0, closed: counts.closed ?? 0 },
  };
}

/** The eNPS rating. Scores of other surveys have scales of their own. */
export function ratingOf({ kind, reaction }: CampaignComment): number | undefined {
  return kind === "enps" && typeof reaction === "number" ? reaction : undefined;
}

function matcherOf(rating: RatingFilter, search: string): (comment: CampaignComment) => boolean {
  const words = searchWords(search);
  return (comment) => {
    const isRated = ratings[rating](ratingOf(comment));
    if (!isRated || words.length === 0) return isRated;
    const [text, subject] = [foldCase(comment.text), foldCase(comment.subject)];
    return words.every((word) => text.includes(word) || subject.includes(word));
  };
}
