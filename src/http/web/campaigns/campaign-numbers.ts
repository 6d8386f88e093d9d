// The numbers and the facts of one campaign, as people read them. A number that was never given is a dash here.

import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { compareTags } from "../../../campaign/campaign.ts";
import type { MetricName, ReportedMetrics } from "../../../campaign/metrics.ts";
import type { StoredCampaign } from "../../../storage/campaigns/campaigns.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { formatCount, formatMean, formatPercentage, formatRate } from "../ui/number-format.ts";
import { tableOf } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";

/** What each number of the record is called, and how it is written. */
const titles: Record<MetricName, [title: string, format: (value: number | null) => string]> = {
  open_rate: ["Open rate", formatRate],
  click_rate: ["Click rate", formatRate],
  unique_opens: ["Recipients who opened", formatCount],
  multiple_opens: ["Opens beyond each recipient's first", formatCount],
  unopened: ["Recipients who did not open", formatCount],
  total_opens: ["Opens in all", formatCount],
  unique_clicks: ["Recipients who clicked", formatCount],
  multiple_clicks: ["Clicks beyond each recipient's first", formatCount],
  total_clicks: ["Clicks in all", formatCount],
  click_per_unique_open_rate: ["Clicked, of those who opened", formatPercentage],
  desktop_open_rate: ["Opens on desktop devices", formatPercentage],
  mobile_open_rate: ["Opens on mobile devices", formatPercentage],
  read_time_glanced: ["Readings up to 3 seconds (glanced)", formatPercentage],
  read_time_skimmed: ["Readings up to 9 seconds (skimmed)", formatPercentage],
  read_time_read: ["Longer readings (read)", formatPercentage],
  enps_score_average: ["eNPS: mean of the ratings", formatMean],
  enps_reactions_count: ["eNPS: ratings", formatCount],
  enps_comments_count: ["eNPS: ratings with words", formatCount],
  survey_reactions_count: ["Other surveys: answers", formatCount],
  survey_reactions_comments_count: ["Other surveys: answers with words", formatCount],
};

/** The numbers that are asked for first. */
export function figuresOf({ campaign }: StoredCampaign, metrics: ReportedMetrics): Html {
  const figure = (value: string, words: string) => html`<li><b>${value}</b> ${words}</li>`;
  return html`<ul class="figures">
${figure(formatCount(campaign.recipientCount), "recipients")}
${figure(formatRate(metrics.open_rate), `opened: ${formatCount(metrics.unique_opens)}`)}
${figure(formatRate(metrics.click_rate), `clicked: ${formatCount(metrics.unique_clicks)}`)}
${figure(formatPercentage(metrics.click_per_unique_open_rate), "clicked, of those who opened")}
</ul>`;
}

/** All numbers, in the order of the record; where one is rounded, the exact value is in its hint. */
export function numbersOf(metrics: ReportedMetrics): Html {
  const rows = Object.entries(titles).map(([name, [title, format]]) => {
    const value = metrics[name as MetricName];
    const isRounded = value !== null && format !== formatCount;
    return html`<tr><th scope="row" class="words">${title}</th><td class="number"${isRounded && html` title="${value}"`}>${format(value)}</td></tr>\n`;
  });
  const hasGaps = Object.values(metrics).includes(null);
  const gaps =
    hasGaps &&
    html`<p class="soft small">A dash is a number that was not given; the Analytics API gives it as 0.</p>`;
  return html`<details class="card"><summary>All numbers</summary>
${tableOf("As the Analytics API gives them", [], rows)}
${gaps}</details>`;
}

/** What the sender told of it. */
export function factsOf(
  { campaign, counting, tags }: StoredCampaign,
  { timeZone, now }: { timeZone: string; now: number },
): Html {
  const facts: [string, HtmlValue][] = [
    ["Id", String(campaign.id)],
    ["The sender's own name for it", counting?.externalId ?? false],
    [campaign.sentAt > now ? "To be sent" : "Sent", formatSentAt(campaign.sentAt, timeZone)],
    ["Sent from", campaign.sentFrom],
    ["Team", campaign.team],
    ["Sending type", campaign.sendingType],
    ["Tracking type", campaign.trackingType],
    ["Recipient groups", campaign.recipients],
    ["Surveys", formatCount(campaign.surveysCount)],
    ["Tags", tags.length > 0 && tags.toSorted(compareTags).map(tagLabel)],
  ];
  const rows = facts
    .filter(([, value]) => value !== false)
    .map(([title, value]) => {
      const isMissing = value === "" || value === null;
      const shown = isMissing ? html`<span class="soft">not given</span>` : value;
      return html`<tr><th scope="row">${title}</th><td class="words">${shown}</td></tr>\n`;
    });
  return html`<section class="card"><h2>What was sent</h2>
${tableOf("What the sender told of it", [], rows)}</section>`;
}
