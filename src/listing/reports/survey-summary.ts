// Summarizes the answers to one survey: their distribution, and the newest comments.

import type { SurveyKind } from "../../campaign/events/event.ts";
import type { SurveyAnswer } from "../../campaign/events/recipient.ts";

export interface SurveyAnswers {
  id: string;
  kind: SurveyKind;
  /** Recipients who gave a score, an answer or a comment. */
  answers: number;
  /**
   * How often each score or answer was given: scores in order, then answers, the most frequent first; at most
   * {@link answersShown}. An empty answer is one that was erased.
   */
  distribution: { answer: string | number; count: number }[];
  /** Answers that the distribution leaves out. */
  otherAnswers: number;
  /** The newest ones first, at most {@link commentsShown}. */
  comments: SurveyComment[];
  commentsInAll: number;
  /** Whether distribution and comments are hidden, because too few recipients answered. */
  isWithheld: boolean;
}

interface SurveyComment {
  text: string;
  reaction: string | number | undefined;
  /** The recipient, if it may be named. */
  name?: string;
}

/** Comments of a survey on the page of a campaign. */
export const commentsShown = 200;
const answersShown = 200;

/** Different answers that are counted; the most frequent of them are shown. */
const maxAnswersCounted = 5_000;

/** Sorting takes longer than adding, so this many times the kept comments come together before it. */
const batchesPerSort = 16;

export class SurveySummary {
  #answers = 0;
  readonly #reactions = new Map<string | number, number>();
  #otherReactions = 0;
  #comments: (SurveyComment & { at: number; id: string })[] = [];
  #commentsInAll = 0;

  add({ reaction, comment }: SurveyAnswer, name: string | undefined): void {
    this.#answers += 1;
    if (reaction) {
      const [value] = reaction;
      const count = this.#reactions.get(value);
      if (count === undefined && this.#reactions.size >= maxAnswersCounted) this.#otherReactions += 1;
      else this.#reactions.set(value, (count ?? 0) + 1);
    }
    if (!comment || comment[0] === "") return;
    const [text, at, id] = comment;
    this.#commentsInAll += 1;
    this.#comments.push({ text, reaction: reaction?.[0], at, id, ...(name !== undefined && { name }) });
    if (this.#comments.length >= batchesPerSort * commentsShown) this.#keepFirst();
  }

  /** @param survey its kind and id, separated by a space */
  toAnswers(survey: string, isReleased: boolean): SurveyAnswers {
    const { surveyId: id, kind } = surveyOf(survey);
    const counts = { answers: this.#answers, commentsInAll: this.#commentsInAll };
    if (!isReleased) {
      return { id, kind, ...counts, distribution: [], otherAnswers: 0, comments: [], isWithheld: true };
    }
    this.#keepFirst();
    const all = [...this.#reactions].map(([answer, count]) => ({ answer, count })).sort(compareFrequency);
    const rest = all.slice(answersShown).reduce((sum, { count }) => sum + count, 0);
    return {
      id,
      kind,
      ...counts,
      distribution: all.slice(0, answersShown).sort(compareAnswers),
      otherAnswers: this.#otherReactions + rest,
      // Leaves out the time, which could reveal who wrote a comment.
      comments: this.#comments.map(({ at: _at, id: _id, ...comment }) => comment),
      isWithheld: false,
    };
  }

  #keepFirst(): void {
    this.#comments.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
    this.#comments.splice(commentsShown);
  }
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

/** Splits the key of a survey within its campaign. @param survey its kind and id, separated by a space */
export function surveyOf(survey: string): { kind: SurveyKind; surveyId: string } {
  const space = survey.indexOf(" ");
  return { kind: survey.slice(0, space) as SurveyKind, surveyId: survey.slice(space + 1) };
}
