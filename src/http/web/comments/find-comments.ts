// Finds the comments of a request: of the campaigns that match, by rating and words, in their order and groups.

import { foldCase } from "../../../campaign/fields/fold-case.ts";
import { searchWords } from "../../../campaign/fields/search-words.ts";
import { questionKey } from "../../../campaign/survey-question.ts";
import { findReleased } from "../../../listing/find-released.ts";
import { sortComments } from "../../../listing/reports/comment-order.ts";
import {
  type CampaignComment,
  chooseCommented,
  type LatestCommentsReader,
} from "../../../listing/reports/latest-comments.ts";
import { type CampaignQuestions, findQuestions } from "../../../storage/campaigns/campaign-questions.ts";
import { findDoneComments } from "../../../storage/campaigns/done-comments.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { countComments, findCommented } from "../../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../../storage/sums/sums-filter.ts";
import type { WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { type CommentsChoices, ratings } from "./comments-url.ts";

/** Reading a thousand answers for the first time takes up to ten milliseconds, and each campaign a query. */
const limits = { limit: 500, maxAnswers: 60_000 };

/** Comments that answer the same question, or are of the same campaign. All comments if they are not grouped. */
export interface CommentGroup {
  comments: readonly CampaignComment[];
}

export interface FoundComments {
  /** The questions of surveys, by campaign. */
  questions: ReadonlyMap<number, CampaignQuestions>;
  /** The teams of campaigns. */
  teams: ReadonlyMap<number, string | null>;
  /** Campaigns newest first, questions by their number of comments. */
  groups: CommentGroup[];
  /** Whether an admin marked a comment as done. */
  isDone(comment: CampaignComment): boolean;
  /** Comments of all groups. */
  total: number;
  /** Campaigns with comments that would take too long to read. */
  leftOut: number;
  /** Numbers of comments in all campaigns, whatever their ratings and words: imports have no texts, and closing deletes them. */
  withoutText: { reported: number; closed: number };
}

/** Commented campaigns, without their comments. */
type Commented = Awaited<ReturnType<typeof readCommented>>;

export async function readCommented(scope: Scope, { organization }: WebSession, filter: SumsFilter) {
  const commented = await findCommented(scope, filter);
  const ids = chooseCommented(commented, limits);
  return {
    leftOut: commented.length - ids.length,
    campaigns: await findReleased(scope, organization, ids),
    questions: await findQuestions(scope, ids),
    counts: await countComments(scope, filter),
    done: await findDoneComments(scope, ids),
  };
}

/** @param search words that the comment or the subject contains, in any order and letter case */
export async function findComments(
  { shutdownSignal: signal }: WebContext,
  reader: LatestCommentsReader,
  { organization }: WebSession,
  { campaigns, questions, counts, done, leftOut }: Commented,
  { chosen, search }: { chosen: CommentsChoices; search: string },
): Promise<FoundComments> {
  const all = await reader.read(organization, campaigns, { signal });
  const isDone = ({ campaignId, key }: CampaignComment) => done.get(campaignId)?.has(key) ?? false;
  const hasStatus = (comment: CampaignComment) =>
    chosen.status === "all" || isDone(comment) === (chosen.status === "done");
  const matching = all.filter(matcherOf(chosen, search)).filter(hasStatus);
  const groups = groupComments(matching, chosen.by, questions).map((comments) => ({
    comments: sortComments(comments, chosen.sort, ratingOf),
  }));
  const teams = new Map(campaigns.map(({ campaign }) => [campaign.id, campaign.team]));
  return {
    questions,
    teams,
    groups,
    isDone,
    total: matching.length,
    leftOut,
    withoutText: { reported: counts.reported ?? 0, closed: counts.closed ?? 0 },
  };
}

/** The eNPS rating. Scores of other surveys have scales of their own. */
export function ratingOf({ kind, reaction }: CampaignComment): number | undefined {
  return kind === "enps" && typeof reaction === "number" ? reaction : undefined;
}

/** The mean eNPS rating of comments. Undefined without ratings. */
export function averageRating(comments: readonly CampaignComment[]): number | undefined {
  const given = comments.flatMap((comment) => ratingOf(comment) ?? []);
  if (given.length === 0) return undefined;
  return given.reduce((sum, rating) => sum + rating, 0) / given.length;
}

function matcherOf({ rating }: CommentsChoices, search: string): (comment: CampaignComment) => boolean {
  const words = searchWords(search);
  return (comment) => {
    const isRated = ratings[rating](ratingOf(comment));
    if (!isRated || words.length === 0) return isRated;
    const [text, subject] = [foldCase(comment.text), foldCase(comment.subject)];
    return words.every((word) => text.includes(word) || subject.includes(word));
  };
}

/** @param comments of the newest campaign first */
function groupComments(
  comments: CampaignComment[],
  by: CommentsChoices["by"],
  questions: FoundComments["questions"],
): CampaignComment[][] {
  if (by === "none") return comments.length === 0 ? [] : [comments];
  if (by === "campaign") return [...Map.groupBy(comments, ({ campaignId }) => campaignId).values()];
  // The same id may ask something else in another campaign.
  const keyOf = (comment: CampaignComment) => {
    const survey = questionKey(comment);
    return JSON.stringify([survey, questions.get(comment.campaignId)?.get(survey)]);
  };
  return [...Map.groupBy(comments, keyOf)]
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .map(([, group]) => group);
}
