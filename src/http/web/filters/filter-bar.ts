// The filters above a page, as menus. Each choice is a link or a GET form, so the URL has all of them.

import { isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { comparisons, namedPeriod, periodNames } from "../../../campaign/calendar/period.ts";
import { surveyFilters } from "../../../campaign/campaign-number.ts";
import { trafficFilters } from "../../../campaign/events/traffic.ts";
import { feedFields } from "../../../campaign/feed/feed-fields.ts";
import type { FilterOptions } from "../../../listing/sums/filter-options.ts";
import {
  defaultFilters,
  type FilterDefaults,
  type PageFilters,
  todayOf,
} from "../../../listing/sums/page-filters.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import { isolatedText } from "../../../locale/isolated-text.ts";
import type { Locale } from "../../../locale/locale.ts";
import { valueName } from "../../../locale/value-name.ts";
import { urlWithQuery } from "../../../paths.ts";
import { afterLabel, formField } from "../ui/forms/field.ts";
import { searchButton } from "../ui/forms/search-button.ts";
import { fold, menu, menuLinks } from "../ui/lists/menu.ts";
import { tagBoxes } from "../ui/texts/tag-boxes.ts";
import type { RejectedFilters } from "./filters.ts";
import { periodTitle } from "./period-title.ts";

/** A page with filters. */
export interface FilteredPage<Asked = unknown> {
  path: string;
  filters: PageFilters;
  /** The filters of the URL, if others apply instead. The form keeps the dates. */
  rejected?: RejectedFilters | undefined;
  defaults: FilterDefaults;
  /**
   * The query string of the page with some filters changed, without defaults and without the number of the page.
   *
   * @param asked what else it asks for; the same as now by default
   */
  queryOf(change: Partial<PageFilters>, asked?: Asked): URLSearchParams;
}

/** The fields of a query string, for a GET form: it replaces the query string of its URL. */
export function hiddenFields(query: URLSearchParams): Html[] {
  return [...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

const isPeriodChosen = ({ filters, defaults }: FilteredPage): boolean =>
  filters.period.name !== defaultFilters(defaults).period.name;

const hasMore = ({ filters, defaults }: FilteredPage): boolean => {
  const { sender, sendingType, group, surveys, traffic } = filters;
  return (
    [sender, sendingType, group, surveys].some((value) => value !== undefined) ||
    (defaults.hasTraffic && traffic !== defaults.countedTraffic)
  );
};

interface BarOptions {
  /** The label of a search, for pages that have one. */
  search?: string | undefined;
  /** Whether the menu of the period has what it is compared with. */
  hasComparison?: boolean | undefined;
}

/** The filters above a page. On phones all but the first of them, the search or the period, are in a sheet. */
export function filterBar(
  locale: Locale,
  page: FilteredPage,
  options: FilterOptions,
  { search, hasComparison = false }: BarOptions,
): Html {
  const { team, tagIds } = page.filters;
  const isFolded = search !== undefined;
  const active = [isFolded && isPeriodChosen(page), team !== undefined, tagIds !== undefined, hasMore(page)];
  const period = periodMenu(locale, page, hasComparison);
  return html`<div class="toolbar" role="group" aria-label="${locale.t("overview.filters")}">
${isFolded ? searchForm(locale, page, search) : period}
${fold(
  locale,
  {
    id: "filters",
    icon: "filter",
    name: locale.t("overview.filters"),
    active: active.filter(Boolean).length,
  },
  isFolded && period,
  teamMenu(locale, page, options),
  tagMenu(locale, page, options),
  moreMenu(locale, page, options),
)}</div>`;
}

/** A search that keeps the other filters. */
function searchForm(locale: Locale, { path, filters, queryOf }: FilteredPage, label: string): Html {
  return html`<form class="search" role="search" id="search" action="${path}">${hiddenFields(queryOf({ search: "" }))}
${searchButton(locale)}<input type="search" name="q" value="${filters.search}" maxlength="1000" placeholder="${label}" aria-label="${label}"></form>`;
}

function periodMenu(locale: Locale, page: FilteredPage, hasComparison: boolean): Html {
  const { path, filters, defaults, queryOf } = page;
  const today = todayOf(defaults);
  const periods = periodNames.flatMap((name) => namedPeriod(name, today) ?? []);
  const links = periods.map((period) => ({
    url: urlWithQuery(path, queryOf({ period })),
    name: periodTitle(locale, period),
    isCurrent: filters.period.name === period.name,
  }));
  const { period } = defaultFilters(defaults);
  return menu(
    {
      id: "menu-period",
      label: periodTitle(locale, filters.period),
      icon: "calendar",
      isActive: isPeriodChosen(page) || filters.compare !== defaultFilters(defaults).compare,
      isOpen: hasBadDate(locale, page),
    },
    menuLinks(links),
    hasComparison && comparisonLinks(locale, page),
    html`<hr><form action="${path}">${hiddenFields(queryOf({ period }))}
<div class="fields">${dateField(locale, page, "from")}${dateField(locale, page, "until")}</div>
<button class="second">${locale.t("filters.apply")}</button></form>`,
  );
}

/** Whether one of the date fields shows a problem. */
function hasBadDate({ t }: Locale, { rejected }: FilteredPage): boolean {
  return [t("filters.dates.from"), t("filters.dates.until")].some(
    (label) => rejected && afterLabel(rejected.problem, label) !== undefined,
  );
}

function dateField(
  { t }: Locale,
  { filters: { period }, rejected }: FilteredPage,
  name: "from" | "until",
): Html {
  const date = period[name];
  const value = rejected?.query.get(name) ?? (date && isoDay(date));
  return formField(
    { name, label: t(`filters.dates.${name}`) },
    rejected?.problem,
    (attributes) => html`<input type="date" ${attributes} value="${value}">`,
  );
}

function teamMenu(
  { t }: Locale,
  { path, filters, queryOf }: FilteredPage,
  { teams }: FilterOptions,
): HtmlValue {
  const listed = withSelected(teams, filters.team);
  if (listed.length === 0) return false;
  const link = (team: string | undefined, name: HtmlValue) => ({
    url: urlWithQuery(path, queryOf({ team })),
    name,
    isCurrent: filters.team === team,
  });
  return menu(
    {
      id: "menu-team",
      icon: "team",
      label: filters.team === undefined ? t("filters.allTeams") : isolatedText(filters.team),
      isActive: filters.team !== undefined,
    },
    menuLinks([
      link(undefined, t("filters.allTeams")),
      ...listed.map((team) => link(team, isolatedText(team))),
    ]),
  );
}

function tagMenu(
  locale: Locale,
  { path, filters, queryOf }: FilteredPage,
  { tags }: FilterOptions,
): HtmlValue {
  const wanted = new Set(filters.tagIds);
  if (tags.length === 0 && wanted.size === 0) return false;
  return menu(
    {
      id: "menu-tags",
      label: wanted.size === 0 ? locale.t("pages.tags") : locale.t("tags.caption", { count: wanted.size }),
      icon: "tag",
      isActive: wanted.size > 0,
    },
    html`<form action="${path}">${hiddenFields(queryOf({ tagIds: undefined }))}
${tagBoxes(locale, tags, wanted, (count) => locale.rich("filters.moreTags", { count }))}
<button class="second">${locale.t("filters.apply")}</button></form>`,
  );
}

/** Filters that few need: the sending type, the recipient group, whether there are surveys, and which traffic counts. */
function moreMenu(
  { t, translate, texts }: Locale,
  page: FilteredPage,
  { sendingTypes, groups }: FilterOptions,
): Html {
  const { path, filters, defaults, queryOf } = page;
  const { traffic } = filters;
  const fields = [
    // Only one that a link has chosen: a list of all would read every campaign.
    { name: "sender", label: t("campaign.sentFrom"), value: filters.sender, options: [], names: {} },
    {
      name: "sending_type",
      label: translate("fields.sending_type", feedFields.sending_type.title),
      value: filters.sendingType,
      options: sendingTypes,
      names: texts("sendingTypes"),
    },
    { name: "group", label: t("filters.group"), value: filters.group, options: groups, names: {} },
    {
      name: "surveys",
      label: t("pages.surveys"),
      value: filters.surveys,
      options: surveyFilters,
      names: texts("filters.surveyFilters"),
    },
    defaults.hasTraffic && {
      name: "traffic",
      label: t("filters.trafficLabel"),
      value: traffic,
      options: trafficFilters,
      names: texts("filters.traffic"),
      isRequired: true,
    },
  ];
  const selects = fields.flatMap((field) => {
    if (!field) return [];
    const { name, label, value, options, names, isRequired } = field;
    const listed = withSelected(options, value);
    if (listed.length === 0) return [];
    const choices = listed.map(
      (each) =>
        html`<option value="${each}"${each === value && html` selected`}>${valueName(names, each)}</option>`,
    );
    return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${!isRequired && html`<option value="">${t("filters.any")}</option>`}${choices}</select></div>`;
  });
  return menu(
    {
      id: "menu-more",
      icon: "filter",
      label: html`${t("filters.more")}${defaults.hasTraffic && traffic !== defaults.countedTraffic && ` · ${t(`filters.traffic.${traffic}`)}`}`,
      isActive: hasMore(page),
    },
    html`<form action="${path}">${hiddenFields(queryOf({ sender: undefined, sendingType: undefined, group: undefined, surveys: undefined, traffic: defaults.countedTraffic }))}
${selects}
<button class="second">${t("filters.apply")}</button></form>`,
  );
}

/** What the period is compared with. */
function comparisonLinks({ t }: Locale, { path, filters, queryOf }: FilteredPage): HtmlValue {
  if (!filters.period.span) return false;
  const links = comparisons.map((compare) => ({
    url: urlWithQuery(path, queryOf({ compare })),
    name: t(`filters.comparisons.${compare}`),
    isCurrent: compare === filters.compare,
  }));
  return html`<hr><div class="title">${t("filters.comparedWith")}</div>${menuLinks(links)}`;
}

/** A URL may name a value that is not listed. */
function withSelected(options: readonly string[], selected: string | undefined): readonly string[] {
  return selected === undefined || options.includes(selected) ? options : [selected, ...options];
}
