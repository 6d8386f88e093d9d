// Which answers the cards of questions show, in one order and with one color for each text on the whole page.

import type { AskedQuestion } from "./read-surveys.ts";

type GivenAnswer = AskedQuestion["answers"][number];

export interface ShownAnswer {
  answer: GivenAnswer;
  color: string;
}

/** More could not be told apart. Without green, which means better on the same page: an answer may be No. */
const colors = ["s1", "s2", "s4", "s5"];

/**
 * The most frequent answers to each question: numbers ascending, others by how often they were given on the page. A text has
 * another color in a card only where each color is already that of an answer beside it.
 */
export function shownAnswers(questions: readonly AskedQuestion[]): ShownAnswer[][] {
  const cards = questions.map(({ answers }) => answers.slice(0, colors.length));
  const given = new Map<GivenAnswer, number>();
  for (const { months } of questions)
    for (const counts of months.values())
      for (const [answer, count] of counts) given.set(answer, (given.get(answer) ?? 0) + count);
  const order = [...given].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([answer]) => answer);
  const chosen = new Map<GivenAnswer, string>();
  for (const answer of order) {
    const beside = new Set(cards.filter((card) => card.includes(answer)).flat());
    const free = colors.find((color) => ![...beside].some((other) => chosen.get(other) === color));
    if (free !== undefined) chosen.set(answer, free);
  }
  return cards.map((card) => {
    const isScale = card.every((answer) => typeof answer === "number");
    const sorted = isScale ? card.toSorted((a, b) => a - b) : order.filter((answer) => card.includes(answer));
    const taken = new Set(card.map((answer) => chosen.get(answer)));
    const left = colors.filter((color) => !taken.has(color));
    return sorted.map((answer) => ({ answer, color: chosen.get(answer) ?? left.shift() ?? "" }));
  });
}
