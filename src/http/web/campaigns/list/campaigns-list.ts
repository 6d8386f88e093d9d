// The list on the campaigns page: the table of one page, the form to compare campaigns, and the pagination.

import { findReleased } from "../../../../listing/find-released.ts";
import { sortCampaigns } from "../../../../listing/sums/campaign-values.ts";
import { filterQuery } from "../../../../listing/sums/filter-query.ts";
import type { PageFilters } from "../../../../listing/sums/page-filters.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { quoted } from "../../../../locale/quoted.ts";
import { urlWithQuery, webPaths } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import { type CampaignTotals, findTotals } from "../../../../storage/sums/sum-queries.ts";
import { type FilteredPage, hiddenFields } from "../../filters/filter-bar.ts";
import type { FilteredCampaigns, ShownCampaigns } from "../../filters/filtered-campaigns.ts";
import type { WebSession } from "../../frame/page.ts";
import { icon } from "../../ui/icons/icon.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { paginationLinks } from "../../ui/lists/list-pagination.ts";
import { aboutNumbers } from "../../ui/numbers/about-numbers.ts";
import { shownRates, sortKeyOf } from "../campaign-columns.ts";
import { campaignUrl, compareUrl, keptQuery } from "../campaign-url.ts";
import { type ListRequest, listParameters, pageSizes } from "../campaigns-url.ts";
import { campaignsTable } from "./campaigns-table.ts";
import { listMenus, type QueryOf } from "./list-menus.ts";

const path = webPaths.campaigns;

type FilteredList = FilteredCampaigns<ListRequest>;

/** What a list shows, of one state of the database. */
interface ListContent {
  /** The page that is shown: one beyond the last counts as the last. */
  page: number;
  /** The totals of all campaigns that match. */
  totals: CampaignTotals;
  /** The campaigns of the page. */
  campaigns: StoredCampaign[];
}

export const orderOf = ({ sort, isAscending }: ListRequest) => ({ by: sortKeyOf(sort), isAscending });

export async function readList(
  scope: Scope,
  { filter, asked, organization }: FilteredList,
): Promise<ListContent> {
  const { columns, rows } = asked;
  const totals = await findTotals(scope, filter, shownRates(columns));
  const pages = Math.max(Math.ceil(totals.sums.campaigns / rows), 1);
  const page = Math.min(asked.page, pages);
  const sorted = await sortCampaigns(scope, filter, orderOf(asked));
  const ids = sorted.slice((page - 1) * rows, page * rows).map((each) => each.id);
  return { page, totals, campaigns: await findReleased(scope, organization, ids) };
}

export function campaignsList(
  found: FilteredList,
  { page, totals, campaigns }: ListContent,
): Pick<ShownCampaigns, "toolbar" | "results" | "below"> {
  const {
    asked,
    page: { filters, defaults, queryOf: filteredBy },
    organization,
    t,
  } = found;
  const size = totals.sums.campaigns;
  const queryOf: QueryOf = (change) =>
    new URLSearchParams([
      ...filterQuery(filters, defaults),
      ...Object.entries(listParameters({ ...asked, page, ...change })),
    ]);
  if (size === 0) return { results: nothing(found, filters, filteredBy) };
  const { compared } = asked;
  const list = queryOf({ compared: "" });
  list.delete("traffic");
  const kept = { traffic: filters.traffic, list };
  const table = campaignsTable(found, {
    campaigns,
    totals,
    request: asked,
    traffic: filters.traffic,
    now: defaults.now,
    campaignUrlOf: (id) =>
      compared === "" || compared === String(id)
        ? campaignUrl(id, organization, kept)
        : compareUrl(organization, kept, [Number(compared), id]),
    urlOf: (order) => urlWithQuery(path, queryOf({ ...order, page: 1 })),
  });
  const sizes = size > pageSizes[0] && html`<div class="row">${sizeLinks(found, asked.rows, queryOf)}</div>`;
  const pagination = {
    page,
    pageSize: asked.rows,
    total: size,
    label: t("campaigns.pagination"),
    urlOf: (to: number) => urlWithQuery(path, queryOf({ page: to })),
  };
  return {
    toolbar: html`<div class="list-head"><h2>${t("overview.campaignCount", { count: size })}</h2>${aboutNumbers(found)}${compared === "" && comparisonForm(found, keptQuery(organization, kept), list.size === 0)}${listMenus(found, asked, queryOf)}</div>`,
    results: html`<div class="list-table" data-list>${table}</div>`,
    below: paginationLinks(found, pagination, html`<span class="gap"></span>${sizes}`),
  };
}

/** The script says how many campaigns are selected, and shows the hint only while they are too few or too many. */
function comparisonForm({ isAdmin, t }: WebSession, kept: URLSearchParams, isUsualList: boolean): Html {
  // Filters that are too long to keep would be lost, and the page would change the campaigns of the usual ones.
  const edit =
    isAdmin &&
    (isUsualList || kept.has("list")) &&
    html`<button class="second" formaction="${webPaths.editCampaigns}">${icon("tag")}${t("edit.button")}</button>`;
  return html`<div class="comparison"><p class="hint" id="compare-hint" role="status" data-over="${t("campaigns.tooManySelected", { selected: "{selected}", excess: "{excess}" })}">${t("campaigns.compareHint")}</p>
<form action="${webPaths.compare}" id="compare" class="row">${hiddenFields(kept)}<button class="second" aria-describedby="compare-hint" title="${t("campaigns.compareHint")}">${icon("compare")}<span data-selected="${t("campaigns.compareSelected", { count: "{selected}" })}">${t("campaigns.compare")}</span></button>${edit}</form></div>`;
}

function nothing(locale: Locale, filters: PageFilters, queryOf: FilteredPage["queryOf"]): Html {
  const { t } = locale;
  const button = (changed: Partial<PageFilters>, name: string, isFirst: boolean) =>
    html`<a class="button${!isFirst && " second"}" href="${urlWithQuery(path, queryOf(changed))}">${name}</a>`;
  const isSearch = filters.search !== "";
  return emptyState({
    icon: "search",
    title: isSearch
      ? t("ui.noResultsFor", { search: quoted(locale, filters.search) })
      : t("campaigns.noMatches"),
    text: t("campaigns.tryOthers"),
    actions: html`${isSearch && button({ search: "" }, t("ui.clearSearch"), true)}${filters.period.span && button({ period: { name: "all", span: undefined } }, t("campaigns.allTime"), !isSearch)}<a class="button second" href="${path}">${t("campaigns.resetFilters")}</a>`,
  });
}

function sizeLinks({ t, format }: Locale, rows: ListRequest["rows"], queryOf: QueryOf): Html {
  const links = pageSizes.map(
    (size) =>
      html`<li><a href="${urlWithQuery(path, queryOf({ rows: size, page: 1 }))}"${size === rows && html` aria-current="true"`}>${format.count(size)}</a></li>`,
  );
  return html`<span id="rows-per-page">${t("campaigns.rowsPerPage")}</span><ul class="sizes" aria-labelledby="rows-per-page">${links}</ul>`;
}
