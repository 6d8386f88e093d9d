// The menus above the list: its columns, and on phones, where they share a sheet, also its order.

import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../../paths.ts";
import { hiddenFields } from "../../filters/filter-bar.ts";
import type { WebSession } from "../../frame/page.ts";
import { fold, headActions, menu, menuLinks } from "../../ui/lists/menu.ts";
import { columnNames, columnTitle, defaultColumns, type SortName, sortNames } from "../campaign-columns.ts";
import type { ListRequest } from "../campaigns-url.ts";
import { sortHint } from "./campaigns-table.ts";

const path = webPaths.campaigns;

/** The query string of the list with something else. */
export type QueryOf = (change: Partial<ListRequest>) => URLSearchParams;

export function listMenus(locale: Locale, request: ListRequest, queryOf: QueryOf): Html {
  const areOther = request.columns.join() !== defaultColumns.join();
  const changes = [areOther, request.sort !== "sent_at" || request.isAscending];
  return fold(
    locale,
    {
      id: "view",
      icon: "columns",
      name: locale.t("campaigns.view"),
      active: changes.filter(Boolean).length,
    },
    html`<div class="phone">${sortMenu(locale, request, queryOf)}</div>`,
    columnsMenu(locale, request, queryOf),
  );
}

/** First by the columns in sight, then by the others. */
function sortMenu(locale: Locale, { sort, isAscending, columns }: ListRequest, queryOf: QueryOf): Html {
  const inSight = new Set<SortName>(["subject", ...columns]);
  const names = [
    ...sortNames.filter((name) => inSight.has(name)),
    ...sortNames.filter((name) => !inSight.has(name)),
  ];
  const links = names.flatMap((name) =>
    [true, false].map((ascending) => ({
      url: urlWithQuery(path, queryOf({ sort: name, isAscending: ascending, page: 1 })),
      name: html`${columnTitle(locale, name)}, <span class="soft">${sortHint(locale, { sort: name, isAscending: ascending })}</span>`,
      isCurrent: name === sort && ascending === isAscending,
    })),
  );
  const label = html`${locale.t("campaigns.sort")} <span class="soft">${columnTitle(locale, sort)}</span>`;
  return menu({ id: "menu-sort", label, icon: isAscending ? "ascending" : "descending" }, menuLinks(links));
}

/** Nothing for users who may not add campaigns. */
export function addLinks({ isAdmin, t }: WebSession): HtmlValue {
  return (
    isAdmin &&
    headActions(
      { url: webPaths.import, name: t("imports.import"), icon: "upload" },
      { url: webPaths.registerCampaign, name: t("campaign.registerButton"), icon: "campaigns" },
    )
  );
}

/** The form sends `none` too, so that a list without columns differs from one with those that are shown by default. */
function columnsMenu(locale: Locale, { columns }: ListRequest, queryOf: QueryOf): Html {
  const boxes = columnNames.map((name) => {
    const checked = columns.includes(name) && html` checked`;
    return html`<label class="inline"><input type="checkbox" name="columns" value="${name}"${checked}> ${columnTitle(locale, name)}</label>`;
  });
  return menu(
    { id: "menu-columns", label: locale.t("campaigns.chooseColumns"), icon: "columns", alignsEnd: true },
    html`<form action="${path}">${hiddenFields(queryOf({ columns: defaultColumns, page: 1 }))}<input type="hidden" name="columns" value="none">
${boxes}
<button class="second">${locale.t("filters.apply")}</button></form>`,
  );
}
