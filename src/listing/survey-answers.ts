// What the recipients of a counted campaign have answered to its surveys, as long as it is open. Who is not to be known has
// no name here, and where few have answered nobody's words are given away.

import { setImmediate as turnEnd } from "node:timers/promises";
import type { SurveyKind } from "../campaign/event.ts";
import type { SurveyAnswer } from "../campaign/recipient.ts";
import type { StoredCampaign } from "../storage/campaigns.ts";
import type { Database } from "../storage/database.ts";
import { readRecipients } from "../storage/recipients.ts";

export interface SurveyAnswers {
  id: string;
  kind: SurveyKind;
  /** Recipients who have answered, with a score, an answer or words. */
  answers: number;
  /** How often each score or answer was given: by score, and then those that were given most. Blank is one that was forgotten. */
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

export interface SurveyComment {
  text: string;
  reaction: string | number | undefined;
  /** Of a recipient whose name may be known. */
  name?: string;
}

/** With fewer answers to a survey no comment is shown: whoever knows who was asked would know whose it is. */
export const answersForComments = 5;

/** Comments of one survey that are shown, and different answers that are counted apart. */
export const commentsShown = 200;
const answersApart = 200;

/** So few that the event loop is not held for long. */
const recipientsAtOnce = 200;

/** @returns by kind and id; nothing where the campaign is closed, or its numbers were imported */
export async function readSurveyAnswers(
  database: Database,
  organizationId: number,
  { campaign, counting }: StoredCampaign,
): Promise<SurveyAnswers[]> {
  const ledgerId = counting?.ledgerId ?? null;
  if (ledgerId === null) return [];
  const hasNames = campaign.trackingType === "Individual";
  const surveys = new Map<string, Gathered>();
  for (let after = ""; ; ) {
    const page = { ledgerId, after, limit: recipientsAtOnce };
    const some = await database.look((queries) => readRecipients(queries, organizationId, page));
    for (const { name, done } of some) {
      const known = hasNames && !name.startsWith("forgotten:") ? name : undefined;
      for (const [survey, answer] of Object.entries(done.surveys ?? {})) {
        const gathered = surveys.get(survey) ?? {
          answers: 0,
          reactions: new Map(),
          others: 0,
          comments: [],
          words: 0,
        };
        surveys.set(survey, gathered);
        gather(gathered, answer, known);
      }
    }
    if (some.length < recipientsAtOnce) break;
    after = some.at(-1)?.name ?? "";
    await turnEnd();
  }
  return [...surveys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([survey, gathered]) => toAnswers(survey, gathered));
}

interface Gathered {
  answers: number;
  reactions: Map<string | number, number>;
  others: number;
  comments: (SurveyComment & { at: number; id: string })[];
  words: number;
}

function gather(gathered: Gathered, { reaction, comment }: SurveyAnswer, name: string | undefined): void {
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
  return {
    id: survey.slice(space + 1),
    kind: survey.slice(0, space) as SurveyKind,
    answers: gathered.answers,
    distribution: [...gathered.reactions].map(([answer, count]) => ({ answer, count })).sort(compareAnswers),
    otherAnswers: gathered.others,
    // The time is left out: it would tell who was there.
    comments: shown.map(({ at: _at, id: _id, ...comment }) => comment),
    commentsInAll: gathered.words,
    isWithheld,
  };
}

type Answer = SurveyAnswers["distribution"][number];

function compareAnswers(a: Answer, b: Answer): number {
  if (typeof a.answer === "number" && typeof b.answer === "number") return a.answer - b.answer;
  if (typeof a.answer !== typeof b.answer) return typeof a.answer === "number" ? -1 : 1;
  return b.count - a.count || (a.answer < b.answer ? -1 : 1);
}
