// All metrics and details of one campaign. Missing numbers show as a dash.

import { compareTags } from "../../../campaign/campaign.ts";
import { metricNames, metricsOf, type ReportedMetrics } from "../../../campaign/metrics.ts";
import { recordFields, type Unit } from "../../../campaign/record-fields.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { numberOrDash } from "../ui/number-or-dash.ts";
import { renderTable } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { valueName } from "../value-name.ts";
import type { CampaignView } from "./campaign-view.ts";

/** The method of `Format` for each unit. */
const formatOf = {
  count: "count",
  fraction: "rate",
  percent: "percentage",
  points: "mean",
} as const satisfies Record<Unit, string>;

/** The last tab of a campaign's page: the fields that its sender reported, and every metric of its record. */
export function detailsTab({ session, stored, traffic, now }: CampaignView): Html {
  const { locale, organization } = session;
  const metrics = metricsOf(stored.numbers, stored.campaign.recipientCount, traffic);
  return html`<div class="cards">${campaignDetails(locale, stored, { timeZone: organization.timeZone, now })}
${metricsTable(locale, metrics)}</div>`;
}

/** All metrics. The tooltip of a rounded number shows the exact value. Records have an average of 0 without ratings. */
function metricsTable(locale: Locale, metrics: ReportedMetrics): Html {
  const { strings } = locale;
  const shown = { ...metrics, enps_score_average: metrics.enps_score_average || null };
  const rows = metricNames.map((name) => {
    const { unit } = recordFields[name];
    const number = shown[name];
    const isRounded = number !== null && unit !== "count";
    return html`<tr><th scope="row" class="text">${strings.fields[name]}</th><td class="number"${isRounded && html` title="${number}"`}>${numberOrDash(locale, formatOf[unit], number)}</td></tr>\n`;
  });
  const isIncomplete = Object.values(shown).includes(null);
  return html`<section class="card"><h2>${strings.campaign.allMetrics}</h2>
${renderTable(strings.campaign.metricsCaption, [], rows)}
${isIncomplete && html`<p class="soft small">${strings.campaign.missingMetrics}</p>`}</section>`;
}

/** The fields that the sender of the campaign reported. */
function campaignDetails(
  { strings, format }: Locale,
  { campaign, counting, tags }: StoredCampaign,
  { timeZone, now }: { timeZone: string; now: number },
): Html {
  const { sent, scheduled } = strings.campaign;
  const nameOf = (names: Record<string, string>, value: string | null) => value && valueName(names, value);
  const details: [string, HtmlValue][] = [
    [strings.campaign.id, String(campaign.id)],
    [strings.campaign.externalId, counting?.externalId ?? false],
    [campaign.sentAt > now ? scheduled : sent, format.dateTime(campaign.sentAt, timeZone)],
    [strings.campaign.sentFrom, campaign.sentFrom],
    [strings.campaign.team, campaign.team],
    [strings.campaign.sendingType, nameOf(strings.sendingTypes, campaign.sendingType)],
    [strings.campaign.trackingType, nameOf(strings.trackingTypes, campaign.trackingType)],
    [strings.campaign.recipientGroups, campaign.recipients],
    [
      strings.campaign.surveysCount,
      campaign.surveysCount === null ? null : format.count(campaign.surveysCount),
    ],
    [strings.campaign.tags, tags.length > 0 && tags.toSorted(compareTags).map(tagLabel)],
  ];
  const rows = details
    .filter(([, value]) => value !== false)
    .map(([title, value]) => {
      const isMissing = value === "" || value === null;
      const shown = isMissing ? html`<span class="soft">${strings.campaign.notSet}</span>` : value;
      return html`<tr><th scope="row">${title}</th><td class="text">${shown}</td></tr>\n`;
    });
  return html`<section class="card"><h2>${strings.campaign.details}</h2>
${renderTable(strings.campaign.detailsCaption, [], rows)}</section>`;
}
