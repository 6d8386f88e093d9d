// The survey links in tracked messages: a link opens a form, and only the submitted form counts as an answer, because
// security scanners follow every link.

import type { FastifyInstance } from "fastify";
import { mediaTypeOf } from "../request/body.ts";
import { bodyLimits } from "../request/body-limits.ts";
import { isSameOrigin } from "../request/same-origin.ts";
import { type AnswerProblem, maxCommentLength, sendNotice, sendSurveyForm } from "./pages.ts";
import { logMessage, toIncomingEvent } from "./tracked-request.ts";
import { type TrackingContext, waitForStatus } from "./tracking-context.ts";
import { routePathOf, type SurveyAnswerLink } from "./tracking-urls.ts";

const bodyLimit = bodyLimits.surveyAnswer;

/** Longer than for links, because the page says whether the answer was saved. Submitting it again is idempotent. */
const timeoutMs = 10_000;

export function addSurveyRoutes(
  app: FastifyInstance,
  { trackingUrls, recorder, answers, url, now }: TrackingContext,
): void {
  const path = routePathOf("survey");
  app.get<{ Params: { token: string } }>(path, async (request, reply) => {
    const survey = trackingUrls.parse("survey", request.params.token);
    return survey ? sendSurveyForm(reply, survey) : sendNotice(reply, "brokenLink");
  });

  app.post<{ Params: { token: string }; Body: Buffer }>(path, { bodyLimit }, async (request, reply) => {
    const survey = trackingUrls.parse("survey", request.params.token);
    if (!survey) return sendNotice(reply, "brokenLink");
    logMessage(request, survey);
    mediaTypeOf(request, ["application/x-www-form-urlencoded"]);
    if (!isSameOrigin(request, url())) {
      return sendSurveyForm(reply, survey, { problem: "sentFromElsewhere", status: 403 });
    }
    const form = parseForm(request.body, survey);
    const { comment } = form;
    if ("problem" in form) {
      return sendSurveyForm(reply, survey, { comment, problem: form.problem, status: 400 });
    }
    const chosen = { ...survey, answer: "score" in form ? form.score : form.answer };
    if (!answers.admit(request, survey)) {
      return sendSurveyForm(reply, chosen, { comment, problem: "tooManyAnswers", status: 429 });
    }
    const { surveyId, kind } = survey;
    const fields = { type: "survey" as const, survey_id: surveyId, kind, ...form };
    const event = toIncomingEvent(request, survey, fields, { at: now() });
    const status = await waitForStatus(recorder.record(survey.organizationId, event), timeoutMs);
    if (status === "written") return sendNotice(reply, "thanks");
    if (status === "ignored") return sendNotice(reply, "surveyEnded");
    return sendSurveyForm(reply, chosen, { comment, problem: "notSaved", status: 503 });
  });
}

type Form = { comment: string } & ({ score: number } | { answer: string } | { problem: AnswerProblem });

function parseForm(body: Buffer, { kind, answer }: SurveyAnswerLink): Form {
  const form = new URLSearchParams(body.toString());
  // Browsers send line breaks as CR LF, but `maxlength` counts them as one character.
  const comment = (form.get("comment") ?? "").replaceAll("\r\n", "\n").replaceAll("\0", "").toWellFormed();
  if (comment.length > maxCommentLength) return { comment, problem: "commentTooLong" };
  if (kind !== "enps") return { comment, answer: String(answer) };
  const score = form.get("score") ?? "";
  if (/^(\d|10)$/.test(score)) return { comment, score: Number(score) };
  return { comment, problem: "ratingMissing" };
}
