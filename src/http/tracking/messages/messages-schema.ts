// The body of POST /ingest/v1/campaigns/{id}/messages: its fields and limits. The docs are generated from them.

import { surveyKinds } from "../../../campaign/events/event.ts";
import { enumSchema, objectSchema } from "../../../campaign/fields/field-schema.ts";
import { questionSchema } from "../../../campaign/survey-question.ts";

export const messageLimits = {
  htmlLength: 500_000,
  recipients: 1_000,
  surveys: 20,
  /** The most answers in one survey. */
  answers: 20,
  /** Links, and answers of surveys that have a place in the HTML. */
  trackedUrls: 1_000,
  /** List elements and object members in the body. */
  values: 10_000,
} as const;

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
      description: "The recipients: email addresses or opaque ids, each of 1 to 500 characters.",
      accepts: `a list of 1 to ${messageLimits.recipients} recipients`,
      minItems: 1,
      maxItems: messageLimits.recipients,
      examples: [["ann@example.com", "bob@example.com"]],
    },
    surveys: {
      type: "array",
      items: {},
      description: "The surveys in the message.",
      accepts: `a list of up to ${messageLimits.surveys} surveys`,
      maxItems: messageLimits.surveys,
      examples: [[{ survey_id: "s-1", kind: "enps", question: "Would you recommend us?" }]],
    },
  },
  { optional: ["surveys"] },
);

export const surveySchema = objectSchema(
  {
    ...questionSchema.properties,
    kind: enumSchema(surveyKinds, "`enps` offers ratings from 0 to 10, `pulse` offers the `answers`."),
    answers: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 200, pattern: "\\S" },
      description: "The answers that readers can choose from. Only for surveys of the kind `pulse`.",
      accepts: `a list of 1 to ${messageLimits.answers} texts of 1 to 200 characters that are not blank`,
      minItems: 1,
      maxItems: messageLimits.answers,
      examples: [["Yes", "No"]],
    },
  },
  { optional: ["answers"] },
);
