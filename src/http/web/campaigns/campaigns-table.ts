// Campaigns one by one, as a table.

import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { compareTags } from "../../../campaign/campaign.ts";
import { metricsOf } from "../../../campaign/metrics.ts";
import type { StoredCampaign } from "../../../storage/campaigns/campaigns.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { type Html, html } from "../../html.ts";
import { formatCount, formatRate } from "../ui/number-format.ts";
import { head, numberHead, tableOf, wordsHead } from "../ui/table.ts";
import { tagLabel } from "../ui/tag-label.ts";

/**
 * @param caption what they are
 * @param turned in which order they stand, and where they stand the other way round
 */
export function campaignsTable(
  campaigns: readonly StoredCampaign[],
  organization: Organization,
  { caption, turned }: { caption: string; turned: { order: "latest" | "earliest"; address: string } },
): Html {
  const isLatest = turned.order === "latest";
  const sort = isLatest ? "descending" : "ascending";
  const hint = isLatest ? "the latest first; turn round" : "the earliest first; turn round";
  const heads = [
    wordsHead("Subject"),
    html`<th scope="col" aria-sort="${sort}"><a href="${turned.address}">Sent <span aria-hidden="true">${isLatest ? "↓" : "↑"}</span><span class="visually-hidden">, ${hint}</span></a></th>`,
    ...["Team", "Tags"].map(head),
    ...["Recipients", "Open rate", "Click rate"].map(numberHead),
  ];
  const rows = campaigns.map((campaign) => rowOf(campaign, organization));
  return tableOf(caption, heads, rows, `${caption}: the table`);
}

function rowOf(
  { campaign, numbers, tags }: StoredCampaign,
  { timeZone, countedTraffic }: Organization,
): Html {
  const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
  const subject = campaign.subject.trim() === "" ? "(no subject)" : campaign.subject;
  return html`<tr><th scope="row" class="words"><a href="/campaigns/${campaign.id}">${subject}</a></th>
<td class="time">${formatSentAt(campaign.sentAt, timeZone)}</td>
<td class="team">${campaign.team}</td>
<td class="labels">${tags.toSorted(compareTags).map(tagLabel)}</td>
<td class="number">${formatCount(campaign.recipientCount)}</td>
<td class="number">${formatRate(metrics.open_rate)}</td>
<td class="number">${formatRate(metrics.click_rate)}</td></tr>
`;
}
