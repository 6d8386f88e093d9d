// The campaigns page at `/campaigns`: periods, filters, search, and the list.

import { AppError } from "../../../errors.ts";
import type { NumbersTable } from "../../../listing/numbers/numbers-table.ts";
import { type Selection, selectCampaigns } from "../../../listing/numbers/select.ts";
import { html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { type FilteredPage, filterBar, headingSwitch } from "../filters/filter-bar.ts";
import { filterDefaults } from "../filters/filter-defaults.ts";
import { findFilterOptions } from "../filters/filter-options.ts";
import { type FilterDefaults, toNumbersFilter } from "../filters/filters.ts";
import { printedScope } from "../filters/printed-scope.ts";
import type { Locale } from "../locale.ts";
import type { Page, PageContent, PageRequest, WebSession } from "../page.ts";
import { results } from "../ui/results.ts";
import type { WebContext } from "../web-context.ts";
import { campaignsList } from "./campaigns-list.ts";
import {
  type CampaignsRequest,
  campaignsParameters,
  campaignsQuery,
  parseCampaignsRequest,
} from "./campaigns-url.ts";
import { gettingStarted } from "./getting-started.ts";
import { downloadListLink, listMenus } from "./list-menus.ts";
import { periodTabs } from "./period-tabs.ts";

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
  const numbers = await context.numbers.current(organization);
  if (numbers.size === 0) return { title: t("campaigns.title"), body: gettingStarted(locale, user.role) };
  const defaults = filterDefaults(session, numbers, context.now());
  const values = await findFilterOptions(context.database, organization.id, numbers);
  const { request, selection, problem } = selectList(locale, query, numbers, defaults);
  const queryOf = (change: Partial<CampaignsRequest>) => campaignsQuery({ ...request, ...change }, defaults);
  const page: FilteredPage = {
    path,
    filters: request.filters,
    rejected: problem === undefined ? undefined : { problem, query },
    defaults,
    queryOf: (change) => queryOf({ filters: { ...request.filters, ...change }, page: 1 }),
  };
  const menus = listMenus(locale, request, queryOf);
  const list =
    problem === undefined
      ? await campaignsList(context, session, { numbers, selection, request, queryOf, menus })
      : results("", html`<p class="problem" role="alert">${problem}</p>`);
  return {
    title: t("campaigns.title"),
    windowTitle:
      problem === undefined
        ? `${t("campaigns.campaigns", { count: selection.size })} · ${t("campaigns.title")}`
        : t("ui.problemTitle", { title: t("campaigns.title") }),
    headingLink: html`${headingSwitch(locale, page)}<span class="desk">${downloadListLink(locale, queryOf({ page: 1 }))}</span>`,
    body: html`${periodTabs(locale, request, defaults)}
${filterBar(locale, page, values, { search: t("filters.searchSubjects"), more: ["traffic"] })}
${list}`,
    printedScope: printedScope(locale, request.filters, values, defaults),
    hasResults: true,
    status: problem === undefined ? 200 : 400,
  };
}

/** A page beyond the last counts as the last. */
function selectList(
  locale: Locale,
  query: URLSearchParams,
  numbers: NumbersTable,
  defaults: FilterDefaults,
): { request: CampaignsRequest; selection: Selection; problem?: string | undefined } {
  const { request, problem } = parseOrKeep(locale, query, defaults);
  const selection = selectCampaigns(numbers, toNumbersFilter(request.filters, defaults));
  const pages = Math.max(Math.ceil(selection.size / request.rows), 1);
  return { request: { ...request, page: Math.min(request.page, pages) }, selection, problem };
}

/** Without the invalid parameters if there are some, so that the page keeps the others. */
function parseOrKeep(
  locale: Locale,
  query: URLSearchParams,
  defaults: FilterDefaults,
): { request: CampaignsRequest; problem?: string } {
  try {
    return { request: parseCampaignsRequest(locale, query, defaults) };
  } catch (error) {
    const problem = badRequestOf(error);
    let valid = new URLSearchParams();
    // Each parameter once: clients choose how many there are, and each of them takes a parse of the query.
    for (const name of campaignsParameters) {
      const own = query.getAll(name).map((value) => [name, value]);
      const extended = new URLSearchParams([...valid, ...own]);
      if (own.length > 0 && isValid(locale, extended, defaults)) valid = extended;
    }
    return { request: parseCampaignsRequest(locale, valid, defaults), problem };
  }
}

function isValid(locale: Locale, query: URLSearchParams, defaults: FilterDefaults): boolean {
  try {
    parseCampaignsRequest(locale, query, defaults);
    return true;
  } catch (error) {
    badRequestOf(error);
    return false;
  }
}

/** The message of an invalid parameter. Other errors are thrown again. */
function badRequestOf(error: unknown): string {
  if (error instanceof AppError && error.code === "bad_request") return error.message;
  throw error;
}
