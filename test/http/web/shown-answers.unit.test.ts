// Order and colors of answers on the page of surveys.

import assert from "node:assert/strict";
import test from "node:test";
import type { AskedQuestion } from "../../../src/http/web/surveys/read-surveys.ts";
import { shownAnswers } from "../../../src/http/web/surveys/shown-answers.ts";

type CountedAnswers = readonly (readonly [answer: string | number, count: number])[];

/** @param given the answers of a month, the most frequent first */
function question(given: CountedAnswers): AskedQuestion {
  const answers = given.map(([answer]) => answer);
  const survey = { kind: "pulse", surveyId: "s" } as const;
  return { survey, text: "", answers, months: new Map([[0, new Map(given)]]), counting: 0 };
}

const shownOf = (...questions: (CountedAnswers | Record<string, number>)[]) => {
  const asked = questions.map((given) => question(Array.isArray(given) ? given : Object.entries(given)));
  return shownAnswers(asked).map((card) => card.map(({ answer, color }) => `${answer} ${color}`));
};

test("gives cards with the same answers the same colors and order", () => {
  const ofScale: CountedAnswers = [
    [5, 3],
    [1, 2],
  ];
  const [useful, part, scale] = shownOf({ Yes: 9, No: 6, Partly: 2 }, { Partly: 8, Yes: 5, No: 1 }, ofScale);
  assert.deepEqual(useful, ["Yes s1", "Partly s2", "No s4"]);
  assert.deepEqual(part, useful);
  assert.deepEqual(scale, ["1 s1", "5 s2"]);
});

test("never gives two answers of a card the same color", () => {
  const cards = shownOf({ a: 9, b: 8, c: 7, d: 6, e: 1 }, { e: 20, a: 2, b: 1 }, { c: 3, d: 3, e: 3, a: 1 });
  const colors = cards.map((card) => new Set(card.map((each) => each.split(" ")[1])).size);
  assert.deepEqual(colors, [4, 3, 4]);
});
