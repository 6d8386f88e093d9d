// The pages that readers of messages see: the survey form, a thank-you page, and a page for links that do not work. They
// are in the language of the reader's browser, because the language of the message is unknown.

import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { escapeHtml } from "../../locale/html.ts";
import { type Locale, localeOf } from "../../locale/locale.ts";
import type { NameIn } from "../../locale/translations.ts";
import type { SurveyAnswerLink } from "./tracking-urls.ts";

/** The `comment` field of an event has the same limit. */
export const maxCommentLength = 10_000;

/** Why an answer was not accepted. */
export type AnswerProblem = NameIn<"reader.problems"> | "commentTooLong";

/**
 * The form that a reader confirms an answer with.
 *
 * @param submitted what the reader sent, and why it was not accepted
 */
export function sendSurveyForm(
  reply: FastifyReply,
  survey: SurveyAnswerLink,
  submitted: { comment?: string; problem?: AnswerProblem; status?: number } = {},
): FastifyReply {
  const { comment = "", problem, status = 200 } = submitted;
  const locale = localeOf(reply.request);
  const { t } = locale;
  // The language of the question and its answers is unknown.
  const body = `<h1 lang="" dir="auto">${escapeHtml(survey.question)}</h1>
${problem === undefined ? "" : `<p class="problem" role="alert">${problem === "commentTooLong" ? t("reader.commentTooLong", { max: maxCommentLength }) : t(`reader.problems.${problem}`)}</p>\n`}<form method="post">
${survey.kind === "enps" ? ratingField(survey.answer, locale) : chosenAnswer(survey.answer, locale)}
<label for="comment">${t("reader.comment")}</label>
<textarea id="comment" name="comment" maxlength="${maxCommentLength}">
${escapeHtml(comment)}</textarea>
<button>${t("reader.submit")}</button>
</form>`;
  return sendPage(reply, status, survey.question, body);
}

const notices = { thanks: 200, surveyEnded: 410, brokenLink: 404 } as const;

/** Sends a page that only says something. */
export function sendNotice(reply: FastifyReply, notice: keyof typeof notices): FastifyReply {
  const { t } = localeOf(reply.request);
  const title = t(`reader.${notice}.title`);
  return sendPage(reply, notices[notice], title, `<h1>${title}</h1>\n<p>${t(`reader.${notice}.text`)}</p>`);
}

function ratingField(answer: number | string, { t }: Locale): string {
  const choices = Array.from({ length: 11 }, (_, score) => {
    const checked = score === answer ? " checked" : "";
    return `<label><input type="radio" name="score" value="${score}" required${checked}><span>${score}</span></label>`;
  });
  return `<fieldset><legend>${t("reader.yourRating")}</legend>
<div class="scores">${choices.join("\n")}</div>
<p class="ends"><span>${t("reader.lowestRating")}</span><span>${t("reader.highestRating")}</span></p></fieldset>`;
}

function chosenAnswer(answer: number | string, { t }: Locale): string {
  return `<p>${t("reader.yourAnswer")} <span class="answer" lang="" dir="auto">${escapeHtml(String(answer))}</span></p>`;
}

const style = `
:root { color-scheme: light dark; }
body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 0; padding: 1.5rem; }
main { max-width: 34rem; margin: 0 auto; }
h1 { font-size: 1.375rem; line-height: 1.3; overflow-wrap: anywhere; }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; }
legend, label { padding: 0; }
.scores { display: flex; flex-wrap: wrap; gap: .375rem; margin-top: .5rem; }
.scores span { display: block; border: 1px solid; border-radius: .5rem; min-width: 2.5rem; padding: .5rem 0; text-align: center; cursor: pointer; }
.scores input { position: absolute; opacity: 0; }
.scores :checked + span { background: #1d4ed8; border: 3px double #1d4ed8; padding: calc(.5rem - 2px) 0; color: #fff; font-weight: 600; }
.scores :focus-visible + span, button:focus-visible, textarea:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
.ends { display: flex; justify-content: space-between; margin: .375rem 0 0; font-size: .875rem; }
.answer { font-weight: 600; overflow-wrap: anywhere; }
.problem { border-left: .25rem solid #b91c1c; padding-left: .75rem; }
textarea { box-sizing: border-box; width: 100%; min-height: 7rem; margin: .375rem 0 1.25rem; padding: .625rem; font: inherit; border: 1px solid; border-radius: .5rem; }
button { font: inherit; font-weight: 600; padding: .625rem 1.5rem; border: 1px solid #1d4ed8; border-radius: .5rem; background: #1d4ed8; color: #fff; cursor: pointer; }
`;

/** No scripts, no frames, and nothing is loaded. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "no-store",
  // `no-referrer` would make browsers send the form with the origin `null`.
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex",
};

function sendPage(reply: FastifyReply, status: number, title: string, body: string): FastifyReply {
  return reply
    .code(status)
    .headers(pageHeaders)
    .send(`<!doctype html>
<html lang="${localeOf(reply.request).language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`);
}
