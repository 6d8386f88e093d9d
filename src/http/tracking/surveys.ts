// The answers to surveys inside messages: the link opens a page, and only what a person confirms there is an answer, since
// scanners follow every link.

import type { FastifyInstance } from "fastify";
import { mediaTypeOf } from "../request-body.ts";
import { commentLengthMax, sendBrokenLink, sendSurveyEnded, sendSurveyForm, sendThanks } from "./pages.ts";
import { logMessage, toEntry } from "./tracked-request.ts";
import { type TrackingContext, waitForStatus } from "./tracking-context.ts";
import { routePathOf, type SurveyAnswerLink } from "./tracking-urls.ts";

/** Of a form: each of its characters may take nine bytes. */
const bodyLimit = 128 * 1024;

/** Who answers waits longer than who follows a link, but not without end; to answer again changes nothing. */
const patienceMs = 10_000;

const notSaved = "Your answer could not be saved just now. Please try again in a moment.";

export function addSurveyRoutes(
  app: FastifyInstance,
  { trackingUrls, recorder, now }: TrackingContext,
): void {
  const path = routePathOf("survey");
  app.get<{ Params: { token: string } }>(path, async (request, reply) => {
    const survey = trackingUrls.parse("survey", request.params.token);
    return survey ? sendSurveyForm(reply, survey) : sendBrokenLink(reply);
  });

  app.post<{ Params: { token: string }; Body: Buffer }>(path, { bodyLimit }, async (request, reply) => {
    const survey = trackingUrls.parse("survey", request.params.token);
    if (!survey) return sendBrokenLink(reply);
    logMessage(request, survey);
    mediaTypeOf(request, ["application/x-www-form-urlencoded"]);
    const form = readForm(request.body ?? Buffer.alloc(0), survey);
    const { comment } = form;
    if ("problem" in form)
      return sendSurveyForm(reply, survey, { comment, problem: form.problem, status: 400 });
    const { surveyId, kind } = survey;
    const given = { type: "survey" as const, survey_id: surveyId, kind, ...form };
    const recorded = recorder.record(survey.organizationId, toEntry(request, survey, given, now()));
    const outcome = await waitForStatus(recorded, patienceMs);
    if (outcome === "written") return sendThanks(reply);
    if (outcome === "ignored") return sendSurveyEnded(reply);
    const answer = "score" in form ? form.score : form.answer;
    return sendSurveyForm(reply, { ...survey, answer }, { comment, problem: notSaved, status: 503 });
  });
}

type Form = { comment: string } & ({ score: number } | { answer: string } | { problem: string });

function readForm(body: Buffer, { kind, answer }: SurveyAnswerLink): Form {
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
