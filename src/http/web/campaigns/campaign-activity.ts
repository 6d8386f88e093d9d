// The activity of one campaign: opens and clicks by hour and day, human and automated traffic, and links.

import { formatHours } from "../../../campaign/calendar/hours.ts";
import { type Activity, activities } from "../../../campaign/events/activity.ts";
import { clicksKept } from "../../../campaign/events/recipient.ts";
import { daysShown, hoursShown } from "../../../listing/reports/activity-summary.ts";
import type { CampaignActivity } from "../../../listing/reports/campaign-activity.ts";
import { linksKept } from "../../../storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { campaignStrings } from "../strings/campaign.ts";
import { renderChart } from "../ui/charts.ts";
import { formatCount } from "../ui/number-format.ts";
import { columnHeader, numberCell, numberColumnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

export function activitySection(
  activity: CampaignActivity,
  stored: StoredCampaign,
  { timeZone }: { timeZone: string },
): Html {
  if (activity.verdicts.length === 0) {
    return html`<section class="card"><h2>${campaignStrings.activity}</h2>
<p>${campaignStrings.noActivity}</p></section>`;
  }
  const charts = activities.map(
    (of) => html`<section class="card">${hoursChart(activity, of, timeZone)}</section>`,
  );
  return html`<h2>${campaignStrings.activityOverTime}</h2>
${activity.hours.length > 0 && html`<div class="cards">${charts}</div>`}
<section class="card">${daysTable(activity)}</section>
<section class="card"><h2>${campaignStrings.trafficTitle}</h2>
${trafficTable(activity)}
${uncountedNotes(activity, stored)}</section>
<section class="card"><h2>${campaignStrings.links}</h2>
${linksTable(activity)}</section>`;
}

function hoursChart({ hours }: CampaignActivity, of: Activity, timeZone: string): Html {
  const { opensByHour, clicksByHour, hour, human, automated } = campaignStrings;
  return renderChart({
    title: of === "open" ? opensByHour(hoursShown) : clicksByHour(hoursShown),
    kind: "stacked",
    xTitle: hour,
    labels: formatHours(
      hours.map(({ at }) => at),
      timeZone,
    ),
    series: [
      { name: human, values: hours.map((each) => each[of].human) },
      { name: automated, values: hours.map((each) => each[of].automated) },
    ],
    format: formatCount,
  });
}

function daysTable({ days }: CampaignActivity): Html {
  const { byDay, byLastDays, humanOpens, automatedOpens, humanClicks, automatedClicks } = campaignStrings;
  const headers = [humanOpens, automatedOpens, humanClicks, automatedClicks].map(numberColumnHeader);
  const rows = days.map(
    ({ day, open, click }) =>
      html`<tr><th scope="row">${day}</th>${numberCell(open.human)}${numberCell(open.automated)}${numberCell(click.human)}${numberCell(click.automated)}</tr>\n`,
  );
  const caption = days.length < daysShown ? byDay : byLastDays(daysShown);
  return renderTable(caption, [columnHeader(campaignStrings.day), ...headers], rows);
}

function trafficTable({ verdicts }: CampaignActivity): Html {
  const { human, automated, traffic, countedAs, reason, opens, clicks } = campaignStrings;
  const rows = verdicts.map(
    ({ title, meaning, isHuman, open, click }) =>
      html`<tr><th scope="row">${title}</th><td>${isHuman ? human : automated}</td><td class="text">${renderCode(meaning)}</td>${numberCell(open)}${numberCell(click)}</tr>\n`,
  );
  const headers = [columnHeader(traffic), columnHeader(countedAs), textColumnHeader(reason)];
  const numbers = [numberColumnHeader(opens), numberColumnHeader(clicks)];
  return renderTable(campaignStrings.trafficCaption, [...headers, ...numbers], rows);
}

/** Renders `backticks` as code. */
function renderCode(text: string): HtmlValue {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** How many opens and clicks the totals have and the traffic table lacks. A closed campaign no longer has both numbers. */
function uncountedNotes({ verdicts }: CampaignActivity, { numbers, counting }: StoredCampaign): HtmlValue {
  if (!("tallies" in numbers) || counting?.ledgerId === null) return false;
  const { totalOpens, totalClicks } = numbers.tallies.all;
  const missing = (total: number, of: Activity) => total - verdicts.reduce((sum, each) => sum + each[of], 0);
  const [opens, clicks] = [missing(totalOpens, "open"), missing(totalClicks, "click")];
  const { opensWithoutTime, clicksWithoutTime } = campaignStrings;
  return html`${opens > 0 && html`<p class="soft small">${opensWithoutTime(opens)}</p>`}
${clicks > 0 && html`<p class="soft small">${clicksWithoutTime(clicks, clicksKept)}</p>`}`;
}

function linksTable({ links }: CampaignActivity): Html {
  if (links.length === 0) return html`<p>${campaignStrings.noClicks}</p>`;
  const { link, humanClicks, allClicks, linksCaption, linksNote } = campaignStrings;
  const rows = links.map(
    ({ url, people, all }) =>
      html`<tr><th scope="row" class="text">${renderLink(url)}</th>${numberCell(people)}${numberCell(all)}</tr>\n`,
  );
  const headers = [textColumnHeader(link), numberColumnHeader(humanClicks), numberColumnHeader(allClicks)];
  return html`${renderTable(linksCaption, headers, rows)}
<p class="soft small">${linksNote(linksKept)}</p>`;
}

/** A URL that is truncated, or not http(s), is text and not a link. */
function renderLink(url: string): HtmlValue {
  if (url === "") return campaignStrings.otherLinks;
  if (!/^https?:\/\//i.test(url) || url.includes("…")) return url;
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${url}</a>`;
}
