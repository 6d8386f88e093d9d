// What is asked for when tracked messages are to be made: the HTML, for whom, and the surveys in it.

import { type SurveyKind, surveyKinds } from "../../campaign/events/event.ts";
import { enumSchema, type ObjectSchema, objectSchema } from "../../campaign/field-schema.ts";
import { quote } from "../../campaign/quote.ts";
import {
  compileFieldChecks,
  type FieldError,
  isStorable,
  validateFields,
} from "../../campaign/validate-fields.ts";

export const messageLimits = {
  htmlLength: 500_000,
  recipients: 1_000,
  surveys: 20,
  answers: 20,
  /** Links, and answers in the places of surveys. */
  addresses: 1_000,
  /** Members of lists and objects in the body. */
  values: 10_000,
  /** Of the body, as it is sent and when it is unpacked. */
  bodyBytes: 4 * 1024 * 1024,
} as const;

export interface Survey {
  surveyId: string;
  kind: SurveyKind;
  question: string;
  /** What can be chosen. */
  answers: readonly (number | string)[];
}

export interface MessagesBody {
  html: string;
  recipients: string[];
  surveys: Survey[];
}

export const messagesSchema = objectSchema(
  {
    html: {
      type: "string",
      description: "The message as it would be sent without tracking.",
      minLength: 1,
      maxLength: messageLimits.htmlLength,
      examples: ['<p>Read <a href="https://example.com/news">the news</a>.</p>'],
    },
    recipients: {
      type: "array",
      items: {},
      description: "For whom: addresses or opaque ids, each of 1 to 500 characters.",
      accepts: `a list of 1 to ${messageLimits.recipients} recipients`,
      minItems: 1,
      maxItems: messageLimits.recipients,
      examples: [["ann@example.com", "bob@example.com"]],
    },
    surveys: {
      type: "array",
      items: {},
      description: "The surveys in it.",
      accepts: `a list of up to ${messageLimits.surveys} surveys`,
      maxItems: messageLimits.surveys,
      examples: [[{ survey_id: "s-1", kind: "enps", question: "Would you recommend us?" }]],
    },
  },
  { optional: ["surveys"] },
);

export const surveySchema = objectSchema(
  {
    survey_id: {
      type: "string",
      description: "Which survey of the campaign.",
      minLength: 1,
      maxLength: 200,
      examples: ["s-1"],
    },
    kind: enumSchema(surveyKinds, "`enps` offers the ratings from 0 to 10; `pulse` the `answers`."),
    question: {
      type: "string",
      description: "What is asked.",
      minLength: 1,
      maxLength: 300,
      examples: ["How likely are you to recommend us as a place to work?"],
    },
    answers: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 200 },
      description: "Of a survey of the kind `pulse`: what can be chosen.",
      accepts: `a list of 1 to ${messageLimits.answers} texts of 1 to 200 characters`,
      minItems: 1,
      maxItems: messageLimits.answers,
      examples: [["Yes", "No"]],
    },
  },
  { optional: ["answers"] },
);

const checks = compileFieldChecks(messagesSchema);
const surveyChecks = compileFieldChecks(surveySchema);
const ratings = Array.from({ length: 11 }, (_, rating) => rating);

export function parseMessagesBody(input: unknown): MessagesBody | { faults: FieldError[] } {
  if (!isObject(input)) {
    return {
      faults: [{ field: "body", problem: `${quote(input)} is not an object with html and recipients` }],
    };
  }
  const faults = validateFields(checks, input);
  faults.push(...unknownFields(messagesSchema, input, ""));
  const { html, recipients = [], surveys } = input;
  const surveyList = listOf(surveys);
  for (const [index, each] of listOf(recipients).entries()) faults.push(...recipientFaults(each, index));
  for (const [index, each] of surveyList.entries()) faults.push(...surveyFaults(each, index));
  const ids = surveyList.map((each) => (each as { survey_id?: unknown } | null)?.survey_id);
  const twice = ids.find((id, index) => typeof id === "string" && ids.indexOf(id) < index);
  if (twice !== undefined) faults.push({ field: "surveys", problem: `${quote(twice)} is there twice` });
  if (faults.length > 0) return { faults: faults.slice(0, faultsMax) };
  return { html: html as string, recipients: recipients as string[], surveys: surveyList.map(toSurvey) };
}

/** A list of a thousand recipients may have a thousand faults. */
const faultsMax = 20;

function listOf(input: unknown): readonly unknown[] {
  return Array.isArray(input) ? input : [];
}

function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

function unknownFields(schema: ObjectSchema, given: Record<string, unknown>, before: string): FieldError[] {
  const known = Object.keys(schema.properties);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: before + quote(name).slice(1, -1),
      problem: `is not known here; there are ${known.join(", ")}`,
    }));
}

function recipientFaults(recipient: unknown, index: number): FieldError[] {
  const isText = typeof recipient === "string" && recipient.length <= 500 && isStorable(recipient);
  if (isText && recipient.trim() !== "") return [];
  return [
    { field: `recipients[${index}]`, problem: `${quote(recipient)} is not text of 1 to 500 characters` },
  ];
}

function surveyFaults(survey: unknown, index: number): FieldError[] {
  const before = `surveys[${index}]`;
  if (!isObject(survey)) return [{ field: before, problem: `${quote(survey)} is not a survey` }];
  const faults = validateFields(surveyChecks, survey).map((fault) => ({
    ...fault,
    field: `${before}.${fault.field}`,
  }));
  faults.push(...unknownFields(surveySchema, survey, `${before}.`));
  const { kind, answers, question } = survey;
  const texts = listOf(answers);
  for (const text of [question, ...texts]) {
    if (typeof text === "string" && text !== "" && text.trim() === "") {
      faults.push({ field: before, problem: `${quote(text)} is blank` });
    }
  }
  if (new Set(texts).size < texts.length) {
    faults.push({ field: `${before}.answers`, problem: "has an answer twice" });
  }
  if (kind === "pulse" && (answers ?? null) === null) {
    faults.push({ field: `${before}.answers`, problem: "is missing; a pulse survey offers answers" });
  }
  if (kind === "enps" && (answers ?? null) !== null) {
    faults.push({
      field: `${before}.answers`,
      problem: "cannot be taken; an eNPS survey is answered from 0 to 10",
    });
  }
  return faults;
}

function toSurvey(given: unknown): Survey {
  const {
    survey_id: surveyId,
    kind,
    question,
    answers,
  } = given as { survey_id: string; kind: SurveyKind; question: string; answers: string[] };
  return { surveyId, kind, question, answers: kind === "enps" ? ratings : answers };
}
