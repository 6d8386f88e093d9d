// The query parameters of `/comments` besides the filters: which ratings it shows, and whether those that are done are
// among them.

import { enpsKindOf } from "../../../campaign/events/tally.ts";
import type { Locale } from "../../../locale/locale.ts";
import { parseChoice } from "../filters/filters.ts";

/** Which comments a page shows, by their eNPS rating. Undefined without one. */
export const ratings = {
  any: () => true,
  low: (rating) => rating !== undefined && enpsKindOf(rating) === "detractor",
  middle: (rating) => rating !== undefined && enpsKindOf(rating) === "passive",
  high: (rating) => rating !== undefined && enpsKindOf(rating) === "promoter",
  none: (rating) => rating === undefined,
} as const satisfies Record<string, (rating: number | undefined) => boolean>;

const statuses = ["all", "open", "done"] as const;

export interface CommentsChoices {
  rating: keyof typeof ratings;
  status: (typeof statuses)[number];
}

/** Maps each parameter to its values; the first one applies without the parameter. */
export const choices = {
  rating: Object.keys(ratings) as (keyof typeof ratings)[],
  status: statuses,
} as const satisfies { [Name in keyof CommentsChoices]: readonly CommentsChoices[Name][] };

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function readChoices(locale: Locale, query: URLSearchParams): CommentsChoices {
  const { t } = locale;
  const read = <Choice extends string>(name: string, label: string, accepted: readonly Choice[]): Choice =>
    parseChoice(locale, label, query.get(name) ?? "", accepted) ?? (accepted[0] as Choice);
  return {
    rating: read("rating", t("comments.rating"), choices.rating),
    status: read("status", t("comments.status"), choices.status),
  };
}

/** The parameters of choices, without those that have their default values. */
export function choicesQuery(chosen: CommentsChoices): Record<string, string> {
  const names = Object.keys(choices) as (keyof CommentsChoices)[];
  return Object.fromEntries(
    names.flatMap((name) => (chosen[name] === choices[name][0] ? [] : [[name, chosen[name]]])),
  );
}
