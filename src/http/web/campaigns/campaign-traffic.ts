// Human and automated activity of a campaign, in total and over time.

import { type Activity, type ActivityVerdict, activities } from "../../../campaign/events/activity.ts";
import { clicksKept } from "../../../campaign/events/recipient.ts";
import { type TrafficFilter, trafficFilters } from "../../../campaign/events/traffic.ts";
import { daysShown, hoursShown } from "../../../listing/reports/activity-summary.ts";
import type { CampaignActivity } from "../../../listing/reports/campaign-activity.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { Strings } from "../strings/en.ts";
import { renderChart } from "../ui/charts.ts";
import { emptyState } from "../ui/empty-state.ts";
import {
  cellLabel,
  columnHeader,
  numberCell,
  numberColumnHeader,
  renderTable,
  textColumnHeader,
} from "../ui/table.ts";
import type { CampaignView } from "./campaign-view.ts";

export function activityTab({ session, stored, details, now }: CampaignView): Html {
  const { locale, organization } = session;
  const { strings } = locale;
  const { activity: title, noActivity, importedActivity } = strings.campaign;
  if (!details) return emptyState({ icon: "bot", title, text: importedActivity });
  const { activity } = details;
  if (activity.verdicts.length === 0) return emptyState({ icon: "bot", title, text: noActivity });
  const hours = activity.hours.filter(({ at }) => at <= now);
  const charts = activities.map(
    (of) => html`<section class="card">${hoursChart(locale, hours, of, organization.timeZone)}</section>`,
  );
  return html`<section class="card"><h2>${strings.campaign.trafficTitle}</h2>
${trafficTable(locale, activity, trafficTotals(activity, stored))}</section>
${hours.length > 0 && html`<div class="cards">${charts}</div>`}
<section class="card">${daysTable(locale, activity)}</section>`;
}

function hoursChart(locale: Locale, hours: CampaignActivity["hours"], of: Activity, timeZone: string): Html {
  const { strings, format } = locale;
  const { opensByHour, clicksByHour, humanOpens, humanClicks, automatedOpens, automatedClicks, hour } =
    strings.campaign;
  const [title, human, automated] =
    of === "open"
      ? [opensByHour(hoursShown), humanOpens, automatedOpens]
      : [clicksByHour(hoursShown), humanClicks, automatedClicks];
  return renderChart({
    locale,
    title,
    kind: "stacked",
    xTitle: hour,
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
  const { strings, format } = locale;
  const { byDay, byLastDays, humanOpens, automatedOpens, humanClicks, automatedClicks } = strings.campaign;
  const headers = [humanOpens, automatedOpens, humanClicks, automatedClicks].map(numberColumnHeader);
  const rows = days.map(
    ({ date, open, click }) =>
      html`<tr><th scope="row">${format.date(date)}</th>${numberCell(locale, open.human, humanOpens)}${numberCell(locale, open.automated, automatedOpens)}${numberCell(locale, click.human, humanClicks)}${numberCell(locale, click.automated, automatedClicks)}</tr>\n`,
  );
  const caption = days.length < daysShown ? byDay : byLastDays(daysShown);
  return renderTable(caption, [columnHeader(strings.campaign.day), ...headers], rows, { isStacked: true });
}

function trafficTable(
  locale: Locale,
  { verdicts }: CampaignActivity,
  totals: readonly TrafficTotals[],
): Html {
  const { strings } = locale;
  const { human, automated, traffic, countedAs, reason, opens, clicks } = strings.campaign;
  const rows = verdicts.map(({ verdict, isHuman, open, click }) => {
    const { title, meaning } = textsOfVerdict(strings, verdict);
    return html`<tr><th scope="row">${title}</th><td${cellLabel(countedAs)}>${isHuman ? human : automated}</td><td class="text wide">${renderCode(meaning)}</td>${numberCell(locale, open, opens)}${numberCell(locale, click, clicks)}</tr>\n`;
  });
  const headers = [columnHeader(traffic), columnHeader(countedAs), textColumnHeader(reason)];
  const numbers = [numberColumnHeader(opens), numberColumnHeader(clicks)];
  return renderTable(strings.campaign.trafficCaption, [...headers, ...numbers], rows, {
    isStacked: true,
    ...(totals.length > 0 && { footer: html`${totals.map((each) => trafficFooter(locale, each))}` }),
  });
}

/** Another version of the program may have stored a verdict that this version lacks. */
function textsOfVerdict({ verdicts }: Strings, name: string): { title: string; meaning: string } {
  return Object.hasOwn(verdicts, name) ? verdicts[name as ActivityVerdict] : { title: name, meaning: "" };
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
  const { opens, clicks, inferredOpens, inferredMeaning, furtherClicks, furtherMeaning, trafficTotals } =
    locale.strings.campaign;
  const { countedAs } = locale.strings.campaign;
  const name = locale.strings.filters.traffic[traffic];
  const row = (title: string, meaning: string, { open, click }: Record<Activity, number>) =>
    html`<tr><th scope="row">${title}</th><td${cellLabel(countedAs)}>${name}</td><td class="text wide">${meaning}</td>${numberCell(locale, open, opens)}${numberCell(locale, click, clicks)}</tr>\n`;
  return html`${further.open > 0 && row(inferredOpens, inferredMeaning, { open: further.open, click: 0 })}
${further.click > 0 && row(furtherClicks, furtherMeaning(clicksKept), { open: 0, click: further.click })}
<tr><th scope="row" colspan="3">${trafficTotals[traffic]}</th>${numberCell(locale, totals.open, opens)}${numberCell(locale, totals.click, clicks)}</tr>`;
}
