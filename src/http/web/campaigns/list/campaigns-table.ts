// The table of campaigns: sortable columns, a checkbox per campaign to compare it, and a foot with totals.

import type { TrafficFilter } from "../../../../campaign/events/traffic.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { CampaignTotals } from "../../../../storage/sums/sum-queries.ts";
import type { WebSession } from "../../frame/page.ts";
import { columnHeader, renderTable, sortableHeader } from "../../ui/lists/table.ts";
import { leftOutText } from "../../ui/numbers/left-out.ts";
import { hasTwin, subjectOf } from "../../ui/texts/subject.ts";
import {
  type ColumnName,
  campaignCell,
  columnTitle,
  isNumberColumn,
  isRateColumn,
  type SortName,
  totalCell,
} from "../campaign-columns.ts";
import { campaignMarks } from "../campaign-marks.ts";
import type { ListRequest } from "../campaigns-url.ts";

interface TableContent {
  /** The campaigns of the page. */
  campaigns: readonly StoredCampaign[];
  /** The totals of all campaigns of the list. */
  totals: CampaignTotals;
  traffic: TrafficFilter;
  now: number;
  request: ListRequest;
  campaignUrlOf(id: number): string;
  /** The list in another order, from its first page. */
  urlOf(order: Pick<ListRequest, "sort" | "isAscending">): string;
}

export function campaignsTable(session: WebSession, content: TableContent): Html {
  const { organization, t } = session;
  const { campaigns, totals, request, traffic, now } = content;
  const { sums } = totals;
  // A list whose links compare has none.
  const hasBoxes = request.compared === "";
  const shown = { locale: session, timeZone: organization.timeZone, traffic, now };
  const rows = campaigns.map((stored) => {
    const { campaign } = stored;
    const cells = request.columns.map((name) => campaignCell(name, stored, shown));
    return html`<tr${hasTwin(stored, campaigns) && html` class="twin"`}>${hasBoxes && html`<td class="check"><label><input type="checkbox" name="ids" value="${campaign.id}" form="compare" aria-label="${t("campaigns.select", { subject: subjectText(session, campaign) })}"></label></td>`}<th scope="row" class="text"><a href="${content.campaignUrlOf(campaign.id)}">${subjectOf(session, campaign)}</a>${campaignMarks(session, stored)}</th>${cells}</tr>
`;
  });
  const caption = t("overview.campaignCount", { count: sums.campaigns });
  const headers = [
    hasBoxes &&
      html`<th class="check"><span class="visually-hidden">${t("campaigns.selectColumn")}</span></th>`,
    ...(["subject", ...request.columns] as const).map((name) => header(session, name, content)),
  ];
  const totalCells = request.columns.map((name) => totalCell(name, totals, shown));
  const imported = sums.campaigns - sums.countedCampaigns;
  const note =
    traffic === "all" &&
    imported > 0 &&
    html`<small>${t("campaigns.importedCount", { count: imported })}</small>`;
  const leftOut = leftOutText(session, sums);
  return renderTable(caption, headers, rows, {
    name: t("campaigns.tableName", { caption }),
    isStacked: "short",
    hidesCaption: true,
    footer: html`<tr><th scope="row" colspan="${hasBoxes ? 2 : 1}">${t("campaigns.total", { count: sums.campaigns })}${note}${leftOut !== undefined && html`<small>${leftOut}</small>`}</th>${totalCells}</tr>`,
  });
}

function header(
  locale: Locale,
  name: "subject" | ColumnName,
  { request: { sort, isAscending }, urlOf }: TableContent,
): Html {
  const title = columnTitle(locale, name);
  if (name === "tags") return columnHeader(title);
  const isSorted = name === sort;
  const next = { sort: name, isAscending: isSorted ? !isAscending : name !== "sent_at" };
  return sortableHeader(title, {
    url: urlOf(next),
    sorted: isSorted ? (isAscending ? "ascending" : "descending") : undefined,
    hint: sortHint(locale, next),
    isNumber: isNumberColumn(name),
    isRate: name !== "subject" && isRateColumn(name),
  });
}

/** What sorting by a column does: "sort lowest first". */
export function sortHint(
  { t, texts }: Locale,
  { sort, isAscending }: { sort: SortName; isAscending: boolean },
): string {
  const order = isAscending ? "asc" : "desc";
  if (sort === "sent_at") return t(`campaigns.sortTime.${order}`);
  return (isNumberColumn(sort) ? texts("campaigns.sortNumber") : texts("campaigns.sortText"))[order];
}
