// The table of campaigns.

import { compareTags } from "../../../campaign/campaign.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import type { SortOrder } from "../../../listing/timeline/batches.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, html } from "../../html.ts";
import type { WebSession } from "../page.ts";
import { columnHeader, numberColumnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";

/** @param options.reverseUrl the same list in reverse order */
export function campaignsTable(
  campaigns: readonly StoredCampaign[],
  session: WebSession,
  { caption, order, reverseUrl }: { caption: string; order: SortOrder; reverseUrl: string },
): Html {
  const { strings } = session.locale;
  const { subject, sent, team, tags } = strings.campaigns;
  const { recipient_count: recipients, open_rate: openRate, click_rate: clickRate } = strings.fields;
  const [sort, arrow, hint] =
    order === "latest"
      ? ["descending", "↓", strings.campaigns.newestFirst]
      : ["ascending", "↑", strings.campaigns.oldestFirst];
  const headers = [
    textColumnHeader(subject),
    html`<th scope="col" aria-sort="${sort}"><a href="${reverseUrl}">${sent} <span aria-hidden="true">${arrow}</span><span class="visually-hidden">, ${hint}</span></a></th>`,
    ...[team, tags].map(columnHeader),
    ...[recipients, openRate, clickRate].map(numberColumnHeader),
  ];
  const rows = campaigns.map((campaign) => campaignRow(campaign, session));
  return renderTable(caption, headers, rows, { name: strings.campaigns.tableName(caption) });
}

function campaignRow(
  { campaign, numbers, tags }: StoredCampaign,
  { organization: { timeZone, countedTraffic }, locale: { strings, format } }: WebSession,
): Html {
  const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
  const subject = campaign.subject.trim() === "" ? strings.campaigns.noSubject : campaign.subject;
  return html`<tr><th scope="row" class="text"><a href="/campaigns/${campaign.id}">${subject}</a></th>
<td class="time">${format.dateTime(campaign.sentAt, timeZone)}</td>
<td class="team">${campaign.team}</td>
<td class="labels">${tags.toSorted(compareTags).map(tagLabel)}</td>
<td class="number">${format.count(campaign.recipientCount)}</td>
<td class="number">${format.rate(metrics.open_rate)}</td>
<td class="number">${format.rate(metrics.click_rate)}</td></tr>
`;
}
