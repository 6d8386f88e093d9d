// From a template and a recipient a message: its links, its surveys, and at its end what shows that it is read.

import { escapeHtml } from "../../html.ts";
import type { Survey } from "../messages-body.ts";
import type { TrackedMessage, TrackingUrls } from "../tracking-urls.ts";
import { fillTemplate, type Template } from "./template.ts";

/** The surveys that the HTML has a place for and that were not given: what stands there cannot be filled. */
export function findMissingSurveys(template: Template, surveys: readonly Survey[]): string[] {
  const given = new Set(surveys.map(({ surveyId }) => surveyId));
  return [...placedSurveys(template)].filter((id) => !given.has(id));
}

/** How many addresses each message has besides those at its end. */
export function countTrackedUrls({ pieces }: Template, surveys: readonly Survey[]): number {
  const answers = new Map(surveys.map((survey) => [survey.surveyId, survey.answers.length]));
  let addresses = 0;
  for (const piece of pieces) {
    if (typeof piece === "string" || piece.kind === "end") continue;
    addresses += piece.kind === "link" ? 1 : (answers.get(piece.id) ?? 0);
  }
  return addresses;
}

export function makeMessage(
  { template, surveys }: { template: Template; surveys: readonly Survey[] },
  addresses: TrackingUrls,
  message: TrackedMessage,
): string {
  const link = (url: string, isHidden = false) => addresses.build("click", { ...message, url, isHidden });
  const placed = placedSurveys(template);
  const end = () => {
    const unplaced = surveys.filter(({ surveyId }) => !placed.has(surveyId));
    const target = firstTarget(template);
    const image = (address: string) =>
      `<img src="${address}" width="1" height="1" alt="" style="border:0;width:1px;height:1px">`;
    return [
      ...unplaced.map((survey) => surveyBlock(survey, addresses, message)),
      ...(target === undefined ? [] : [hiddenLink(link(target, true))]),
      image(addresses.build("open", message)),
      image(addresses.build("read", message)),
    ].join("");
  };
  return fillTemplate(template, (slot) => {
    if (slot.kind === "link") return link(slot.target);
    if (slot.kind === "end") return end();
    const survey = surveys.find(({ surveyId }) => surveyId === slot.id);
    return survey ? surveyBlock(survey, addresses, message) : "";
  });
}

function placedSurveys({ pieces }: Template): Set<string> {
  return new Set(
    pieces.flatMap((piece) => (typeof piece === "object" && piece.kind === "survey" ? [piece.id] : [])),
  );
}

function firstTarget({ pieces }: Template): string | undefined {
  for (const piece of pieces) if (typeof piece === "object" && piece.kind === "link") return piece.target;
  return undefined;
}

/** No person sees it, none reaches it with the keyboard, and none hears of it: who follows it is a program. */
function hiddenLink(address: string): string {
  return `<a href="${address}" tabindex="-1" aria-hidden="true" style="display:none;mso-hide:all;max-height:0;overflow:hidden"></a>`;
}

const answerStyle =
  "display:inline-block;min-width:24px;margin:0 4px 6px 0;padding:6px 8px;border:1px solid #888888;border-radius:6px;color:#1d4ed8;text-align:center;text-decoration:none";

function surveyBlock(
  { surveyId, kind, question, answers }: Survey,
  addresses: TrackingUrls,
  message: TrackedMessage,
): string {
  const links = answers.map((answer) => {
    const address = addresses.build("survey", { ...message, surveyId, kind, question, answer });
    return `<a href="${address}" style="${answerStyle}">${escapeHtml(String(answer))}</a>`;
  });
  return `<div style="margin:16px 0;font-family:sans-serif"><p style="margin:0 0 8px">${escapeHtml(question)}</p><p style="margin:0">${links.join("\n")}</p></div>`;
}
