// The list on the campaigns page: the table of one page, the form to compare campaigns, and the pagination.

import type { NumbersTable } from "../../../listing/numbers/numbers-table.ts";
import type { Selection } from "../../../listing/numbers/select.ts";
import { sortSelection } from "../../../listing/numbers/sort-selection.ts";
import { totalOf } from "../../../listing/numbers/sum-selection.ts";
import { findUsualRates } from "../../../listing/numbers/usual-rates.ts";
import { findCampaigns } from "../../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { hiddenFields, urlWithQuery } from "../filters/filter-bar.ts";
import type { PageFilters } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";
import type { WebSession } from "../page.ts";
import { quoted } from "../quoted.ts";
import { emptyState } from "../ui/empty-state.ts";
import { icon } from "../ui/icon.ts";
import { pageLink } from "../ui/list-pagination.ts";
import { results } from "../ui/results.ts";
import type { WebContext } from "../web-context.ts";
import { comparedRates, sortKeyOf } from "./campaign-columns.ts";
import { campaignUrl, keptQuery } from "./campaign-url.ts";
import { campaignsTable } from "./campaigns-table.ts";
import { type CampaignsRequest, pageSizes } from "./campaigns-url.ts";

const path = paths.web.campaigns;

interface ListOptions {
  numbers: NumbersTable;
  /** The campaigns that match the filters. */
  selection: Selection;
  request: CampaignsRequest;
  /** The query string with some parameters changed. */
  queryOf(change: Partial<CampaignsRequest>): URLSearchParams;
  /** Above the list, beside the button that compares. */
  menus: Html;
}

export async function campaignsList(
  { database }: WebContext,
  session: WebSession,
  options: ListOptions,
): Promise<Html> {
  const { locale, organization } = session;
  const { numbers, selection, request, queryOf } = options;
  const { traffic } = request.filters;
  if (selection.size === 0)
    return results(locale.t("campaigns.campaigns", { count: 0 }), nothing(locale, options));
  const entries = sortSelection(selection, traffic, {
    by: await sortKeyOf(request.sort, { numbers, selection, traffic }),
    isAscending: request.isAscending,
    offset: (request.page - 1) * request.rows,
    limit: request.rows,
  });
  const ids = entries.map(({ id }) => id);
  const found = await database.query((queries) => findCampaigns(queries, organization.id, ids));
  const campaigns = inOrder(found, ids);
  const compared = comparedRates(request.columns).length > 0 ? campaigns : [];
  const filters = { ...request.filters, traffic: organization.countedTraffic };
  const kept = { traffic, list: queryOf({ filters }) };
  const table = campaignsTable(session, {
    campaigns,
    usual: await findUsualRates(numbers, compared, traffic),
    selection,
    sums: await totalOf(selection, traffic),
    request,
    campaignUrlOf: (id) => campaignUrl(id, organization, kept),
    urlOf: (order) => urlWithQuery(path, queryOf({ ...order, page: 1 })),
  });
  const { t } = locale;
  const count = t("campaigns.campaigns", { count: selection.size });
  return html`<div class="list-head"><h2>${count}</h2>${comparisonForm(locale, keptQuery(organization, kept))}${options.menus}</div>
${results(count, html`<div class="list-table" data-list>${table}</div>`)}
${pagination(locale, options)}`;
}

/** The script says how many campaigns are selected, and shows the hint only while they are too few or too many. */
function comparisonForm({ t }: Locale, kept: URLSearchParams): Html {
  return html`<div class="comparison"><p class="hint" id="compare-hint" role="status" data-over="${t("campaigns.tooManySelected", { selected: "{selected}", excess: "{excess}" })}">${t("campaigns.compareHint")}</p>
<form action="${paths.web.compare}" id="compare">${hiddenFields(kept)}<button class="second" aria-describedby="compare-hint" title="${t("campaigns.compareHint")}">${icon("compare")}<span data-selected="${t("campaigns.compareSelected", { count: "{selected}" })}">${t("campaigns.compare")}</span></button></form></div>`;
}

/** Without campaigns that were deleted meanwhile. */
export function inOrder(found: readonly StoredCampaign[], ids: readonly number[]): StoredCampaign[] {
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  return ids.flatMap((id) => byId.get(id) ?? []);
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

function pagination(locale: Locale, { selection, request, queryOf }: ListOptions): Html {
  const { t } = locale;
  const { page, rows } = request;
  const pages = Math.ceil(selection.size / rows);
  const first = (page - 1) * rows + 1;
  const last = Math.min(page * rows, selection.size);
  const link = (to: number, name: string) => pageLink(urlWithQuery(path, queryOf({ page: to })), name);
  return html`<nav class="pages" aria-label="${t("campaigns.pagination")}"><span class="range">${t("ui.itemRange", { first, last, total: selection.size })}</span>
${page > 1 && link(page - 1, t("ui.previousPage"))}${page < pages && link(page + 1, t("ui.nextPage"))}
${pages > 2 && pageForm(locale, { page, pages, query: queryOf({ page: 1 }) })}
<span class="gap"></span>${selection.size > pageSizes[0] && html`<div class="row desk">${sizeLinks(locale, rows, queryOf)}</div>`}</nav>`;
}

function pageForm(
  { t, format }: Locale,
  { page, pages, query }: { page: number; pages: number; query: URLSearchParams },
): Html {
  return html`<form action="${path}" class="jump">${hiddenFields(query)}<label>${t("campaigns.page")} <input name="page" inputmode="numeric" autocomplete="off" size="${format.count(pages).length}" value="${page}"></label> ${t("campaigns.ofPages", { pages })} <button class="second small">${t("campaigns.goToPage")}</button></form>`;
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
