// Human and automated activity of a campaign, in total and over time.

import { type Activity, activities } from "../../../../campaign/events/activity.ts";
import { clicksKept } from "../../../../campaign/events/recipient.ts";
import { type TrafficFilter, trafficFilters } from "../../../../campaign/events/traffic.ts";
import { daysShown, hoursShown } from "../../../../listing/reports/activity-summary.ts";
import type { CampaignActivity } from "../../../../listing/reports/campaign-activity.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { textsOfVerdict } from "../../../../locale/verdict-texts.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { renderChart } from "../../ui/charts/charts.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { cellLabel, dataTable, numberCell } from "../../ui/lists/table.ts";
import type { CampaignView } from "./campaign-view.ts";

export function activityTab({ session, stored, details, now }: CampaignView): Html {
  const { locale, organization } = session;
  const { t } = locale;
  if (!details)
    return emptyState({ icon: "bot", title: t("campaign.activity"), text: t("campaign.importedActivity") });
  const { activity } = details;
  if (activity.verdicts.length === 0)
    return emptyState({ icon: "bot", title: t("campaign.activity"), text: t("campaign.noActivity") });
  const hours = activity.hours.filter(({ at }) => at <= now);
  const charts = activities.map(
    (of) => html`<section class="card">${hoursChart(locale, hours, of, organization.timeZone)}</section>`,
  );
  return html`<section class="card"><h2>${t("campaign.trafficTitle")}</h2>
${trafficTable(locale, activity, trafficTotals(activity, stored))}</section>
${hours.length > 0 && html`<div class="cards">${charts}</div>`}
<section class="card">${daysTable(locale, activity)}</section>`;
}

function hoursChart(locale: Locale, hours: CampaignActivity["hours"], of: Activity, timeZone: string): Html {
  const { t, format } = locale;
  const [title, human, automated] =
    of === "open"
      ? [
          t("campaign.opensByHour", { hours: hoursShown }),
          t("campaign.humanOpens"),
          t("campaign.automatedOpens"),
        ]
      : [
          t("campaign.clicksByHour", { hours: hoursShown }),
          t("campaign.humanClicks"),
          t("campaign.automatedClicks"),
        ];
  return renderChart({
    locale,
    title,
    kind: "stacked",
    xTitle: t("campaign.hour"),
    labels: format.hours(
      hours.map(({ at }) => at),
      timeZone,
    ),
    series: [
      { name: human, values: hours.map((each) => each[of].human) },
      { name: automated, values: hours.map((each) => each[of].automated) },
    ],
    format: (count) => format.count(count),
  });
}

function daysTable(locale: Locale, { days }: CampaignActivity): Html {
  const { t, format } = locale;
  const opens = [t("campaign.humanOpens"), t("campaign.automatedOpens")];
  const clicks = [t("campaign.humanClicks"), t("campaign.automatedClicks")];
  const classes = ["", "number", "number", "number", "number"];
  const rows = days.map(({ date, open, click }) => [
    format.date(date),
    ...[open.human, open.automated, click.human, click.automated].map((each) => format.count(each)),
  ]);
  const caption =
    days.length < daysShown ? t("campaign.byDay") : t("campaign.byLastDays", { days: daysShown });
  return dataTable(caption, [t("campaign.day"), ...opens, ...clicks], rows, { classes, isStacked: true });
}

function trafficTable(
  locale: Locale,
  { verdicts }: CampaignActivity,
  totals: readonly TrafficTotals[],
): Html {
  const { t, format } = locale;
  const rows = verdicts.map(({ verdict, isHuman, open, click }) => {
    const { title, meaning } = textsOfVerdict(locale, verdict);
    const countedAs = isHuman ? t("campaign.human") : t("campaign.automated");
    return [title, countedAs, renderCode(meaning), format.count(open), format.count(click)];
  });
  const about = [t("campaign.traffic"), t("campaign.countedAs"), t("campaign.reason")];
  const titles = [...about, t("campaign.opens"), t("campaign.clicks")];
  return dataTable(t("campaign.trafficCaption"), titles, rows, {
    classes: ["", "", "text bare", "number", "number"],
    isStacked: true,
    ...(totals.length > 0 && { footer: html`${totals.map((each) => trafficFooter(locale, each))}` }),
  });
}

/** Renders `backticks` as code. */
function renderCode(text: string): HtmlValue {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

interface TrafficTotals {
  traffic: TrafficFilter;
  totals: Record<Activity, number>;
  /** What the totals have beyond the verdicts. */
  further: Record<Activity, number>;
}

/** The totals of the record for each kind of traffic. None for a closed campaign, whose verdicts may lack some. */
function trafficTotals(
  { verdicts }: CampaignActivity,
  { numbers, counting }: StoredCampaign,
): TrafficTotals[] {
  if (!("tallies" in numbers) || counting?.ledgerId === null) return [];
  const { tallies } = numbers;
  return trafficFilters.map((traffic) => {
    const { totalOpens: open, totalClicks: click } = tallies[traffic];
    const counted = verdicts.filter(({ isHuman }) => isHuman || traffic === "all");
    const further = (total: number, of: Activity) => total - counted.reduce((sum, each) => sum + each[of], 0);
    return {
      traffic,
      totals: { open, click },
      further: { open: further(open, "open"), click: further(click, "click") },
    };
  });
}

/** The opens and clicks of a kind of traffic that have no verdict, and its totals. */
function trafficFooter(locale: Locale, { traffic, totals, further }: TrafficTotals): Html {
  const name = locale.t(`filters.traffic.${traffic}`);
  const row = (title: string, meaning: string, { open, click }: Record<Activity, number>) =>
    html`<tr><th scope="row">${title}</th><td${cellLabel(locale.t("campaign.countedAs"))}>${name}</td><td class="text">${meaning}</td>${numberCell(locale, open, locale.t("campaign.opens"))}${numberCell(locale, click, locale.t("campaign.clicks"))}</tr>\n`;
  return html`${further.open > 0 && row(locale.t("campaign.inferredOpens"), locale.t("campaign.inferredMeaning"), { open: further.open, click: 0 })}
${further.click > 0 && row(locale.t("campaign.furtherClicks"), locale.t("campaign.furtherMeaning", { max: clicksKept }), { open: 0, click: further.click })}
<tr><th scope="row" colspan="3">${locale.t(`campaign.trafficTotals.${traffic}`)}</th>${numberCell(locale, totals.open, locale.t("campaign.opens"))}${numberCell(locale, totals.click, locale.t("campaign.clicks"))}</tr>`;
}
