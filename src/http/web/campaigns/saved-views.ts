// Saved views: lists of campaigns under a name, as tabs above the list, and the menu that saves, changes and deletes them.

import { quoteName } from "../../../campaign/names.ts";
import type { SavedView } from "../../../storage/saved-views.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import { defaultFilters, type FilterDefaults, filterQuery, todayOf } from "../filters/filters.ts";
import { type NamedPeriod, namedPeriod } from "../filters/period.ts";
import { periodTitle } from "../filters/period-title.ts";
import type { Locale } from "../locale.ts";
import type { PageRequest, WebSession } from "../page.ts";
import { formField } from "../ui/field.ts";
import { actionForm } from "../ui/form.ts";
import { menu } from "../ui/menu.ts";
import { tabs } from "../ui/tabs.ts";
import { type CampaignsRequest, campaignsQuery } from "./campaigns-url.ts";

export interface ShownView {
  request: CampaignsRequest;
  defaults: FilterDefaults;
}

interface Views extends ShownView {
  views: readonly SavedView[];
}

/** The query string under which a list is saved: that of its first page, whatever the organization's defaults will be. */
export function queryToSave({ request, defaults }: ShownView): string {
  const { period, traffic } = request.filters;
  const query = campaignsQuery({ ...request, page: 1, view: undefined }, defaults);
  const fixed = { ...(period.name !== undefined && { period: period.name }), traffic };
  return new URLSearchParams({ ...fixed, ...Object.fromEntries(query) }).toString();
}

/** The view that the URL names, or that has the same list. */
function openView({ views, ...shown }: Views): { view: SavedView; isChanged: boolean } | undefined {
  const query = queryToSave(shown);
  const view =
    views.find(({ id }) => id === shown.request.view) ?? views.find((each) => each.query === query);
  return view && { view, isChanged: view.query !== query };
}

/** The list of a view, as it was saved. */
export function viewUrl({ id, query }: SavedView): string {
  return urlWithQuery(
    paths.web.campaigns,
    new URLSearchParams([...new URLSearchParams(query), ["view", `${id}`]]),
  );
}

/** Periods with a tab, besides the one by default. */
const tabPeriods = ["quarter", "year", "all"];

/** The usual periods, which keep the order and the columns of the list, and the views of the user. */
export function viewTabs(locale: Locale, shown: Views): Html {
  const { views, request, defaults } = shown;
  const preset = defaultFilters(defaults);
  const open = openView(shown);
  const current = filterQuery(request.filters, defaults).toString();
  const named = tabPeriods.flatMap((name) => namedPeriod(name, todayOf(defaults)) ?? []);
  const periods = [preset.period, ...named].map((period: NamedPeriod) => {
    const filters = { ...preset, period };
    return {
      url: urlWithQuery(
        paths.web.campaigns,
        campaignsQuery({ ...request, filters, page: 1, view: undefined }, defaults),
      ),
      name: periodTitle(locale, period),
      isCurrent: !open && filterQuery(filters, defaults).toString() === current,
    };
  });
  const own = views.map((view) => {
    const isOpen = view.id === open?.view.id;
    const isChanged = isOpen && open.isChanged;
    return {
      url: viewUrl(view),
      name: html`${view.name}${isChanged && html` <span class="count">${locale.strings.campaigns.edited}</span>`}`,
      isCurrent: isOpen,
    };
  });
  return tabs(locale.strings.campaigns.views, [...periods, ...own]);
}

/** Saves the list as a view, or changes the view that is open: its own list with a button, the rest in a menu. */
export function viewMenu(
  session: WebSession,
  { rejected, ...shown }: Views & { rejected: PageRequest["rejected"] },
): Html {
  const { saveView, editView, save, saveAsNew } = session.locale.strings.campaigns;
  const open = openView(shown);
  const label = open === undefined ? saveView : editView;
  const isOpen = rejected !== undefined && ["save-view", "rename-view"].includes(rejected.action);
  const views = menu(
    { id: "menu-view", label, icon: "saved", alignsEnd: true, isOpen },
    (!open || open.isChanged) &&
      saveForm(
        session,
        rejected,
        open ? html`<button class="second">${saveAsNew}</button>` : html`<button>${save}</button>`,
      ),
    open && !open.isChanged && renameForm(session, { rejected, view: open.view }),
    open && html`<hr>${deleteForm(session, open.view)}`,
  );
  return html`${open?.isChanged && updateForm(session, open.view)}${views}`;
}

const hiddenField = (name: string, value: string | number) =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** What the view was when the page was loaded, so that changes made meanwhile are not overwritten. */
const stateFields = ({ id, name, query }: SavedView) => [
  hiddenField("id", id),
  hiddenField("saved_name", name),
  hiddenField("saved_query", query),
];

function updateForm(session: WebSession, view: SavedView): Html {
  const { saveChanges, saveChangesTo } = session.locale.strings.campaigns;
  const button = html`<button title="${saveChangesTo(quoteName(view.name))}">${saveChanges}</button>`;
  return actionForm(session, { action: "update-view" }, stateFields(view), button);
}

function saveForm(session: WebSession, rejected: PageRequest["rejected"], button: Html): Html {
  const { viewHint } = session.locale.strings.campaigns;
  const submitted = rejected?.action === "save-view" ? rejected : undefined;
  const field = nameField(session, { submitted, value: "", hint: viewHint });
  return actionForm(session, { action: "save-view" }, field, button);
}

function renameForm(
  session: WebSession,
  { rejected, view }: { rejected: PageRequest["rejected"]; view: SavedView },
): Html {
  const submitted = rejected?.action === "rename-view" ? rejected : undefined;
  const field = nameField(session, { submitted, value: view.name });
  const button = html`<button>${session.locale.strings.campaigns.rename}</button>`;
  return actionForm(session, { action: "rename-view" }, stateFields(view), field, button);
}

function deleteForm(session: WebSession, { id }: SavedView): Html {
  const button = html`<button class="danger">${session.locale.strings.campaigns.deleteView}</button>`;
  return actionForm(session, { action: "delete-view" }, hiddenField("id", id), button);
}

function nameField(
  { locale: { strings } }: WebSession,
  { submitted, value, hint }: { submitted: PageRequest["rejected"]; value: string; hint?: string },
): Html {
  return formField(
    { name: "name", label: strings.campaigns.viewName, ...(hint !== undefined && { hint }) },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" value="${submitted?.form.get("name") ?? value}">`,
  );
}
