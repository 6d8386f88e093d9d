// The query parameter `rating` of `/comments`: which comments it shows, by their eNPS rating.

import { enpsKindOf } from "../../../campaign/events/tally.ts";
import type { Html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { urlWithQuery, webPaths } from "../../../paths.ts";
import type { FilteredPage } from "../filters/filter-bar.ts";
import { parseChoice } from "../filters/filters.ts";
import { switchLinks } from "../ui/lists/menu.ts";

const isKind = (kind: ReturnType<typeof enpsKindOf>) => (rating: number | undefined) =>
  rating !== undefined && enpsKindOf(rating) === kind;

/** Which comments a page shows. The rating is undefined without one. */
export const ratings = {
  any: () => true,
  low: isKind("detractor"),
  middle: isKind("passive"),
  high: isKind("promoter"),
  none: (rating) => rating === undefined,
} as const satisfies Record<string, (rating: number | undefined) => boolean>;

export type RatingFilter = keyof typeof ratings;

const names = Object.keys(ratings) as RatingFilter[];

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function readRating(locale: Locale, query: URLSearchParams): RatingFilter {
  return parseChoice(locale, locale.t("comments.rating"), query.get("rating") ?? "", names) ?? "any";
}

/** The parameter, without its default value. */
export function ratingQuery(rating: RatingFilter): { rating?: RatingFilter } {
  return rating === "any" ? {} : { rating };
}

export function ratingLinks(
  { t }: Locale,
  { queryOf }: FilteredPage<RatingFilter>,
  current: RatingFilter,
): Html {
  const links = names.map((rating) => ({
    url: urlWithQuery(webPaths.comments, queryOf({}, rating)),
    name: t(`comments.ratings.${rating}`),
    isCurrent: rating === current,
  }));
  return switchLinks("rating", t("comments.rating"), links);
}
