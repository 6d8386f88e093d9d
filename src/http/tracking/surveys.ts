// The answers to surveys inside messages: the link opens a page, and only what a person confirms there is an answer, since
// scanners follow every link.

import type { FastifyInstance } from "fastify";
import { mediaTypeOf } from "../request-body.ts";
import { commentLengthMax, sendDamaged, sendEnded, sendQuestion, sendThanks } from "./pages.ts";
import { entryOf, noteMessage } from "./tracked-request.ts";
import { type TrackingContext, withinPatience } from "./tracking-context.ts";
import { pathOf, type SurveyLink } from "./tracking-urls.ts";

/** Of a form: each of its characters may take nine bytes. */
const bodyLimit = 128 * 1024;

/** Who answers waits longer than who follows a link, but not without end; to answer again changes nothing. */
const patienceMs = 10_000;

const notSaved = "Your answer could not be saved just now. Please try again in a moment.";

export function addSurveys(app: FastifyInstance, { addresses, recorder, now }: TrackingContext): void {
  const path = pathOf("survey");
  app.get<{ Params: { token: string } }>(path, async (request, reply) => {
    const survey = addresses.read("survey", request.params.token);
    return survey ? sendQuestion(reply, survey) : sendDamaged(reply);
  });

  app.post<{ Params: { token: string }; Body: Buffer }>(path, { bodyLimit }, async (request, reply) => {
    const survey = addresses.read("survey", request.params.token);
    if (!survey) return sendDamaged(reply);
    noteMessage(request, survey);
    mediaTypeOf(request, ["application/x-www-form-urlencoded"]);
    const form = readForm(request.body ?? Buffer.alloc(0), survey);
    const { comment } = form;
    if ("problem" in form)
      return sendQuestion(reply, survey, { comment, problem: form.problem, status: 400 });
    const { surveyId, kind } = survey;
    const given = { type: "survey" as const, survey_id: surveyId, kind, ...form };
    const recorded = recorder.record(survey.organizationId, entryOf(request, survey, given, now()));
    const outcome = await withinPatience(recorded, patienceMs);
    if (outcome === "written") return sendThanks(reply);
    if (outcome === "ignored") return sendEnded(reply);
    const answer = "score" in form ? form.score : form.answer;
    return sendQuestion(reply, { ...survey, answer }, { comment, problem: notSaved, status: 503 });
  });
}

type Form = { comment: string } & ({ score: number } | { answer: string } | { problem: string });

function readForm(body: Buffer, { kind, answer }: SurveyLink): Form {
  const form = new URLSearchParams(body.toString());
  // Browsers send line breaks as CR LF, and count them as one character.
  const comment = (form.get("comment") ?? "").replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed();
  if (comment.length > commentLengthMax) {
    return {
      comment,
      problem: `Your words are too long: up to ${commentLengthMax} characters can be saved.`,
    };
  }
  if (kind !== "enps") return { comment, answer: String(answer) };
  const score = form.get("score") ?? "";
  if (/^(\d|10)$/.test(score)) return { comment, score: Number(score) };
  return { comment, problem: "Please choose a rating from 0 to 10." };
}
