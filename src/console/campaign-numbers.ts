// The numbers and the facts of one campaign, as people read them.

import type { EmailRecord } from "../campaign/email-record.ts";
import type { MetricName } from "../campaign/metrics.ts";
import { type Html, html, type Part } from "../html.ts";
import type { StoredCampaign } from "../storage/campaigns.ts";
import { formatCount } from "./figures.ts";
import { tableOf } from "./table.ts";

/** A fraction as percent, with two decimals at most. */
const share = (fraction: number): string =>
  `${(100 * fraction).toLocaleString("en", { maximumFractionDigits: 2 })} %`;
const percent = (value: number): string => `${formatCount(value)} %`;

/** What each number of the record is called, and how it is written. */
const metrics: Record<MetricName, [title: string, format: (value: number) => string]> = {
  open_rate: ["Open rate", share],
  click_rate: ["Click rate", share],
  unique_opens: ["Recipients who opened", formatCount],
  multiple_opens: ["Opens beyond each recipient's first", formatCount],
  unopened: ["Recipients who did not open", formatCount],
  total_opens: ["Opens in all", formatCount],
  unique_clicks: ["Recipients who clicked", formatCount],
  multiple_clicks: ["Clicks beyond each recipient's first", formatCount],
  total_clicks: ["Clicks in all", formatCount],
  click_per_unique_open_rate: ["Of those who opened, clicked", percent],
  desktop_open_rate: ["Opens on desktop devices", percent],
  mobile_open_rate: ["Opens on mobile devices", percent],
  read_time_glanced: ["Readings up to 3 seconds (glanced)", percent],
  read_time_skimmed: ["Readings up to 9 seconds (skimmed)", percent],
  read_time_read: ["Longer readings (read)", percent],
  enps_score_average: ["eNPS: mean of the ratings", formatCount],
  enps_reactions_count: ["eNPS: ratings", formatCount],
  enps_comments_count: ["eNPS: ratings with words", formatCount],
  survey_reactions_count: ["Other surveys: answers", formatCount],
  survey_reactions_comments_count: ["Other surveys: answers with words", formatCount],
};

/** The numbers that are asked for first. */
export function figuresOf(record: EmailRecord): Html {
  const figure = (value: string, words: string) => html`<li><b>${value}</b>${words}</li>`;
  return html`<ul class="figures">
${figure(formatCount(record.recipient_count), "recipients")}
${figure(share(record.open_rate), `opened: ${formatCount(record.unique_opens)}`)}
${figure(share(record.click_rate), `clicked: ${formatCount(record.unique_clicks)}`)}
${figure(percent(record.click_per_unique_open_rate), "of those who opened clicked")}
</ul>`;
}

/** All numbers of the record, in its order. */
export function numbersOf(record: EmailRecord): Html {
  const rows = Object.entries(metrics).map(([name, [title, format]]) => {
    return html`<tr><th scope="row" class="words">${title}</th><td class="number">${format(record[name as MetricName])}</td></tr>\n`;
  });
  return html`<section class="card"><h2>Numbers</h2>
${tableOf("As the Analytics API gives them", [], rows)}</section>`;
}

/** What the sender told of it. */
export function factsOf({ counting }: StoredCampaign, record: EmailRecord): Html {
  const external = counting?.externalId ?? null;
  const facts: [string, Part][] = [
    ["Number", String(record.id)],
    ["The sender's own name for it", external ?? false],
    ["Sent", record.sent_at],
    ["Sent from", record.sent_from],
    ["Team", record.organization_team],
    ["Sending type", record.sending_type],
    ["Tracking type", record.tracking_type],
    ["Recipient groups", record.recipients],
    ["Surveys", formatCount(record.surveys_count)],
    ["Tags", record.tags.length > 0 && record.tags.map(tagOf)],
  ];
  const rows = facts
    .filter(([, value]) => value !== false)
    .map(([title, value]) => {
      const shown = value === "" ? html`<span class="soft">not given</span>` : value;
      return html`<tr><th scope="row">${title}</th><td class="words">${shown}</td></tr>\n`;
    });
  return html`<section class="card"><h2>About it</h2>
${tableOf("What the sender told of it", [], rows)}</section>`;
}

function tagOf({ name, color }: { name: string; color: string }): Html {
  return html`<span class="tag"><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" rx="2" fill="${color}"/></svg>${name}</span>`;
}
