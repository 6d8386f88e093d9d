// The menus above the list: its order, for phones, where the table has no head, and its columns.

import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { hiddenFields, urlWithQuery } from "../filters/filter-bar.ts";
import type { Locale } from "../locale.ts";
import { menu, menuLinks } from "../ui/menu.ts";
import { columnNames, columnTitle, defaultColumns } from "./campaign-columns.ts";
import { sortHint } from "./campaigns-table.ts";
import type { CampaignsRequest } from "./campaigns-url.ts";

const path = paths.web.campaigns;

type QueryOf = (change: Partial<CampaignsRequest>) => URLSearchParams;

export function sortMenu(
  locale: Locale,
  { sort, isAscending, columns }: CampaignsRequest,
  queryOf: QueryOf,
): Html {
  const { strings } = locale;
  const names = (["subject", ...columns] as const).filter((name) => name !== "tags");
  const links = names.flatMap((name) =>
    [true, false].map((ascending) => ({
      url: urlWithQuery(path, queryOf({ sort: name, isAscending: ascending, page: 1 })),
      name: html`${columnTitle(strings, name)}, <span class="soft">${sortHint(locale, { sort: name, isAscending: ascending })}</span>`,
      isCurrent: name === sort && ascending === isAscending,
    })),
  );
  return html`<div class="phone">${menu({ label: strings.campaigns.sort, icon: isAscending ? "ascending" : "descending" }, menuLinks(links))}</div>`;
}

/** The form sends `none` too, so that a list without columns differs from one with those that are shown by default. */
export function columnsMenu({ strings }: Locale, { columns }: CampaignsRequest, queryOf: QueryOf): Html {
  const boxes = columnNames.map((name) => {
    const checked = columns.includes(name) && html` checked`;
    return html`<label class="inline"><input type="checkbox" name="columns" value="${name}"${checked}> ${columnTitle(strings, name)}</label>`;
  });
  return menu(
    { label: strings.campaigns.chooseColumns, icon: "columns", alignsEnd: true },
    html`<form action="${path}">${hiddenFields(queryOf({ columns: defaultColumns, page: 1 }))}<input type="hidden" name="columns" value="none">
${boxes}
<button class="second">${strings.filters.apply}</button></form>`,
  );
}
