// All metrics and details of one campaign. Missing numbers show as a dash.

import { compareTags } from "../../../campaign/campaign.ts";
import { campaignRate, rateOfMetric } from "../../../campaign/campaign-rates.ts";
import { metricNames, metricsOf } from "../../../campaign/metrics.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { methodOfRate, numberOrDash } from "../ui/number-or-dash.ts";
import { renderTable } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { valueName } from "../value-name.ts";
import { type CampaignView, shownCampaign } from "./campaign-view.ts";

/** The last tab of a campaign's page: the fields that its sender reported, and every metric of its record. */
export function detailsTab(view: CampaignView): Html {
  const { session, stored, now } = view;
  const { locale, organization } = session;
  return html`<div class="cards">${campaignDetails(locale, stored, { timeZone: organization.timeZone, now })}
${metricsTable(view)}</div>`;
}

/** All metrics, with exact rates; the tooltip of a rate shows the number of the record. */
function metricsTable(view: CampaignView): Html {
  const { locale } = view.session;
  const { strings } = locale;
  const campaign = shownCampaign(view);
  const metrics = metricsOf(view.stored.numbers, campaign.recipientCount, view.traffic);
  const shown = metricNames.map((name) => {
    const recorded = metrics[name];
    const rate = rateOfMetric(name);
    const number = recorded === null || !rate ? recorded : campaignRate(campaign, rate);
    return { name, recorded, number, method: rate ? methodOfRate(rate) : ("count" as const) };
  });
  const rows = shown.map(({ name, recorded, number, method }) => {
    const title = number !== null && method !== "count" && html` title="${recorded}"`;
    return html`<tr><th scope="row" class="text">${strings.fields[name]}</th><td class="number"${title}>${numberOrDash(locale, method, number)}</td></tr>\n`;
  });
  const isIncomplete = shown.some(({ number }) => number === null);
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
