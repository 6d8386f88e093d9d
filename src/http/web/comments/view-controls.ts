// Which comments the page shows: their ratings, order, groups and whether they are done.

import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { fold, menu, menuLinks, switchLinks } from "../ui/lists/menu.ts";
import { type CommentsChoices, choices, choicesQuery } from "./comments-url.ts";
import type { FoundComments } from "./find-comments.ts";

/** Nothing without comments, unless other ratings may have some. */
export function viewControls(
  locale: Locale,
  page: FilteredPage,
  chosen: CommentsChoices,
  { total }: FoundComments,
): HtmlValue {
  if (total === 0 && chosen.rating === "any" && chosen.status === "all") return false;
  return html`${ratingSwitch(locale, page, chosen)}
${viewMenus(locale, page, chosen)}`;
}

function ratingSwitch({ t }: Locale, page: FilteredPage, chosen: CommentsChoices): Html {
  const links = choices.rating.map((rating) => ({
    url: choiceUrl(page, { ...chosen, rating }),
    name: t(`comments.ratings.${rating}`),
    isCurrent: rating === chosen.rating,
  }));
  return switchLinks("rating", t("comments.rating"), links);
}

/** The order and groups; on phones in a sheet. */
function viewMenus(locale: Locale, page: FilteredPage, chosen: CommentsChoices): Html {
  const names = ["sort", "by", "status"] as const;
  const active = names.filter((name) => chosen[name] !== choices[name][0]).length;
  return fold(
    locale,
    { id: "view", icon: "columns", name: locale.t("campaigns.view"), active },
    names.map((name) => choiceMenu(locale, page, chosen, name)),
  );
}

const choiceIcons = { sort: "descending", by: "columns", status: "check" } as const;

function choiceMenu(
  { t, texts }: Locale,
  page: FilteredPage,
  chosen: CommentsChoices,
  what: "sort" | "by" | "status",
): Html {
  const names: Record<string, string> = {
    sort: texts("comments.orders"),
    by: texts("comments.groupings"),
    status: texts("comments.statuses"),
  }[what];
  const links = choices[what].map((choice) => ({
    url: choiceUrl(page, { ...chosen, [what]: choice }),
    name: names[choice],
    isCurrent: choice === chosen[what],
  }));
  const titles = { sort: t("campaigns.sort"), by: t("comments.by"), status: t("comments.status") };
  const label = html`<span class="visually-hidden">${titles[what]}: </span>${names[chosen[what]]}`;
  const isActive = chosen[what] !== choices[what][0];
  return menu({ id: `menu-${what}`, label, icon: choiceIcons[what], isActive }, menuLinks(links));
}

function choiceUrl({ queryOf }: FilteredPage, chosen: CommentsChoices): string {
  const query = queryOf({});
  for (const name of Object.keys(choices)) query.delete(name);
  for (const [name, value] of Object.entries(choicesQuery(chosen))) query.set(name, value);
  return urlWithQuery(paths.web.comments, query);
}
