// The actions of saved views: save, update, rename and delete them.

import { findSameName, normalizeName, quoteName } from "../../../campaign/names.ts";
import { AppError } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import {
  addSavedView,
  changeSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
} from "../../../storage/saved-views.ts";
import type { User } from "../../../storage/users.ts";
import { paths } from "../../paths.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import type { Locale } from "../locale.ts";
import type { Action, ActionResult, Actor, WebSession } from "../page.ts";
import { readField, rejectField } from "../ui/form.ts";
import { queryToSave, type ShownView, viewUrl } from "./saved-views.ts";

/** Views of a user: all of them are tabs. */
const maxViews = 20;
/** Characters. */
const maxQueryLength = 2_000;

/** @param read what the parameters of the page mean */
export function savedViewActions(
  read: (session: WebSession, query: URLSearchParams) => Promise<ShownView>,
): Record<string, Action> {
  return {
    "save-view": {
      role: "viewer",
      run: async (actor, form, { query }) => saveView(actor, form, await read(actor, query)),
    },
    "update-view": {
      role: "viewer",
      run: async (actor, form, { query }) => updateView(actor, form, await read(actor, query)),
    },
    "rename-view": { role: "viewer", run: (actor, form) => renameView(actor, form) },
    "delete-view": { role: "viewer", run: (actor, form, { query }) => deleteView(actor, form, query) },
  };
}

async function saveView(actor: Actor, form: URLSearchParams, shown: ShownView): Promise<ActionResult> {
  const { strings } = actor.locale;
  const query = checkLength(actor.locale, queryToSave(shown));
  const view = await actor.transaction(async (queries) => {
    const views = await listSavedViews(queries, actor.user);
    if (views.length >= maxViews) throw new AppError("conflict", strings.campaigns.tooManyViews(maxViews));
    return addSavedView(queries, actor.user, { name: readName(actor.locale, form, views), query });
  });
  return { notice: strings.campaigns.viewSaved(quoteName(view.name)), redirectTo: viewUrl(view) };
}

/** Saves the list under the name of the view that is open. */
async function updateView(actor: Actor, form: URLSearchParams, shown: ShownView): Promise<ActionResult> {
  const query = checkLength(actor.locale, queryToSave(shown));
  const updated = await actor.transaction(async (queries) => {
    const { view } = await findUnchangedView(queries, actor, form);
    const changed = { ...view, query };
    await changeSavedView(queries, actor.user, changed);
    return changed;
  });
  const notice = actor.locale.strings.campaigns.viewUpdated(quoteName(updated.name));
  return { notice, redirectTo: viewUrl(updated) };
}

async function renameView(actor: Actor, form: URLSearchParams): Promise<ActionResult> {
  const name = await actor.transaction(async (queries) => {
    const { views, view } = await findUnchangedView(queries, actor, form);
    const others = views.filter(({ id }) => id !== view.id);
    const renamed = { ...view, name: readName(actor.locale, form, others) };
    await changeSavedView(queries, actor.user, renamed);
    return renamed.name;
  });
  return { notice: actor.locale.strings.campaigns.viewRenamed(quoteName(name)) };
}

/** The page shows the same list, without the view. */
async function deleteView(
  actor: Actor,
  form: URLSearchParams,
  query: URLSearchParams,
): Promise<ActionResult> {
  const { name } = await actor.transaction(async (queries) => {
    const { view } = await findView(queries, actor, form);
    await deleteSavedView(queries, actor.user, view.id);
    return view;
  });
  const others = new URLSearchParams(query);
  others.delete("view");
  const redirectTo = urlWithQuery(paths.web.campaigns, others);
  return { notice: actor.locale.strings.campaigns.viewDeleted(quoteName(name)), redirectTo };
}

/** @throws AppError `bad_request` if a query string is too long to be saved */
function checkLength({ strings }: Locale, query: string): string {
  if (query.length > maxQueryLength) throw new AppError("bad_request", strings.campaigns.viewTooLong);
  return query;
}

interface FoundView {
  views: SavedView[];
  view: SavedView;
}

/** @throws AppError `conflict` if the user has deleted the view meanwhile */
async function findView(
  queries: Queries,
  { user, locale }: { user: User; locale: Locale },
  form: URLSearchParams,
): Promise<FoundView> {
  const views = await listSavedViews(queries, user);
  const view = views.find(({ id }) => String(id) === form.get("id"));
  if (!view) throw new AppError("conflict", locale.strings.campaigns.noSuchView);
  return { views, view };
}

/**
 * The page is shown again with the view as it is now, so sending the form a second time replaces it.
 *
 * @throws AppError `conflict` if the view was changed or deleted in another window since the form was loaded
 */
async function findUnchangedView(
  queries: Queries,
  actor: { user: User; locale: Locale },
  form: URLSearchParams,
): Promise<FoundView> {
  const found = await findView(queries, actor, form);
  const { name, query } = found.view;
  if (name === form.get("saved_name") && query === form.get("saved_query")) return found;
  throw new AppError("conflict", actor.locale.strings.campaigns.viewChanged(quoteName(name)));
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
