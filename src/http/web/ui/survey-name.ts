// The name of a survey: what its answers are, and the id that the sender gave it.

import type { SurveyKind } from "../../../campaign/events/event.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

interface NamedSurvey {
  kind: SurveyKind;
  surveyId: string;
}

export function surveyName(locale: Locale, survey: NamedSurvey): Html {
  return html`${kindOf(locale, survey)} <span class="code">${survey.surveyId}</span>`;
}

/** {@link surveyName} as text. */
export function surveyTitle(locale: Locale, survey: NamedSurvey): string {
  return `${kindOf(locale, survey)} ${survey.surveyId}`;
}

function kindOf({ strings }: Locale, { kind }: NamedSurvey): string {
  return kind === "enps" ? strings.campaign.enps : strings.campaign.survey;
}
