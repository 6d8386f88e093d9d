// The filters above a page, as menus. Each choice is a link or a GET form, so the URL has all of them.

import { isoDay } from "../../../campaign/calendar/calendar-date.ts";
import type { Tag } from "../../../campaign/campaign.ts";
import { trafficFilters } from "../../../campaign/events/traffic.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { icon } from "../ui/icon.ts";
import { menu, menuLinks, switchLinks } from "../ui/menu.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { valueName } from "../value-name.ts";
import type { FilterOptions } from "./filter-options.ts";
import { defaultFilters, type FilterDefaults, type PageFilters, todayOf } from "./filters.ts";
import { namedPeriod, periodNames } from "./period.ts";
import { periodTitle } from "./period-title.ts";

/** A page with filters. */
export interface FilteredPage {
  path: string;
  filters: PageFilters;
  defaults: FilterDefaults;
  /** The query string of the page with some filters changed, without defaults and without the number of the page. */
  queryOf(change: Partial<PageFilters>): URLSearchParams;
}

/** A path with a query string, unless the query is empty. */
export function urlWithQuery(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The fields of a query string, for a GET form: it replaces the query string of its URL. */
export function hiddenFields(query: URLSearchParams): Html[] {
  return [...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

/**
 * All filters but the search, and the comparison, which few pages have.
 *
 * @param hasTraffic whether the page has numbers that depend on which traffic counts
 */
export function filterMenus(
  locale: Locale,
  page: FilteredPage,
  options: FilterOptions,
  { hasTraffic = true }: { hasTraffic?: boolean } = {},
): HtmlValue {
  return [
    periodMenu(locale, page),
    teamMenu(locale, page, options.teams),
    tagMenu(locale, page, options.tags),
    moreMenu(locale, page, options),
    hasTraffic && trafficSwitch(locale, page),
  ];
}

/** A search by subject that keeps the other filters. */
export function searchForm({ strings }: Locale, { path, filters, queryOf }: FilteredPage): Html {
  const { searchSubjects } = strings.filters;
  return html`<form class="search" role="search" action="${path}">${hiddenFields(queryOf({ search: "" }))}
${icon("search")}<input type="search" name="q" value="${filters.search}" maxlength="1000" placeholder="${searchSubjects}" aria-label="${searchSubjects}"></form>`;
}

/** Calendar years before the current one that the menu lists. */
const pastYears = [1, 2];

function periodMenu(locale: Locale, { path, filters, defaults, queryOf }: FilteredPage): Html {
  const { strings } = locale;
  const today = todayOf(defaults);
  const names = [...periodNames, ...pastYears.map((years) => String(today.year - years))];
  const periods = names.flatMap((name) => namedPeriod(name, today) ?? []);
  const links = periods.map((period) => ({
    url: urlWithQuery(path, queryOf({ period })),
    name: periodTitle(locale, period),
    isCurrent: filters.period.name === period.name,
  }));
  const { period } = defaultFilters(defaults);
  const { from, until } = filters.period;
  return menu(
    {
      label: periodTitle(locale, filters.period),
      icon: "calendar",
      isActive: filters.period.name !== period.name,
    },
    menuLinks(links),
    html`<hr><form action="${path}">${hiddenFields(queryOf({ period }))}
<div class="field"><label for="from">${strings.filters.from}</label><input type="date" id="from" name="from" value="${from && isoDay(from)}"></div>
<div class="field"><label for="until">${strings.filters.until}</label><input type="date" id="until" name="until" value="${until && isoDay(until)}"></div>
<button class="second">${strings.filters.apply}</button></form>`,
  );
}

function teamMenu(
  { strings }: Locale,
  { path, filters, queryOf }: FilteredPage,
  teams: readonly string[],
): HtmlValue {
  const listed = withSelected(teams, filters.team);
  if (listed.length === 0) return false;
  const link = (team: string | undefined, name: string) => ({
    url: urlWithQuery(path, queryOf({ team })),
    name,
    isCurrent: filters.team === team,
  });
  return menu(
    { label: filters.team ?? strings.filters.allTeams, icon: "team", isActive: filters.team !== undefined },
    menuLinks([link(undefined, strings.filters.allTeams), ...listed.map((team) => link(team, team))]),
  );
}

/** Checkboxes of tags. Unknown ids stay in the filter, so that applying the form again does not widen it. */
function tagMenu(
  { strings }: Locale,
  { path, filters, queryOf }: FilteredPage,
  tags: readonly Tag[],
): HtmlValue {
  const wanted = new Set(filters.tagIds);
  if (tags.length === 0 && wanted.size === 0) return false;
  const unknown = [...wanted].filter((id) => tags.every((tag) => tag.id !== id));
  const boxes = tags.map((tag) => {
    const checked = wanted.has(tag.id) && html` checked`;
    return html`<label class="inline"><input type="checkbox" name="tag_ids" value="${tag.id}"${checked}> ${tagLabel(tag)}</label>`;
  });
  return menu(
    {
      label: wanted.size === 0 ? strings.filters.tags : strings.filters.tagsSelected(wanted.size),
      icon: "tag",
      isActive: wanted.size > 0,
    },
    html`<form action="${path}">${hiddenFields(queryOf({ tagIds: undefined }))}
${unknown.map((id) => html`<input type="hidden" name="tag_ids" value="${id}">`)}
<fieldset><legend>${strings.filters.withAnyTag}</legend>${boxes}</fieldset>
<button class="second">${strings.filters.apply}</button></form>`,
  );
}

/** Filters that few need: the sending type and the recipient group. */
function moreMenu(
  { strings }: Locale,
  { path, filters, queryOf }: FilteredPage,
  { sendingTypes, groups }: FilterOptions,
): HtmlValue {
  const fields = [
    {
      name: "sending_type",
      label: strings.fields.sending_type,
      value: filters.sendingType,
      options: sendingTypes,
      names: strings.sendingTypes,
    },
    { name: "group", label: strings.filters.group, value: filters.group, options: groups, names: {} },
  ];
  const selects = fields.flatMap(({ name, label, value, options, names }) => {
    const listed = withSelected(options, value);
    if (listed.length === 0) return [];
    const choices = listed.map(
      (each) =>
        html`<option value="${each}"${each === value && html` selected`}>${valueName(names, each)}</option>`,
    );
    return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">${strings.filters.any}</option>${choices}</select></div>`;
  });
  if (selects.length === 0) return false;
  return menu(
    {
      label: strings.filters.more,
      icon: "filter",
      isActive: fields.some(({ value }) => value !== undefined),
    },
    html`<form action="${path}">${hiddenFields(queryOf({ sendingType: undefined, group: undefined }))}
${selects}
<button class="second">${strings.filters.apply}</button></form>`,
  );
}

/** Which traffic counts, for pages without room in their toolbar. */
export function trafficSwitch({ strings }: Locale, { path, filters, queryOf }: FilteredPage): Html {
  return switchLinks(
    strings.filters.trafficLabel,
    trafficFilters.map((traffic) => ({
      url: urlWithQuery(path, queryOf({ traffic })),
      name: strings.filters.traffic[traffic],
      isCurrent: filters.traffic === traffic,
    })),
  );
}

/** A URL may name a value that is not listed. */
function withSelected(options: readonly string[], selected: string | undefined): readonly string[] {
  return selected === undefined || options.includes(selected) ? options : [selected, ...options];
}
