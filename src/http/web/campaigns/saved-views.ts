// Saved views: lists of campaigns under a name, as tabs above the list, and the menu that saves, renames and deletes them.

import { findSameName, normalizeName, quoteName } from "../../../campaign/names.ts";
import { AppError } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import {
  addSavedView,
  deleteSavedView,
  listSavedViews,
  renameSavedView,
  type SavedView,
} from "../../../storage/saved-views.ts";
import type { User } from "../../../storage/users.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import { defaultFilters, type FilterDefaults, filterQuery, todayOf } from "../filters/filters.ts";
import { type NamedPeriod, namedPeriod } from "../filters/period.ts";
import { periodTitle } from "../filters/period-title.ts";
import type { Locale } from "../locale.ts";
import type { Action, ActionResult, Actor, PageRequest, WebSession } from "../page.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import { menu } from "../ui/menu.ts";
import { tabs } from "../ui/tabs.ts";
import { type CampaignsRequest, campaignsQuery } from "./campaigns-url.ts";

/** Views of a user: all of them are tabs. */
const maxViews = 20;
/** Characters. */
const maxQueryLength = 2_000;

interface ShownView {
  request: CampaignsRequest;
  defaults: FilterDefaults;
}

interface Views extends ShownView {
  views: readonly SavedView[];
}

/** The query string under which a list is saved: that of its first page. */
function queryToSave({ request, defaults }: ShownView): string {
  return campaignsQuery({ ...request, page: 1 }, defaults).toString();
}

function currentView({ views, ...shown }: Views): SavedView | undefined {
  const query = queryToSave(shown);
  return views.find((view) => view.query === query);
}

/** Periods with a tab, besides the one by default. */
const tabPeriods = ["quarter", "year", "all"];

/** The usual periods, which keep the order and the columns of the list, and the views of the user. */
export function viewTabs(locale: Locale, shown: Views): Html {
  const { views, request, defaults } = shown;
  const preset = defaultFilters(defaults);
  const saved = currentView(shown);
  const current = filterQuery(request.filters, defaults).toString();
  const named = tabPeriods.flatMap((name) => namedPeriod(name, todayOf(defaults)) ?? []);
  const periods = [preset.period, ...named].map((period: NamedPeriod) => {
    const filters = { ...preset, period };
    return {
      url: urlWithQuery(paths.web.campaigns, campaignsQuery({ ...request, filters, page: 1 }, defaults)),
      name: periodTitle(locale, period),
      isCurrent: !saved && filterQuery(filters, defaults).toString() === current,
    };
  });
  const own = views.map(({ name, query }) => ({
    url: query === "" ? paths.web.campaigns : `${paths.web.campaigns}?${query}`,
    name,
    isCurrent: query === saved?.query,
  }));
  return tabs(locale.strings.campaigns.views, [...periods, ...own]);
}

/** Saves the list as a view, or edits the view that is shown. */
export function viewMenu(
  session: WebSession,
  { rejected, ...shown }: Views & { rejected: PageRequest["rejected"] },
): Html {
  const { strings } = session.locale;
  const view = currentView(shown);
  const { saveView, editView, viewName, viewHint, save, rename, deleteView } = strings.campaigns;
  const action = view ? "rename-view" : "save-view";
  const submitted = rejected?.action === action ? rejected : undefined;
  const id = view && html`<input type="hidden" name="id" value="${view.id}">`;
  const name = submitted?.form.get("name") ?? view?.name ?? "";
  const field = formField(
    { name: "name", label: viewName, ...(view ? {} : { hint: viewHint }) },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" value="${name}">`,
  );
  return menu(
    { label: view ? editView : saveView, icon: "saved", alignsEnd: true },
    actionForm(session, { action }, id, field, html`<button>${view ? rename : save}</button>`),
    view &&
      html`<hr>${actionForm(session, { action: "delete-view" }, id, html`<button class="danger">${deleteView}</button>`)}`,
  );
}

/** @param read what the parameters of the page mean */
export function savedViewActions(
  read: (session: WebSession, query: URLSearchParams) => Promise<ShownView>,
): Record<string, Action> {
  return {
    "save-view": {
      role: "viewer",
      run: async (actor, form, { query }) => saveView(actor, form, await read(actor, query)),
    },
    "rename-view": { role: "viewer", run: (actor, form) => renameView(actor, form) },
    "delete-view": { role: "viewer", run: (actor, form) => deleteView(actor, form) },
  };
}

async function saveView(actor: Actor, form: URLSearchParams, shown: ShownView): Promise<ActionResult> {
  const { strings } = actor.locale;
  const query = queryToSave(shown);
  if (query.length > maxQueryLength) throw new AppError("bad_request", strings.campaigns.viewTooLong);
  const { name } = await actor.transaction(async (queries) => {
    const views = await listSavedViews(queries, actor.user);
    if (views.length >= maxViews) throw new AppError("conflict", strings.campaigns.tooManyViews(maxViews));
    return addSavedView(queries, actor.user, { name: readName(actor.locale, form, views), query });
  });
  const redirectTo = query === "" ? paths.web.campaigns : `${paths.web.campaigns}?${query}`;
  return { notice: strings.campaigns.viewSaved(quoteName(name)), redirectTo };
}

async function renameView(actor: Actor, form: URLSearchParams): Promise<ActionResult> {
  const name = await actor.transaction(async (queries) => {
    const { views, view } = await findView(queries, actor, form);
    const others = views.filter(({ id }) => id !== view.id);
    const renamed = { id: view.id, name: readName(actor.locale, form, others) };
    await renameSavedView(queries, actor.user, renamed);
    return renamed.name;
  });
  return { notice: actor.locale.strings.campaigns.viewRenamed(quoteName(name)) };
}

async function deleteView(actor: Actor, form: URLSearchParams): Promise<ActionResult> {
  const { name } = await actor.transaction(async (queries) => {
    const { view } = await findView(queries, actor, form);
    await deleteSavedView(queries, actor.user, view.id);
    return view;
  });
  return { notice: actor.locale.strings.campaigns.viewDeleted(quoteName(name)) };
}

/** @throws AppError `conflict` if the user has deleted the view meanwhile */
async function findView(
  queries: Queries,
  { user, locale }: { user: User; locale: Locale },
  form: URLSearchParams,
): Promise<{ views: SavedView[]; view: SavedView }> {
  const views = await listSavedViews(queries, user);
  const view = views.find(({ id }) => String(id) === form.get("id"));
  if (!view) throw new AppError("conflict", locale.strings.campaigns.noSuchView);
  return { views, view };
}

/** @throws AppError `bad_request` if it is not a name, `conflict` if another view has the same */
function readName(locale: Locale, form: URLSearchParams, others: readonly SavedView[]): string {
  const { strings } = locale;
  const text = readField(locale, form, "name");
  const name =
    normalizeName(text) ?? rejectField(locale, strings.campaigns.viewName, text, strings.ui.nameRule);
  const other = findSameName(others, name);
  if (!other) return name;
  throw new AppError("conflict", strings.campaigns.viewNameTaken(quoteName(other.name)));
}
