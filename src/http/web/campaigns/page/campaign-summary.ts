// The first tab of a campaign's page: whether it was opened, read, clicked and liked, all in the first view.

import { campaignRange, campaignRate, sumsOfCampaign } from "../../../../campaign/campaign-rates.ts";
import { readTimeLimits } from "../../../../campaign/events/recipient.ts";
import type { CoveredRateName } from "../../../../campaign/sum-rates.ts";
import type { Sums } from "../../../../campaign/sums.ts";
import { type Benchmarks, findBenchmarks } from "../../../../listing/reports/campaign-benchmarks.ts";
import { readSameAge, type SameAge } from "../../../../listing/reports/same-age.ts";
import type { SurveyAnswers } from "../../../../listing/reports/survey-summary.ts";
import { deliveryText } from "../../../../locale/delivery-text.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { comparedName } from "../../../../locale/same-age-text.ts";
import { isStillCounting } from "../../../../storage/campaigns/stored-campaign.ts";
import { barRows } from "../../ui/lists/table.ts";
import { aboutNumbers } from "../../ui/numbers/about-numbers.ts";
import { rateWithRange } from "../../ui/numbers/rate-with-range.ts";
import { commentList } from "../../ui/texts/comment-list.ts";
import { surveyName } from "../../ui/texts/survey-name.ts";
import { linksTable } from "./campaign-links.ts";
import { commentCards, namesNote, ratingsChart } from "./campaign-surveys.ts";
import { type CampaignView, type ReadTab, shownCampaign, tabUrl } from "./campaign-view.ts";
import { baselineOf, keyNumbers, unknownOpensNote } from "./key-numbers.ts";
import { openingChart } from "./opening-curve.ts";
import { stillCountingNote } from "./same-age.ts";

const linksShown = 5;
const commentsShown = 6;

export const readSummary: ReadTab = async (scope, requested) => {
  const { stored, traffic } = requested;
  const benchmarks = await findBenchmarks(scope, stored, traffic);
  const sameAge = await readSameAge(scope, stored, { traffic, now: requested.now });
  return (view) => summary(view, benchmarks, sameAge);
};

function summary(view: CampaignView, benchmarks: Benchmarks, sameAge: SameAge | undefined): Html {
  const { stored, details, organization, lastEventAt: at } = view;
  const sums = sumsOfCampaign(shownCampaign(view));
  const delivery = deliveryText(view, shownCampaign(view), {
    at,
    timeZone: organization.timeZone,
    isStillCounting: isStillCounting(stored),
  });
  const baseline = isStillCounting(stored) ? undefined : baselineOf(view, benchmarks);
  return html`${keyNumbers(view, benchmarks, sameAge)}${delivery && html`<p class="small">${delivery.outcomes} <span class="soft">${delivery.notes}</span></p>`}
<div class="about-row">${stillCountingNote(view, sameAge)}${baseline !== undefined && html`<span class="soft small">${baseline}</span>`}${aboutNumbers(view, [...unknownOpensNote(view), ...indexNote(view, sums)])}</div>
<div class="cards">
${sameAge && html`<section class="card">${opensChart(view, sameAge)}</section>`}
${shareCards(view, sums, sameAge !== undefined)}
${cardOf(details && topLinks(view))}
${cardOf(ratingsChart(view, sums))}
</div>
${latestComments(view)}`;
}

const cardOf = (content: HtmlValue) => content && html`<section class="card">${content}</section>`;

function opensChart(view: CampaignView, { own, comparable, team }: SameAge): Html {
  const { now, t } = view;
  const campaigns = comparable.length;
  const usual =
    campaigns > 0
      ? {
          name: t("campaign.usualCurve", { team: comparedName(view, team), campaigns }),
          campaigns: comparable,
        }
      : undefined;
  const chart = openingChart(view, [{ name: t("campaign.thisCampaign"), campaign: own }], {
    usual,
    now,
    height: 200,
  });
  return html`${chart}${!usual && html`<p class="soft small">${t("campaign.noUsual")}</p>`}`;
}

type ShareName = "desktop" | "mobile" | "glanced" | "skimmed" | "read";

/** Devices and reading times, those that are known: in one card beside the chart, otherwise in one each. */
function shareCards(view: CampaignView, sums: Sums, hasChart: boolean): HtmlValue {
  const { t } = view;
  const limits = readTimeLimits;
  const deviceRows = shareRows(view, sums, {
    desktop: t("recipients.devices.desktop"),
    mobile: t("recipients.devices.mobile"),
  });
  const readRows = shareRows(view, sums, {
    glanced: t("campaign.glanced", { seconds: limits.glanced }),
    skimmed: t("campaign.skimmed", { seconds: limits.skimmed }),
    read: t("campaign.read", { seconds: limits.skimmed }),
  });
  const part = (title: string, shares: Shares | undefined) => shares && html`<h2>${title}</h2>${shares.rows}`;
  const parts = [
    part(t("campaign.devices", { total: deviceRows?.total ?? 0 }), deviceRows),
    part(t("campaign.readTime", { total: readRows?.total ?? 0 }), readRows),
  ].filter((each) => each !== undefined);
  if (hasChart) return parts.length > 0 && cardOf(html`${parts}`);
  return parts.map(cardOf);
}

/** The rate that is the share of each of the sums. */
const shareRates = {
  desktop: "desktopShare",
  mobile: "mobileShare",
  glanced: "glancedShare",
  skimmed: "skimmedShare",
  read: "readShare",
} as const satisfies Record<ShareName, CoveredRateName>;

interface Shares {
  /** What the shares are of; 0 if the campaign was imported. */
  total: number;
  rows: Html;
}

/** Undefined if nothing is known. */
function shareRows(
  view: CampaignView,
  sums: Sums,
  names: Partial<Record<ShareName, string>>,
): Shares | undefined {
  const keys = Object.keys(names) as ShareName[];
  const campaign = shownCampaign(view);
  const shares = keys.map((key) => campaignRate(campaign, shareRates[key]));
  if (shares.every((share) => share === null)) return undefined;
  // Sums have these counts times 100.
  const total = "tally" in campaign.numbers ? keys.reduce((sum, key) => sum + sums[key], 0) / 100 : 0;
  const rows = keys.map((key, index) => {
    const share = shares[index] ?? null;
    const text = rateWithRange(view, shareRates[key], share, campaignRange(campaign, shareRates[key]));
    return { name: names[key] ?? key, share, text };
  });
  return { total, rows: barRows(rows) };
}

/** False without clicks. A link to the others says how many links there are, as their tab does. */
function topLinks(view: CampaignView): Html | false {
  const links = (view.details?.links ?? []).length;
  const url = tabUrl(view, { tab: "links" });
  return (
    links > 0 &&
    html`<div class="card-head"><h2>${view.t("overview.topLinks")}</h2><a href="${url}">${view.t("campaign.allLinks", { links })}</a></div>
${linksTable(view, linksShown)}`
  );
}

/** Why an imported campaign has an average rating and no eNPS. */
function indexNote(view: CampaignView, sums: Sums): string[] {
  const isUnknown = sums.ratings > 0 && sums.indexed === 0;
  return isUnknown ? [view.t("campaign.indexUnknown")] : [];
}

/** The question is once above the comments, if they answer the same one. */
function latestComments(view: CampaignView): HtmlValue {
  const { t } = view;
  const surveys = (view.details?.surveys.surveys ?? []).filter(({ comments }) => comments.length > 0);
  const [first, ...others] = surveys;
  if (!first) return false;
  const questionOf = (survey: SurveyAnswers) =>
    surveyName(view, { ...survey, surveyId: survey.id }, view.questions);
  const cards = surveys.flatMap((survey) =>
    commentCards(view, survey).map((card) =>
      others.length > 0 ? { ...card, question: questionOf(survey) } : card,
    ),
  );
  const total = surveys.reduce((sum, { commentsInAll }) => sum + commentsInAll, 0);
  const count =
    total > commentsShown
      ? t("campaign.commentsShown", { total, shown: commentsShown })
      : t("campaign.commentCount", { count: total });
  const url = tabUrl(view, { tab: "surveys" });
  return html`<section class="with-comments"><div class="card-head section"><h2>${t("pages.comments")}</h2><span class="soft small">${others.length === 0 && html`${questionOf(first)} · `}${count}</span><a href="${url}">${t("campaign.allComments")}</a></div>
${commentList(cards.slice(0, commentsShown))}${namesNote(view)}</section>`;
}
