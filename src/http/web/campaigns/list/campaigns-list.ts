// The list on the campaigns page: the table of one page, the form to compare campaigns, and the pagination.

import { hasPermission } from "../../../../access/role.ts";
import { findReleased } from "../../../../listing/find-released.ts";
import { sortCampaigns } from "../../../../listing/sums/campaign-values.ts";
import {
  type FilterDefaults,
  type PageFilters,
  sumsFilterOf,
} from "../../../../listing/sums/page-filters.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { quoted } from "../../../../locale/quoted.ts";
import { paths, urlWithQuery } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import { type CampaignTotals, findTotals } from "../../../../storage/sums/sum-queries.ts";
import { hiddenFields } from "../../filters/filter-bar.ts";
import type { WebSession } from "../../frame/page.ts";
import { icon } from "../../ui/icons/icon.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { paginationLinks } from "../../ui/lists/list-pagination.ts";
import { results } from "../../ui/lists/results.ts";
import { aboutNumbers } from "../../ui/numbers/about-numbers.ts";
import { shownRates, sortKeyOf } from "../campaign-columns.ts";
import { campaignUrl, keptQuery } from "../campaign-url.ts";
import { type CampaignsRequest, pageSizes } from "../campaigns-url.ts";
import { campaignsTable } from "./campaigns-table.ts";

const path = paths.web.campaigns;

/** What a list shows, of one state of the database. */
interface ListContent {
  /** The request with the page that is shown: one beyond the last counts as the last. */
  request: CampaignsRequest;
  /** The totals of all campaigns that match. */
  totals: CampaignTotals;
  /** The campaigns of the page. */
  campaigns: StoredCampaign[];
}

/** @param scope of one snapshot */
export async function readList(
  scope: Scope,
  session: WebSession,
  requested: CampaignsRequest,
  defaults: FilterDefaults,
): Promise<ListContent> {
  const filter = await sumsFilterOf(scope, requested.filters, defaults);
  const totals = await findTotals(scope, filter, shownRates(requested.columns));
  const pages = Math.max(Math.ceil(totals.sums.campaigns / requested.rows), 1);
  const request = { ...requested, page: Math.min(requested.page, pages) };
  const order = { by: sortKeyOf(request.sort), isAscending: request.isAscending };
  const sorted = await sortCampaigns(scope, filter, order);
  const ids = sorted
    .slice((request.page - 1) * request.rows, request.page * request.rows)
    .map((each) => each.id);
  return { request, totals, campaigns: await findReleased(scope, session.organization, ids) };
}

interface ListOptions extends ListContent {
  /** The query string with some parameters changed. */
  queryOf(change: Partial<CampaignsRequest>): URLSearchParams;
  /** Above the list, beside the button that compares. */
  menus: Html;
  now: number;
}

export function campaignsList(session: WebSession, options: ListOptions): Html {
  const { locale, organization } = session;
  const { t } = locale;
  const { totals, request, queryOf } = options;
  const { campaigns: size } = totals.sums;
  const count = t("campaigns.campaigns", { count: size });
  if (size === 0) return results(count, nothing(locale, options));
  const filters = { ...request.filters, traffic: organization.countedTraffic };
  const kept = { traffic: request.filters.traffic, list: queryOf({ filters }) };
  const table = campaignsTable(session, {
    ...options,
    campaignUrlOf: (id) => campaignUrl(id, organization, kept),
    urlOf: (order) => urlWithQuery(path, queryOf({ ...order, page: 1 })),
  });
  return html`<div class="list-head"><h2>${count}</h2>${aboutNumbers(locale)}${comparisonForm(session, keptQuery(organization, kept))}${options.menus}</div>
${results(count, html`<div class="list-table" data-list>${table}</div>`)}
${pagination(locale, options)}`;
}

/** The script says how many campaigns are selected, and shows the hint only while they are too few or too many. */
function comparisonForm({ locale: { t }, user }: WebSession, kept: URLSearchParams): Html {
  const edit =
    hasPermission(user.role, "admin") &&
    html`<button class="second" formaction="${paths.web.editCampaigns}">${icon("tag")}${t("edit.button")}</button>`;
  return html`<div class="comparison"><p class="hint" id="compare-hint" role="status" data-over="${t("campaigns.tooManySelected", { selected: "{selected}", excess: "{excess}" })}">${t("campaigns.compareHint")}</p>
<form action="${paths.web.compare}" id="compare" class="row">${hiddenFields(kept)}<button class="second" aria-describedby="compare-hint" title="${t("campaigns.compareHint")}">${icon("compare")}<span data-selected="${t("campaigns.compareSelected", { count: "{selected}" })}">${t("campaigns.compare")}</span></button>${edit}</form></div>`;
}

function nothing(locale: Locale, { request, queryOf }: ListOptions): Html {
  const { t } = locale;
  const { filters } = request;
  const button = (changed: Partial<PageFilters>, name: string, isFirst: boolean) =>
    html`<a class="button${!isFirst && " second"}" href="${urlWithQuery(path, queryOf({ filters: { ...filters, ...changed }, page: 1 }))}">${name}</a>`;
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

function pagination(locale: Locale, { totals, request, queryOf }: ListOptions): Html {
  const { t } = locale;
  const total = totals.sums.campaigns;
  const { page, rows } = request;
  const urlOf = (to: number) => urlWithQuery(path, queryOf({ page: to }));
  const options = { page, pageSize: rows, total, label: t("campaigns.pagination"), urlOf };
  const sizes = total > pageSizes[0] && html`<div class="row">${sizeLinks(locale, rows, queryOf)}</div>`;
  return paginationLinks(locale, options, html`<span class="gap"></span>${sizes}`);
}

function sizeLinks(
  { t, format }: Locale,
  rows: CampaignsRequest["rows"],
  queryOf: ListOptions["queryOf"],
): Html {
  const links = pageSizes.map(
    (size) =>
      html`<li><a href="${urlWithQuery(path, queryOf({ rows: size, page: 1 }))}"${size === rows && html` aria-current="true"`}>${format.count(size)}</a></li>`,
  );
  return html`<span id="rows-per-page">${t("campaigns.rowsPerPage")}</span><ul class="sizes" aria-labelledby="rows-per-page">${links}</ul>`;
}
