// Validates the body of a request for tracked messages.

import type { SurveyKind } from "../../../campaign/events/event.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import {
  compileObjectCheck,
  type FieldError,
  isObject,
  isStorable,
} from "../../../campaign/fields/validate-fields.ts";
import { messagesSchema, surveySchema } from "./messages-schema.ts";

export interface MessagesBody {
  html: string;
  recipients: string[];
  surveys: Survey[];
}

export interface Survey {
  surveyId: string;
  kind: SurveyKind;
  question: string;
  /** The answers to choose from. */
  answers: readonly (number | string)[];
}

const check = compileObjectCheck(messagesSchema);
const checkSurvey = compileObjectCheck(surveySchema);
const ratings = Array.from({ length: 11 }, (_, rating) => rating);

/** A body may have a thousand recipients with an error each. */
const maxErrors = 20;

export function parseMessagesBody(input: unknown): MessagesBody | { errors: FieldError[] } {
  const { fields = {}, errors: fieldErrors } = check(input);
  const { html, recipients, surveys } = fields;
  const errors = [
    ...fieldErrors,
    ...toList(recipients).flatMap(validateRecipient),
    ...toList(surveys).flatMap(validateSurvey),
    ...findRepeatedSurvey(toList(surveys)),
  ];
  if (errors.length > 0) return { errors: errors.slice(0, maxErrors) };
  return { html: html as string, recipients: recipients as string[], surveys: toList(surveys).map(toSurvey) };
}

/** Values of another type are reported by {@link check}. */
function toList(input: unknown): readonly unknown[] {
  return Array.isArray(input) ? input : [];
}

function validateRecipient(recipient: unknown, index: number): FieldError[] {
  const isText = typeof recipient === "string" && recipient.length <= 500 && isStorable(recipient);
  if (isText && recipient.trim() !== "") return [];
  return [
    { field: `recipients[${index}]`, problem: `${quote(recipient)} is not text of 1 to 500 characters` },
  ];
}

function validateSurvey(survey: unknown, index: number): FieldError[] {
  const path = `surveys[${index}]`;
  const { fields, errors } = checkSurvey(survey, path);
  const problem = fields && findProblemOfAnswers(fields);
  if (problem !== undefined) errors.push({ field: `${path}.answers`, problem });
  return errors;
}

function findProblemOfAnswers({ kind, answers }: Record<string, unknown>): string | undefined {
  const hasAnswers = (answers ?? null) !== null;
  if (kind === "enps" && hasAnswers) return "must be left out; an eNPS survey offers ratings from 0 to 10";
  if (kind === "pulse" && !hasAnswers) return "is missing; a pulse survey needs answers to choose from";
  const texts = toList(answers);
  return new Set(texts).size < texts.length ? "contains the same answer twice" : undefined;
}

function findRepeatedSurvey(surveys: readonly unknown[]): FieldError[] {
  const ids = surveys.map((survey) => (isObject(survey) ? survey.survey_id : undefined));
  const repeated = ids.find((id, index) => typeof id === "string" && ids.indexOf(id) < index);
  if (repeated === undefined) return [];
  return [{ field: "surveys", problem: `contains two surveys with the id ${quote(repeated)}` }];
}

function toSurvey(input: unknown): Survey {
  const {
    survey_id: surveyId,
    kind,
    question,
    answers,
  } = input as { survey_id: string; kind: SurveyKind; question: string; answers: string[] };
  return { surveyId, kind, question, answers: kind === "enps" ? ratings : answers };
}
