// Which answers the cards of questions show: in one order on the whole page, so that cards with the same answers have the same colors.

import type { AskedQuestion } from "./read-surveys.ts";

type GivenAnswer = AskedQuestion["answers"][number];

export interface ShownAnswer {
  answer: GivenAnswer;
  color: string;
}

/** More could not be told apart. Without green, which means better on the same page: an answer may be No. */
const colors = ["s1", "s2", "s4", "s5"];

/** The most frequent answers to each question: numbers ascending, others by how often they were given on the page. */
export function shownAnswers(questions: readonly AskedQuestion[]): ShownAnswer[][] {
  const given = new Map<GivenAnswer, number>();
  for (const { months } of questions)
    for (const counts of months.values())
      for (const [answer, count] of counts) given.set(answer, (given.get(answer) ?? 0) + count);
  const countOf = (answer: GivenAnswer) => given.get(answer) ?? 0;
  return questions.map(({ answers }) =>
    answers
      .slice(0, colors.length)
      .sort((a, b) =>
        typeof a === "number" && typeof b === "number" ? a - b : countOf(b) - countOf(a) || (a < b ? -1 : 1),
      )
      .map((answer, index) => ({ answer, color: colors[index] ?? "" })),
  );
}
