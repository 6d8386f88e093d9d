// What the recipients of a counted campaign have answered to its surveys, as long as it is open. Who is not to be known has
// no name here, and where few have answered nobody's words are given away.

import { setImmediate as turnEnd } from "node:timers/promises";
import type { SurveyKind } from "../../campaign/events/event.ts";
import type { SurveyAnswer } from "../../campaign/events/recipient.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import { readRecipientsWithAnswers } from "../../storage/recipients.ts";

export interface SurveyAnswers {
  id: string;
  kind: SurveyKind;
  /** Recipients who have answered, with a score, an answer or words. */
  answers: number;
  /**
   * How often each score or answer was given, {@link answersShown} at most: by score, and then those that were given most.
   * Blank is one that was forgotten.
   */
  distribution: { answer: string | number; count: number }[];
  /** Answers that are not in the distribution, because there are too many different ones. */
  otherAnswers: number;
  /** The latest, the latest first. */
  comments: SurveyComment[];
  /** All of them, also those that are not shown. */
  commentsInAll: number;
  /** There are comments, but too few have answered. */
  isWithheld: boolean;
}

export interface SurveyResults {
  /** By kind and id; {@link surveysShown} at most, those with the most answers. */
  surveys: SurveyAnswers[];
  /** Surveys that are not among them. */
  others: number;
}

export interface SurveyComment {
  text: string;
  reaction: string | number | undefined;
  /** Of a recipient whose name may be known. */
  name?: string;
}

/** With fewer answers to a survey no comment is shown: whoever knows who was asked would know whose it is. */
export const answersForComments = 5;

/** Surveys of one campaign that are shown, and of each the comments and the different answers. */
export const surveysShown = 50;
export const commentsShown = 200;
export const answersShown = 200;

/** Different answers of one survey that are told apart, and different surveys, before any are chosen to be shown. */
const answersApart = 5_000;
const surveysApart = 100_000;

/** So few that the event loop is not held for long. */
const recipientsAtOnce = 200;

/** @returns nothing where the campaign is closed, or its numbers were imported */
export async function readSurveyAnswers(
  database: Database,
  organizationId: number,
  { campaign, counting }: StoredCampaign,
  stopped?: AbortSignal,
): Promise<SurveyResults> {
  const ledgerId = counting?.ledgerId ?? null;
  if (ledgerId === null) return { surveys: [], others: 0 };
  const hasNames = campaign.trackingType === "Individual";
  const read = () => answersOf(database, organizationId, ledgerId, stopped);
  const counts = new Map<string, number>();
  let shown = new Map<string, Gathered>();
  for await (const { survey, answer, name } of read()) {
    const count = counts.get(survey);
    if (count === undefined && counts.size >= surveysApart) continue;
    counts.set(survey, (count ?? 0) + 1);
    if (count === undefined && shown.size < surveysShown) shown.set(survey, nothing());
    gather(shown.get(survey), answer, hasNames ? name : undefined);
  }
  if (counts.size > surveysShown) {
    // Which ones are to be shown is known only now.
    const most = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, surveysShown);
    shown = new Map(most.map(([survey]) => [survey, nothing()]));
    for await (const { survey, answer, name } of read()) {
      gather(shown.get(survey), answer, hasNames ? name : undefined);
    }
  }
  const surveys = [...shown]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([survey, gathered]) => toAnswers(survey, gathered));
  return { surveys, others: counts.size - surveys.length };
}

/** All answers of all recipients; a name is one that was not forgotten. */
async function* answersOf(
  database: Database,
  organizationId: number,
  ledgerId: number,
  stopped: AbortSignal | undefined,
): AsyncGenerator<{ survey: string; answer: SurveyAnswer; name: string | undefined }> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    stopped?.throwIfAborted();
    const page = { ledgerId, after, limit: recipientsAtOnce };
    const some: Awaited<ReturnType<typeof readRecipientsWithAnswers>> = await database.query((queries) =>
      readRecipientsWithAnswers(queries, organizationId, page),
    );
    for (const { name, state } of some.answering) {
      const known = name.startsWith("forgotten:") ? undefined : name;
      for (const [survey, answer] of Object.entries(state.surveys ?? {})) {
        yield { survey, answer, name: known };
      }
    }
    after = some.next;
    await turnEnd();
  }
}

interface Gathered {
  answers: number;
  reactions: Map<string | number, number>;
  others: number;
  comments: (SurveyComment & { at: number; id: string })[];
  words: number;
}

const nothing = (): Gathered => ({ answers: 0, reactions: new Map(), others: 0, comments: [], words: 0 });

function gather(
  gathered: Gathered | undefined,
  { reaction, comment }: SurveyAnswer,
  name: string | undefined,
): void {
  if (!gathered) return;
  gathered.answers += 1;
  if (reaction) {
    const { reactions } = gathered;
    const [value] = reaction;
    const count = reactions.get(value);
    if (count === undefined && reactions.size >= answersApart) gathered.others += 1;
    else reactions.set(value, (count ?? 0) + 1);
  }
  if (!comment || comment[0] === "") return;
  const [text, at, id] = comment;
  gathered.words += 1;
  gathered.comments.push({ text, reaction: reaction?.[0], at, id, ...(name !== undefined && { name }) });
  if (gathered.comments.length >= 2 * commentsShown) keepLatest(gathered);
}

function keepLatest(gathered: Gathered): void {
  gathered.comments.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  gathered.comments.length = Math.min(gathered.comments.length, commentsShown);
}

function toAnswers(survey: string, gathered: Gathered): SurveyAnswers {
  const space = survey.indexOf(" ");
  const isWithheld = gathered.words > 0 && gathered.answers < answersForComments;
  keepLatest(gathered);
  const shown = isWithheld ? [] : gathered.comments;
  const all = [...gathered.reactions].map(([answer, count]) => ({ answer, count })).sort(compareFrequency);
  const rest = all.slice(answersShown).reduce((sum, { count }) => sum + count, 0);
  return {
    id: survey.slice(space + 1),
    kind: survey.slice(0, space) as SurveyKind,
    answers: gathered.answers,
    distribution: all.slice(0, answersShown).sort(compareAnswers),
    otherAnswers: gathered.others + rest,
    // The time is left out: it would tell who was there.
    comments: shown.map(({ at: _at, id: _id, ...comment }) => comment),
    commentsInAll: gathered.words,
    isWithheld,
  };
}

type AnswerCount = SurveyAnswers["distribution"][number];

function compareFrequency(a: AnswerCount, b: AnswerCount): number {
  return b.count - a.count || (a.answer < b.answer ? -1 : 1);
}

function compareAnswers(a: AnswerCount, b: AnswerCount): number {
  if (typeof a.answer === "number" && typeof b.answer === "number") return a.answer - b.answer;
  if (typeof a.answer !== typeof b.answer) return typeof a.answer === "number" ? -1 : 1;
  return compareFrequency(a, b);
}
