// The question of a survey, as a sender states it: its schema and its parser.

import { type SurveyKind, surveyKinds } from "./events/event.ts";
import { enumSchema, objectSchema } from "./fields/field-schema.ts";
import { compileObjectCheck, type FieldError } from "./fields/validate-fields.ts";

export interface SurveyQuestion {
  kind: SurveyKind;
  /** The id is unique within the campaign and kind. */
  surveyId: string;
  question: string;
}

/** Surveys with a question in one campaign. */
export const maxQuestions = 100;

export const questionSchema = objectSchema({
  survey_id: {
    type: "string",
    description: "The id of the survey within its campaign.",
    minLength: 1,
    maxLength: 200,
    examples: ["s-1"],
  },
  kind: enumSchema(surveyKinds, "`enps` asks for a rating from 0 to 10; `pulse` is any other survey."),
  question: {
    type: "string",
    description: "The question that readers see.",
    accepts: "text of 1 to 300 characters that is not blank",
    minLength: 1,
    maxLength: 300,
    pattern: "\\S",
    examples: ["How likely are you to recommend us as a place to work?"],
  },
});

const check = compileObjectCheck(questionSchema);

/** The last one of questions with the same kind and id counts. */
export function parseQuestions(input: readonly unknown[]): {
  questions: SurveyQuestion[];
  errors: FieldError[];
} {
  const questions = new Map<string, SurveyQuestion>();
  const errors: FieldError[] = [];
  for (const [index, entry] of input.entries()) {
    const { fields, errors: wrong } = check(entry, `surveys[${index}]`);
    errors.push(...wrong);
    if (!fields || wrong.length > 0) continue;
    const read = {
      kind: fields.kind,
      surveyId: fields.survey_id,
      question: fields.question,
    } as SurveyQuestion;
    questions.set(questionKey(read), read);
  }
  return { questions: [...questions.values()], errors };
}

/** A survey within its campaign, as recipients have it: `enps s-1`. */
export function questionKey({ kind, surveyId }: Pick<SurveyQuestion, "kind" | "surveyId">): string {
  return `${kind} ${surveyId}`;
}
