// The campaigns page at `/campaigns`: filters, search, and the list.

import { findFilterDefaults } from "../../../../listing/sums/filter-defaults.ts";
import { findFilterOptions } from "../../../../listing/sums/filter-options.ts";
import { html } from "../../../../locale/html.ts";
import { paths, urlWithQuery } from "../../../../paths.ts";
import { type FilteredPage, filterBar } from "../../filters/filter-bar.ts";
import { readFilters } from "../../filters/filters.ts";
import { printedScope } from "../../filters/printed-scope.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { sampleLine } from "../../import/sample-data.ts";
import { downloadAction } from "../../ui/lists/download-link.ts";
import { headActions } from "../../ui/lists/menu.ts";
import { results } from "../../ui/lists/results.ts";
import { type CampaignsRequest, campaignsQuery, parseCampaignsRequest } from "../campaigns-url.ts";
import { campaignsList, readList } from "./campaigns-list.ts";
import { gettingStarted } from "./getting-started.ts";
import { addLinks, listMenus } from "./list-menus.ts";

const path = paths.web.campaigns;

export function campaignsPage(context: WebContext): Page {
  return {
    path,
    role: "viewer",
    show: (session, request) => showCampaigns(context, session, request),
  };
}

async function showCampaigns(
  context: WebContext,
  session: WebSession,
  { query }: PageRequest,
): Promise<PageContent> {
  const { organization, user, locale } = session;
  const { t } = locale;
  const read = await context.database.snapshotOf(organization.id, async (scope) => {
    const defaults = await findFilterDefaults(scope, session, context.now());
    if (defaults.isEmpty) return undefined;
    const { filters, rejected } = readFilters(locale, query, defaults);
    const request = parseCampaignsRequest(locale, query, filters);
    const values = await findFilterOptions(scope);
    const list = rejected ? undefined : await readList(scope, session, request, defaults);
    const sample = await sampleLine(scope, session);
    return { defaults, sample, values, request: list?.request ?? request, rejected, list };
  });
  if (!read) return { title: t("campaigns.title"), body: gettingStarted(locale, user.role) };
  const { values, request, rejected, list } = read;
  const hasTraffic = read.defaults.hasTraffic && list?.totals.sums.countedCampaigns !== 0;
  const defaults = { ...read.defaults, hasTraffic };
  const queryOf = (change: Partial<CampaignsRequest>) => campaignsQuery({ ...request, ...change }, defaults);
  const page: FilteredPage = {
    path,
    filters: request.filters,
    rejected,
    defaults,
    queryOf: (change) => queryOf({ filters: { ...request.filters, ...change }, page: 1 }),
  };
  const menus = listMenus(locale, request, queryOf);
  const shown = list
    ? campaignsList(session, { ...list, queryOf, menus, now: defaults.now })
    : results("", html`<p class="problem" role="alert">${rejected?.problem}</p>`);
  return {
    title: t("campaigns.title"),
    windowTitle: list
      ? `${t("campaigns.campaigns", { count: list.totals.sums.campaigns })} · ${t("campaigns.title")}`
      : t("ui.problemTitle", { title: t("campaigns.title") }),
    headingLink: html`${addLinks(locale, user.role)}${headActions(downloadAction(locale, urlWithQuery(paths.web.campaignsCsv, queryOf({ page: 1 }))))}`,
    body: html`${read.sample}${filterBar(locale, page, values, { search: t("filters.searchSubjects") })}
${shown}`,
    printedScope: printedScope(locale, request.filters, values, defaults),
    hasResults: true,
    status: rejected ? 400 : 200,
  };
}
