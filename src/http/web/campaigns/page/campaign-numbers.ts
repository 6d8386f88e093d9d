// All metrics and details of one campaign. Missing numbers show as a dash.

import { dateAt, isoDay } from "../../../../campaign/calendar/calendar-date.ts";
import { compareTags } from "../../../../campaign/campaign.ts";
import { campaignRange, campaignRate, rateOfMetric } from "../../../../campaign/campaign-rates.ts";
import { deliveryCountNames } from "../../../../campaign/delivery/delivery-fields.ts";
import { type FeedField, feedFields } from "../../../../campaign/feed/feed-fields.ts";
import { metricNames, metricsOf } from "../../../../campaign/metrics.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { valueName } from "../../../../locale/value-name.ts";
import { urlWithQuery, webPaths } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { WebSession } from "../../frame/page.ts";
import { dataTable, renderTable } from "../../ui/lists/table.ts";
import { numberOrDash, withheldText } from "../../ui/numbers/number-or-dash.ts";
import { rateWithRange } from "../../ui/numbers/rate-with-range.ts";
import { seriesLink, tagLink } from "../../ui/texts/series-link.ts";
import { correctionsCard } from "../manage/correct-and-reset.ts";
import { manageCards } from "../manage/manage-campaign.ts";
import { type CampaignView, shownCampaign } from "./campaign-view.ts";

/** The last tab of a campaign's page: the fields that its sender reported, and every metric of its record. */
export function detailsTab(view: CampaignView): Html {
  const { stored, allTags, rejected, isAdmin } = view;
  return html`<div class="cards">${campaignDetails(view, stored)}
${metricsTable(view)}
${isAdmin && correctionsCard(view, stored, allTags)}</div>
${isAdmin && manageCards(view, stored, rejected)}`;
}

/** All metrics of the record, as other pages show them. */
function metricsTable(view: CampaignView): Html {
  const { stored, traffic, t, translate } = view;
  const { campaign, numbers } = stored;
  const shown = metricsOf(numbers, campaign.recipientCount, traffic);
  const nameOf = (name: FeedField) => translate(`fields.${name}`, feedFields[name].title);
  const rows = metricNames.map((name) => {
    const rate = rateOfMetric(name);
    const number = rate ? campaignRate(shownCampaign(view), rate) : shown[name];
    const text =
      rate && number !== null
        ? rateWithRange(view, rate, number, campaignRange(shownCampaign(view), rate))
        : numberOrDash(view, "count", number, rate && withheldText(view, stored, rate));
    return [nameOf(name), text];
  });
  const delivery = deliveryCountNames.flatMap((name) => {
    const number = shown[name] ?? null;
    if (number === null) return [];
    return [[nameOf(name), numberOrDash(view, "count", number)]];
  });
  const [opened, recipients] = [shown.unique_opens ?? 0, campaign.recipientCount ?? Infinity];
  return html`<section class="card"><h2>${t("campaign.allMetrics")}</h2>
${dataTable(t("campaign.metricsCaption"), [t("comparison.metric"), t("campaign.value")], [...rows, ...delivery], { classes: ["text", "number"] })}
${opened > recipients && html`<p class="soft small">${t("campaign.openedMore", { opened, recipients })}.</p>`}</section>`;
}

/** The fields that the sender of the campaign reported. */
function campaignDetails(
  { organization: { timeZone }, now, t, texts, format, timeText }: WebSession,
  { campaign, counting, tags, origin }: StoredCampaign,
): Html {
  const originText = origin && `${origin.tool === "file" ? t("imports.file") : origin.tool}, ${origin.id}`;
  const nameOf = (names: Record<string, string>, value: string | null) => value && valueName(names, value);
  const details: [string, HtmlValue][] = [
    [t("campaign.id"), String(campaign.id)],
    [t("campaign.externalId"), counting?.externalId ?? false],
    [t("campaign.origin"), origin !== null && originText],
    [
      campaign.sentAt > now ? t("campaign.scheduled") : t("campaigns.columns.sent_at"),
      timeText(campaign.sentAt),
    ],
    [t("campaign.sentFrom"), seriesLink("sender", campaign.sentFrom)],
    [t("campaigns.columns.team"), seriesLink("team", campaign.team)],
    [t("campaign.sendingType"), nameOf(texts("sendingTypes"), campaign.sendingType)],
    [t("campaign.trackingType"), nameOf(texts("trackingTypes"), campaign.trackingType)],
    [t("campaign.recipientGroups"), campaign.recipients],
    [t("pages.surveys"), campaign.surveysCount === null ? null : format.count(campaign.surveysCount)],
    [t("pages.tags"), tags.length > 0 && tags.toSorted(compareTags).map(tagLink)],
  ];
  const rows = details
    .filter(([, value]) => value !== false)
    .map(([title, value]) => {
      const isMissing = value === "" || value === null;
      const shown = isMissing ? html`<span class="soft">${t("overview.notSet")}</span>` : value;
      return html`<tr><th scope="row">${title}</th><td class="text">${shown}</td></tr>\n`;
    });
  const day = isoDay(dateAt(campaign.sentAt, timeZone));
  return html`<section class="card"><h2>${t("campaign.details")}</h2>
${renderTable(t("campaign.detailsCaption"), [], rows)}
${counting && html`<p><a href="${urlWithQuery(webPaths.traffic, new URLSearchParams({ from: day, until: day, q: campaign.subject }))}">${t("traffic.title")}</a></p>`}</section>`;
}
