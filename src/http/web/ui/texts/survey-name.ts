// The name of a survey: its question if that is known, otherwise what its answers are and the id that the sender gave it.

import type { SurveyKind } from "../../../../campaign/events/event.ts";
import { questionKey } from "../../../../campaign/survey-question.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import type { CampaignQuestions } from "../../../../storage/campaigns/campaign-questions.ts";

interface NamedSurvey {
  kind: SurveyKind;
  surveyId: string;
}

/** @param questions of the campaign; undefined if none is known */
export function surveyName(
  locale: Locale,
  survey: NamedSurvey,
  questions: CampaignQuestions | undefined,
): Html {
  const question = questions?.get(questionKey(survey));
  return question === undefined
    ? surveyLabel(locale, survey)
    : html`<span lang="" dir="auto">${question}</span>`;
}

/** The kind and the id. */
export function surveyLabel(locale: Locale, survey: NamedSurvey): Html {
  return html`${kindOf(locale, survey)} <span class="code">${survey.surveyId}</span>`;
}

/** {@link surveyName} as text. */
export function surveyTitle(
  locale: Locale,
  survey: NamedSurvey,
  questions: CampaignQuestions | undefined,
): string {
  return questions?.get(questionKey(survey)) ?? `${kindOf(locale, survey)} ${survey.surveyId}`;
}

function kindOf({ t }: Locale, { kind }: NamedSurvey): string {
  return kind === "enps" ? t("campaign.enps") : t("campaign.survey");
}
