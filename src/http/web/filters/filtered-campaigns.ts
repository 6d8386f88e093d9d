// Pages and files over the campaigns that match the filters in their URL, with the menus that change them.

import type { Role } from "../../../access/role.ts";
import { AppError } from "../../../errors.ts";
import { toSumsFilter } from "../../../listing/sums/campaign-filter.ts";
import { findFilterDefaults } from "../../../listing/sums/filter-defaults.ts";
import { type FilterOptions, findFilterOptions } from "../../../listing/sums/filter-options.ts";
import { filterQuery } from "../../../listing/sums/filter-query.ts";
import { type PageFilters, toCampaignFilter } from "../../../listing/sums/page-filters.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNewestIds } from "../../../storage/sums/sum-queries.ts";
import { countedOf, type SumsFilter } from "../../../storage/sums/sums-filter.ts";
import type { FileContent, Page, PageContent, PageRequest, WebSession } from "../frame/page.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { downloadAction, headActions } from "../ui/lists/menu.ts";
import { results } from "../ui/lists/results.ts";
import { type FilteredPage, filterBar } from "./filter-bar.ts";
import { readFilters } from "./filters.ts";
import { printedScope } from "./printed-scope.ts";

export interface FilteredCampaigns<Asked = unknown> extends WebSession {
  /** The parameters of the URL. */
  parameters: URLSearchParams;
  /** What the parameters besides the filters ask for. */
  asked: Asked;
  /** Selects the campaigns. */
  filter: SumsFilter;
  page: FilteredPage<Asked>;
  /** What the filters offer. */
  values: FilterOptions;
}

interface FilteredOptions<Asked, Content> {
  path: string;
  /** `viewer` by default. */
  role?: Role;
  /** Reads the parameters besides the filters. @throws AppError `bad_request` */
  ask?(locale: Locale, query: URLSearchParams): Asked;
  /** These parameters without their defaults, which links of the page keep. */
  own?(asked: Asked): Readonly<Record<string, string>>;
  /** Whether it has numbers that depend on which traffic counts. */
  hasTraffic?: boolean;
  /** The label of a search. */
  search?(locale: Locale): string;
  /** The search is for something else than subjects, so it selects no campaigns. */
  searchesItself?: boolean;
  /** Reads the content, of the same state of the data as the menus. */
  read(scope: Scope, found: FilteredCampaigns<Asked>): Promise<Content>;
}

type FilteredContent<Asked, Content> = FilteredCampaigns<Asked> & { content: Content };

/** What a page over campaigns shows below its filters. */
export interface ShownCampaigns extends Omit<PageContent, "body"> {
  /** Above the filters, and between them and the results. */
  above?: HtmlValue;
  toolbar?: HtmlValue;
  results?: HtmlValue;
  below?: HtmlValue;
  /** What screen readers hear after a choice. */
  summary?: string;
  /** Whether the file has anything. */
  hasFile?: boolean;
  /** All that there is to show to an organization without campaigns. */
  empty?: Html | false;
}

interface FilteredPageOptions<Asked, Content>
  extends FilteredOptions<Asked, Content>,
    Pick<Page, "actions" | "actionRole"> {
  /** The path of what it shows as a file. */
  csv?: string;
  /** Whether the menu of the period has what it is compared with. */
  hasComparison?: boolean;
  show(found: FilteredContent<Asked, Content>): ShownCampaigns | Promise<ShownCampaigns>;
}

export function filteredPage<Asked, Content>({
  csv,
  show,
  role = "viewer",
  ...options
}: FilteredPageOptions<Asked, Content>): Page {
  return {
    ...options,
    role,
    async show(session, request) {
      const found = await readFiltered(session, request, options);
      const { filters, rejected, defaults, queryOf } = found.page;
      const {
        above,
        toolbar,
        results: content,
        below,
        summary = "",
        hasFile,
        empty,
        ...shown
      } = await show(found);
      if (defaults.isEmpty) return { title: shown.title, body: empty || gettingStarted(session) };
      const bar = filterBar(session, found.page, found.values, {
        search: options.search?.(session),
        hasComparison: options.hasComparison,
      });
      const download =
        csv !== undefined && hasFile !== false && downloadAction(session, urlWithQuery(csv, queryOf({})));
      return {
        ...shown,
        ...(rejected && { windowTitle: session.t("ui.problemTitle", { title: shown.title }) }),
        headingLink: html`${shown.headingLink}${headActions(download)}`,
        printedScope: printedScope(session, filters, found.values, defaults),
        hasResults: true,
        body: html`${rejected && html`<p class="problem" role="alert">${rejected.problem}</p>`}${above}${bar}${toolbar}${results(summary, content)}${below}`,
        status: rejected ? 400 : 200,
      };
    },
  };
}

interface FilteredFileOptions<Asked, Content> extends FilteredOptions<Asked, Content> {
  show(found: FilteredContent<Asked, Content>): FileContent | Promise<FileContent>;
}

/** A file has no filters to correct: it refuses those that are wrong. */
export function filteredFile<Asked, Content>({
  show,
  role = "viewer",
  ...options
}: FilteredFileOptions<Asked, Content>): Page {
  return {
    path: options.path,
    role,
    async show(session, request) {
      const found = await readFiltered(session, request, options);
      if (found.page.rejected) throw new AppError("bad_request", found.page.rejected.problem);
      return show(found);
    },
  };
}

function readFiltered<Asked, Content>(
  session: WebSession,
  { query }: PageRequest,
  { path, ask, own, read, hasTraffic = true, searchesItself }: FilteredOptions<Asked, Content>,
): Promise<FilteredContent<Asked, Content>> {
  const asked = ask?.(session, query) as Asked;
  return session.snapshot(async (scope) => {
    const usual = await findFilterDefaults(scope, session, session.now);
    const values = await findFilterOptions(scope);
    const { filters, rejected } = readFilters(session, query, usual);
    const selected = toCampaignFilter(searchesItself ? { ...filters, search: "" } : filters, usual);
    const filter = await toSumsFilter(scope, selected, filters.traffic);
    const counted = usual.hasTraffic ? await findNewestIds(scope, countedOf(filter), 1) : [];
    const defaults = { ...usual, hasTraffic: hasTraffic && counted.length > 0 };
    const queryOf = (change: Partial<PageFilters>, other = asked) =>
      new URLSearchParams([
        ...filterQuery({ ...filters, ...change }, defaults),
        ...Object.entries(own?.(other) ?? {}),
      ]);
    const found = {
      ...session,
      parameters: query,
      asked,
      filter,
      page: { path, filters, rejected, defaults, queryOf },
      values,
    };
    return { ...found, content: await read(scope, found) };
  });
}

/** Leads admins to the checklist on the overview. Viewers have no permission for any of its steps. */
function gettingStarted({ isAdmin, t }: WebSession): Html {
  return emptyState({
    icon: "campaigns",
    title: t("campaigns.noCampaigns"),
    text: !isAdmin && t("campaigns.askAdmin"),
    actions: isAdmin && html`<a class="button" href="${webPaths.overview}">${t("campaigns.getStarted")}</a>`,
  });
}
