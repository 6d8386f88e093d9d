// Questions of surveys, as senders state them.

import assert from "node:assert/strict";
import test from "node:test";
import { parseQuestions } from "../../src/campaign/survey-question.ts";
import { pick } from "../support/pick.ts";

const rating = { survey_id: "s-1", kind: "enps", question: "Would you recommend us?" };

test("takes the last of the questions with the same kind and id", () => {
  const input = [
    rating,
    { ...rating, kind: "pulse" },
    { ...rating, question: "And now?" },
    { ...rating, survey_id: "s-2" },
  ];
  assert.deepEqual(parseQuestions(input), {
    questions: [
      { kind: "enps", surveyId: "s-1", question: "And now?" },
      { kind: "pulse", surveyId: "s-1", question: "Would you recommend us?" },
      { kind: "enps", surveyId: "s-2", question: "Would you recommend us?" },
    ],
    errors: [],
  });
});

test("names the field of each error by its position", () => {
  const { questions, errors } = parseQuestions([
    ...[rating, "enps", null, [rating], { ...rating, kind: "nps", color: "red" }],
    { ...rating, question: " " },
    { ...rating, question: "" },
    { survey_id: "s-1", kind: "enps" },
  ]);
  assert.deepEqual(questions.length, 1);
  assert.deepEqual(pick(errors, "field"), [
    ...["surveys[1]", "surveys[2]", "surveys[3]", "surveys[4].kind", "surveys[4].color"],
    ...["surveys[5].question", "surveys[6].question", "surveys[7].question"],
  ]);
  assert.deepEqual(
    pick(errors.slice(0, 3), "problem"),
    ['"enps"', "null", '[{"survey_id":"s-1","kind":"enps","question":"Would you recommend us?"}]'].map(
      (value) => `${value} is not an object with survey_id, kind, question`,
    ),
  );
});
