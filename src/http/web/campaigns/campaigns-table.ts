// The table of campaigns.

import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { compareTags } from "../../../campaign/campaign.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import type { SortOrder } from "../../../listing/timeline/batches.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import { campaignsStrings } from "../strings/campaigns.ts";
import { formatCount, formatRate } from "../ui/number-format.ts";
import { columnHeader, numberColumnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";

/** @param options.reverseUrl the same list in reverse order */
export function campaignsTable(
  campaigns: readonly StoredCampaign[],
  organization: Organization,
  { caption, order, reverseUrl }: { caption: string; order: SortOrder; reverseUrl: string },
): Html {
  const { subject, sent, team, tags, recipients, openRate, clickRate } = campaignsStrings;
  const [sort, arrow, hint] =
    order === "latest"
      ? ["descending", "↓", campaignsStrings.newestFirst]
      : ["ascending", "↑", campaignsStrings.oldestFirst];
  const headers = [
    textColumnHeader(subject),
    html`<th scope="col" aria-sort="${sort}"><a href="${reverseUrl}">${sent} <span aria-hidden="true">${arrow}</span><span class="visually-hidden">, ${hint}</span></a></th>`,
    ...[team, tags].map(columnHeader),
    ...[recipients, openRate, clickRate].map(numberColumnHeader),
  ];
  const rows = campaigns.map((campaign) => campaignRow(campaign, organization));
  return renderTable(caption, headers, rows, campaignsStrings.tableName(caption));
}

function campaignRow(
  { campaign, numbers, tags }: StoredCampaign,
  { timeZone, countedTraffic }: Organization,
): Html {
  const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
  const subject = campaign.subject.trim() === "" ? campaignsStrings.noSubject : campaign.subject;
  return html`<tr><th scope="row" class="text"><a href="/campaigns/${campaign.id}">${subject}</a></th>
<td class="time">${formatSentAt(campaign.sentAt, timeZone)}</td>
<td class="team">${campaign.team}</td>
<td class="labels">${tags.toSorted(compareTags).map(tagLabel)}</td>
<td class="number">${formatCount(campaign.recipientCount)}</td>
<td class="number">${formatRate(metrics.open_rate)}</td>
<td class="number">${formatRate(metrics.click_rate)}</td></tr>
`;
}
