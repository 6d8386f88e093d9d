// The rows of a comparison with what campaigns contain: the answers to their surveys, and their links.

import type { TrafficFilter } from "../../../../campaign/events/traffic.ts";
import { questionKey } from "../../../../campaign/survey-question.ts";
import type { AnsweredSurvey } from "../../../../listing/reports/latest-comments.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { findLinksOfCampaigns } from "../../../../storage/campaigns/campaign-links.ts";
import { findQuestions } from "../../../../storage/campaigns/campaign-questions.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import type { WebSession } from "../../frame/page.ts";
import { noValue, numberOrDash } from "../../ui/numbers/number-or-dash.ts";
import { commonHost, urlText, urlTooltip } from "../../ui/texts/outside-link.ts";
import { surveyName } from "../../ui/texts/survey-name.ts";

const linksShown = 5;
const answersShown = 3;

type Contents = Awaited<ReturnType<typeof readContents>>;

export async function readContents(scope: Scope, campaigns: readonly StoredCampaign[]) {
  const idsOf = (some: readonly StoredCampaign[]) => some.map(({ campaign }) => campaign.id);
  return {
    questions: await findQuestions(scope, idsOf(campaigns)),
    links: await findLinksOfCampaigns(scope, idsOf(campaigns.filter(({ counting }) => counting))),
  };
}

export function contentRows(
  session: WebSession,
  campaigns: readonly StoredCampaign[],
  {
    questions,
    links,
    answers,
    traffic,
  }: Contents & { answers: readonly AnsweredSurvey[]; traffic: TrafficFilter },
): Html[] {
  const { locale } = session;
  const ids = campaigns.map(({ campaign }) => campaign.id);
  const surveys = answers.filter(({ kind, counts }) => kind !== "enps" && counts);
  const keyOf = (survey: AnsweredSurvey) =>
    questions.get(survey.campaignId)?.get(questionKey(survey)) ?? `\0${questionKey(survey)}`;
  const asked = [...Map.groupBy(surveys, keyOf).values()].map((same) => {
    const [first] = same as [AnsweredSurvey];
    const cells = ids.map((id) =>
      answersCell(
        session,
        same.find(({ campaignId }) => campaignId === id),
      ),
    );
    return row(surveyName(locale, first, questions.get(first.campaignId)), cells);
  });
  const byUrl = [...Map.groupBy(links, ({ url }) => url)].filter(([url]) => url !== "");
  const clicksOf = (own: typeof links) => own.reduce((sum, each) => sum + each[traffic], 0);
  const top = byUrl
    .filter(([, own]) => clicksOf(own) > 0)
    .sort(([a, x], [b, y]) => clicksOf(y) - clicksOf(x) || (a < b ? -1 : 1))
    .slice(0, linksShown);
  const host = commonHost(top.map(([url]) => url));
  return [
    ...asked,
    ...top.map(([url, own]) => {
      const name = html`<span class="link"${urlTooltip(url)}>${locale.t("links.clicks")}: ${urlText(url, host)}</span>`;
      const cells = ids.map((id) => {
        const clicks = own.find(({ campaignId }) => campaignId === id)?.[traffic];
        return html`<td class="number">${numberOrDash(locale, "count", clicks ?? null)}</td>`;
      });
      return row(name, cells);
    }),
  ];
}

const row = (name: Html, cells: readonly Html[]): Html => html`<tr><th scope="row">${name}</th>${cells}</tr>
`;

/** The most frequent answers with their shares. */
function answersCell({ locale }: WebSession, survey: AnsweredSurvey | undefined): Html {
  const counts = [...(survey?.counts ?? [])].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return html`<td class="number">${noValue(locale)}</td>`;
  const shown = counts.slice(0, answersShown).map(([answer, count], index) => {
    const text =
      answer === "" ? locale.t("campaign.forgottenAnswer") : html`<span lang="" dir="auto">${answer}</span>`;
    return html`${index > 0 && html`<br>`}${text} ${locale.format.rate(count / total)}`;
  });
  return html`<td class="number">${shown} <small class="soft">(${locale.format.count(total)})</small></td>`;
}
