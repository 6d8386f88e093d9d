// Which comments the page shows: their ratings, and whether they are done.

import { type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { paths, urlWithQuery } from "../../../paths.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { switchLinks } from "../ui/lists/menu.ts";
import { type CommentsChoices, choices, choicesQuery } from "./comments-url.ts";
import type { FoundComments } from "./find-comments.ts";

/** Nothing without comments, unless other choices may have some. */
export function viewControls(
  { t }: Locale,
  page: FilteredPage,
  chosen: CommentsChoices,
  { comments }: FoundComments,
): HtmlValue {
  if (comments.length === 0 && chosen.rating === "any" && chosen.status === "all") return false;
  const ratings = choices.rating.map((rating) => ({
    url: choiceUrl(page, { ...chosen, rating }),
    name: t(`comments.ratings.${rating}`),
    isCurrent: rating === chosen.rating,
  }));
  const statuses = choices.status.map((status) => ({
    url: choiceUrl(page, { ...chosen, status }),
    name: t(`comments.statuses.${status}`),
    isCurrent: status === chosen.status,
  }));
  return html`${switchLinks("rating", t("comments.rating"), ratings)}
${switchLinks("status", t("comments.status"), statuses)}`;
}

function choiceUrl({ queryOf }: FilteredPage, chosen: CommentsChoices): string {
  const query = queryOf({});
  for (const name of Object.keys(choices)) query.delete(name);
  for (const [name, value] of Object.entries(choicesQuery(chosen))) query.set(name, value);
  return urlWithQuery(paths.web.comments, query);
}
