// The question of a survey, as a sender states it: its schema and its parser.

import { type SurveyKind, surveyKinds } from "./events/event.ts";
import { enumSchema, objectSchema } from "./fields/field-schema.ts";
import { quote } from "./fields/quote.ts";
import { compileFieldChecks, type FieldError, validateFields } from "./fields/validate-fields.ts";

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
    minLength: 1,
    maxLength: 300,
    examples: ["How likely are you to recommend us as a place to work?"],
  },
});

const checks = compileFieldChecks(questionSchema);
const names = Object.keys(questionSchema.properties);

/** The last one of questions with the same kind and id counts. */
export function parseQuestions(input: readonly unknown[]): {
  questions: SurveyQuestion[];
  errors: FieldError[];
} {
  const questions = new Map<string, SurveyQuestion>();
  const errors: FieldError[] = [];
  for (const [index, entry] of input.entries()) {
    const path = `surveys[${index}]`;
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
      errors.push({ field: path, problem: `${quote(entry)} is not an object with ${names.join(", ")}` });
      continue;
    }
    const fields = entry as Record<string, unknown>;
    const unknown = Object.keys(fields).filter((name) => !names.includes(name));
    const wrong = [
      ...validateFields(checks, fields),
      ...unknown.map((name) => ({
        field: quote(name).slice(1, -1),
        problem: `is unknown; the fields are ${names.join(", ")}`,
      })),
    ];
    const { question } = fields;
    if (typeof question === "string" && question !== "" && question.trim() === "") {
      wrong.push({ field: "question", problem: `${quote(question)} is blank` });
    }
    errors.push(...wrong.map(({ field, problem }) => ({ field: `${path}.${field}`, problem })));
    if (wrong.length > 0) continue;
    const read = { kind: fields.kind, surveyId: fields.survey_id, question } as SurveyQuestion;
    questions.set(questionKey(read), read);
  }
  return { questions: [...questions.values()], errors };
}

/** A survey within its campaign, as recipients have it: `enps s-1`. */
export function questionKey({ kind, surveyId }: Pick<SurveyQuestion, "kind" | "surveyId">): string {
  return `${kind} ${surveyId}`;
}
