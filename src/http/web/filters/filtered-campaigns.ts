// The campaigns that match the filters in the URL of a page, with the menus that change them, and the page around them.

import { AppError } from "../../../errors.ts";
import { toSumsFilter } from "../../../listing/sums/campaign-filter.ts";
import { findFilterDefaults } from "../../../listing/sums/filter-defaults.ts";
import { findFilterOptions } from "../../../listing/sums/filter-options.ts";
import { filterQuery } from "../../../listing/sums/filter-query.ts";
import { type PageFilters, toCampaignFilter } from "../../../listing/sums/page-filters.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNewestIds } from "../../../storage/sums/sum-queries.ts";
import { countedOf, type SumsFilter } from "../../../storage/sums/sums-filter.ts";
import type { PageContent, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { downloadAction } from "../ui/lists/download-link.ts";
import { headActions } from "../ui/lists/menu.ts";
import { results } from "../ui/lists/results.ts";
import { type FilteredPage, filterBar } from "./filter-bar.ts";
import { readFilters } from "./filters.ts";
import { printedScope } from "./printed-scope.ts";

export interface FilteredCampaigns {
  /** Selects them. */
  filter: SumsFilter;
  page: FilteredPage;
  /** The menus, above the page. */
  toolbar: Html;
  /** What the header of the page says on paper. */
  printedScope: string;
  /** Why the filters of the URL were rejected; others apply instead. */
  problem: string | undefined;
  /** Whether the organization has no campaigns at all. */
  isEmpty: boolean;
}

interface FilteredPageOptions<Content> {
  path: string;
  /** Reads what the page shows of the campaigns, of the same state of the data as the menus. */
  read(scope: Scope, found: FilteredCampaigns): Promise<Content>;
  /** Parameters of the page besides the filters, which its links keep. */
  own?: Readonly<Record<string, string>>;
  /** Whether the page has numbers that depend on which traffic counts. */
  hasTraffic?: boolean;
  /** Whether it is a file, which has no filters to correct. */
  isFile?: boolean;
  /** The label of a search, for pages that search themselves. Without one, a search in the URL selects campaigns. */
  search?: string;
}

/** @throws AppError `bad_request` if a file has filters that are rejected */
export async function filteredCampaigns<Content>(
  context: Pick<WebContext, "database" | "now">,
  session: WebSession,
  { query }: PageRequest,
  { path, read, own = {}, hasTraffic = true, search, isFile }: FilteredPageOptions<Content>,
): Promise<{ found: FilteredCampaigns; content: Content }> {
  const { locale } = session;
  return context.database.snapshotOf(session.organization.id, async (scope) => {
    const usual = await findFilterDefaults(scope, session, context.now());
    const options = await findFilterOptions(scope);
    const { filters, rejected } = readFilters(locale, query, usual);
    if (isFile && rejected) throw new AppError("bad_request", rejected.problem);
    const selected = toCampaignFilter(search === undefined ? filters : { ...filters, search: "" }, usual);
    const filter = await toSumsFilter(scope, selected, filters.traffic);
    const counted = usual.hasTraffic ? await findNewestIds(scope, countedOf(filter), 1) : [];
    const defaults = { ...usual, hasTraffic: hasTraffic && counted.length > 0 };
    const queryOf = (change: Partial<PageFilters>) => {
      const changed = filterQuery({ ...filters, ...change }, defaults);
      for (const [name, value] of Object.entries(own)) changed.set(name, value);
      return changed;
    };
    const page = { path, filters, rejected, defaults, queryOf };
    const found = {
      filter,
      page,
      toolbar: filterBar(locale, page, options, { search }),
      printedScope: printedScope(locale, filters, options, defaults),
      problem: rejected?.problem,
      isEmpty: defaults.isEmpty,
    };
    return { found, content: await read(scope, found) };
  });
}

/**
 * A page over campaigns: the filters, and what they lead to.
 *
 * @param options.csv the URL of what it shows as a file, if there is one
 * @param options.summary what screen readers hear after a choice
 */
export function filteredPage(
  { locale }: WebSession,
  { toolbar, printedScope, problem }: FilteredCampaigns,
  {
    csv = false,
    summary = "",
    headingLink,
    ...content
  }: Omit<PageContent, "body"> & { csv?: string | false; summary?: string },
  ...shown: HtmlValue[]
): PageContent {
  const actions = headActions(csv !== false && downloadAction(locale, csv));
  return {
    ...content,
    headingLink: html`${headingLink}${actions}`,
    printedScope,
    hasResults: true,
    body: html`${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}${toolbar}${results(summary, ...shown)}`,
    ...(problem !== undefined && { status: 400 }),
  };
}
