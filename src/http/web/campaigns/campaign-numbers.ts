// The metrics and details of one campaign. Missing numbers show as a dash.

import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { compareTags } from "../../../campaign/campaign.ts";
import { metricNames, type ReportedMetrics } from "../../../campaign/metrics.ts";
import { recordFields, type Unit } from "../../../campaign/record-fields.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { campaignStrings } from "../strings/campaign.ts";
import { formatCount, formatMean, formatPercentage, formatRate } from "../ui/number-format.ts";
import { renderTable } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";

const formats: Record<Unit, (value: number | null) => string> = {
  count: formatCount,
  fraction: formatRate,
  percent: formatPercentage,
  points: formatMean,
};

/** The most important metrics, at the top of the page. */
export function headlineMetrics({ campaign }: StoredCampaign, metrics: ReportedMetrics): Html {
  const { recipientsMetric, opened, clicked, clickToOpenRate } = campaignStrings;
  const metric = (value: string, label: string) => html`<li><b>${value}</b> ${label}</li>`;
  return html`<ul class="metrics">
${metric(formatCount(campaign.recipientCount), recipientsMetric)}
${metric(formatRate(metrics.open_rate), opened(formatCount(metrics.unique_opens)))}
${metric(formatRate(metrics.click_rate), clicked(formatCount(metrics.unique_clicks)))}
${metric(formatPercentage(metrics.click_per_unique_open_rate), clickToOpenRate)}
</ul>`;
}

/** All metrics. The tooltip of a rounded number shows the exact value. */
export function metricsTable(metrics: ReportedMetrics): Html {
  const rows = metricNames.map((name) => {
    const { title, unit } = recordFields[name];
    const format = formats[unit];
    const value = metrics[name];
    const isRounded = value !== null && format !== formatCount;
    return html`<tr><th scope="row" class="text">${title}</th><td class="number"${isRounded && html` title="${value}"`}>${format(value)}</td></tr>\n`;
  });
  const isIncomplete = Object.values(metrics).includes(null);
  return html`<details class="card"><summary>${campaignStrings.allMetrics}</summary>
${renderTable(campaignStrings.metricsCaption, [], rows)}
${isIncomplete && html`<p class="soft small">${campaignStrings.missingMetrics}</p>`}</details>`;
}

/** The fields that the sender of the campaign reported. */
export function campaignDetails(
  { campaign, counting, tags }: StoredCampaign,
  { timeZone, now }: { timeZone: string; now: number },
): Html {
  const { sent, scheduled } = campaignStrings;
  const details: [string, HtmlValue][] = [
    [campaignStrings.id, String(campaign.id)],
    [campaignStrings.externalId, counting?.externalId ?? false],
    [campaign.sentAt > now ? scheduled : sent, formatSentAt(campaign.sentAt, timeZone)],
    [campaignStrings.sentFrom, campaign.sentFrom],
    [campaignStrings.team, campaign.team],
    [campaignStrings.sendingType, campaign.sendingType],
    [campaignStrings.trackingType, campaign.trackingType],
    [campaignStrings.recipientGroups, campaign.recipients],
    [campaignStrings.surveysCount, formatCount(campaign.surveysCount)],
    [campaignStrings.tags, tags.length > 0 && tags.toSorted(compareTags).map(tagLabel)],
  ];
  const rows = details
    .filter(([, value]) => value !== false)
    .map(([title, value]) => {
      const isMissing = value === "" || value === null;
      const shown = isMissing ? html`<span class="soft">${campaignStrings.notSet}</span>` : value;
      return html`<tr><th scope="row">${title}</th><td class="text">${shown}</td></tr>\n`;
    });
  return html`<section class="card"><h2>${campaignStrings.details}</h2>
${renderTable(campaignStrings.detailsCaption, [], rows)}</section>`;
}
