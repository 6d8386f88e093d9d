// Makes the message of one recipient from a template: fills in tracked links and surveys, and adds the tracking images.

import { escapeHtml } from "../../../locale/html.ts";
import { fillTemplate, type Template } from "../html/template.ts";
import type { TrackedMessage, TrackingUrls } from "../tracking-urls.ts";
import type { Survey } from "./parse-messages-body.ts";

export function makeMessage(
  { template, surveys }: { template: Template; surveys: readonly Survey[] },
  trackingUrls: TrackingUrls,
  message: TrackedMessage,
): string {
  const buildLink = (url: string, isHidden = false) =>
    trackingUrls.build("click", { ...message, url, isHidden });
  const placed = findPlacedSurveys(template);
  const renderEnd = () => {
    const unplaced = surveys.filter(({ surveyId }) => !placed.has(surveyId));
    const target = firstTarget(template);
    return [
      ...unplaced.map((survey) => renderSurvey(survey, trackingUrls, message)),
      ...(target === undefined ? [] : [renderHiddenLink(buildLink(target, true))]),
      renderImage(trackingUrls.build("open", message)),
      renderImage(trackingUrls.build("read", message)),
    ].join("");
  };
  return fillTemplate(template, (slot) => {
    if (slot.kind === "link") return buildLink(slot.target);
    if (slot.kind === "end") return renderEnd();
    const survey = surveys.find(({ surveyId }) => surveyId === slot.id);
    return survey ? renderSurvey(survey, trackingUrls, message) : "";
  });
}

/** The ids of surveys that have a place in the HTML but were not sent. */
export function findMissingSurveys(template: Template, surveys: readonly Survey[]): string[] {
  const sent = new Set(surveys.map(({ surveyId }) => surveyId));
  return [...findPlacedSurveys(template)].filter((id) => !sent.has(id));
}

/** The number of tracking URLs in each message, without those at its end. */
export function countTrackedUrls({ pieces }: Template, surveys: readonly Survey[]): number {
  const answers = new Map(surveys.map((survey) => [survey.surveyId, survey.answers.length]));
  let count = 0;
  for (const piece of pieces) {
    if (typeof piece === "string" || piece.kind === "end") continue;
    count += piece.kind === "link" ? 1 : (answers.get(piece.id) ?? 0);
  }
  return count;
}

function findPlacedSurveys({ pieces }: Template): Set<string> {
  return new Set(
    pieces.flatMap((piece) => (typeof piece === "object" && piece.kind === "survey" ? [piece.id] : [])),
  );
}

function firstTarget({ pieces }: Template): string | undefined {
  for (const piece of pieces) if (typeof piece === "object" && piece.kind === "link") return piece.target;
  return undefined;
}

function renderImage(url: string): string {
  return `<img src="${url}" width="1" height="1" alt="" style="border:0;width:1px;height:1px">`;
}

/** A honeypot for scanners: people cannot see it, reach it with the keyboard or hear it from a screen reader. */
function renderHiddenLink(url: string): string {
  return `<a href="${url}" tabindex="-1" aria-hidden="true" style="display:none;mso-hide:all;max-height:0;overflow:hidden"></a>`;
}

const answerStyle =
  "display:inline-block;min-width:24px;margin:0 4px 6px 0;padding:6px 8px;border:1px solid #888888;border-radius:6px;color:#1d4ed8;text-align:center;text-decoration:none";

function renderSurvey(
  { surveyId, kind, question, answers }: Survey,
  trackingUrls: TrackingUrls,
  message: TrackedMessage,
): string {
  const links = answers.map((answer) => {
    const url = trackingUrls.build("survey", { ...message, surveyId, kind, question, answer });
    return `<a href="${url}" style="${answerStyle}">${escapeHtml(String(answer))}</a>`;
  });
  return `<div style="margin:16px 0;font-family:sans-serif"><p style="margin:0 0 8px">${escapeHtml(question)}</p><p style="margin:0">${links.join("\n")}</p></div>`;
}
