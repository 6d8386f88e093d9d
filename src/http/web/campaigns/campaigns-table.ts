// The table of campaigns: sortable columns, a checkbox per campaign to compare it, and a foot with totals.

import type { Sums } from "../../../campaign/sums.ts";
import type { Selection } from "../../../listing/numbers/select.ts";
import type { UsualRates } from "../../../listing/numbers/usual-rates.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { WebSession } from "../page.ts";
import { subjectOf, subjectText } from "../ui/subject.ts";
import { columnHeader, renderTable, sortableHeader } from "../ui/table.ts";
import {
  type ColumnName,
  campaignCell,
  columnTitle,
  isNumberColumn,
  type SortName,
  totalCell,
} from "./campaign-columns.ts";
import type { CampaignsRequest } from "./campaigns-url.ts";

interface TableContent {
  /** The campaigns of the page. */
  campaigns: readonly StoredCampaign[];
  usual: UsualRates;
  /** All campaigns of the list, and their sums. */
  selection: Selection;
  sums: Sums;
  request: CampaignsRequest;
  campaignUrlOf(id: number): string;
  /** The list in another order, from its first page. */
  urlOf(order: Pick<CampaignsRequest, "sort" | "isAscending">): string;
}

export function campaignsTable({ locale, organization }: WebSession, content: TableContent): Html {
  const { t } = locale;
  const { campaigns, selection, request, usual } = content;
  const shown = { locale, timeZone: organization.timeZone, traffic: request.filters.traffic, usual };
  const rows = campaigns.map((stored) => {
    const { campaign } = stored;
    const cells = request.columns.map((name) => campaignCell(name, stored, shown));
    return html`<tr><td class="check"><label><input type="checkbox" name="ids" value="${campaign.id}" form="compare" aria-label="${t("campaigns.select", { subject: subjectText(locale, campaign) })}"></label></td><th scope="row" class="text"><a href="${content.campaignUrlOf(campaign.id)}">${subjectOf(locale, campaign)}</a></th>${cells}</tr>
`;
  });
  const caption = t("campaigns.campaigns", { count: selection.size });
  const headers = [
    html`<th class="check"><span class="visually-hidden">${t("campaigns.selectColumn")}</span></th>`,
    ...(["subject", ...request.columns] as const).map((name) => header(locale, name, content)),
  ];
  const totals = request.columns.map((name) => totalCell(name, content, shown));
  const imported = content.sums.campaigns - content.sums.countedCampaigns;
  const note =
    shown.traffic === "all" &&
    imported > 0 &&
    html`<small>${t("campaigns.importedCount", { count: imported })}</small>`;
  return renderTable(caption, headers, rows, {
    name: t("campaigns.tableName", { caption }),
    isStacked: true,
    hidesCaption: true,
    footer: html`<tr><th scope="row" colspan="2">${t("campaigns.total", { count: selection.size })}${note}</th>${totals}</tr>`,
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
