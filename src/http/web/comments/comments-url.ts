// The query parameters of `/comments` besides the filters: which ratings it shows, their order and groups, and
// whether those that are done are among them.

import { enpsKindOf } from "../../../campaign/events/tally.ts";
import { type CommentOrder, commentOrders } from "../../../listing/reports/comment-order.ts";
import type { Locale } from "../locale.ts";
import { quoted } from "../quoted.ts";

/** Which comments a page shows, by their eNPS rating. Undefined without one. */
export const ratings = {
  any: () => true,
  low: (rating) => rating !== undefined && enpsKindOf(rating) === "detractor",
  middle: (rating) => rating !== undefined && enpsKindOf(rating) === "passive",
  high: (rating) => rating !== undefined && enpsKindOf(rating) === "promoter",
  none: (rating) => rating === undefined,
} as const satisfies Record<string, (rating: number | undefined) => boolean>;

const groupings = ["question", "campaign", "none"] as const;
const statuses = ["all", "open", "done"] as const;

export interface CommentsChoices {
  rating: keyof typeof ratings;
  sort: CommentOrder;
  by: (typeof groupings)[number];
  status: (typeof statuses)[number];
}

/** By the name in the URL; the first is the one without a parameter. */
export const choices = {
  rating: Object.keys(ratings) as (keyof typeof ratings)[],
  sort: commentOrders,
  by: groupings,
  status: statuses,
} as const satisfies { [Name in keyof CommentsChoices]: readonly CommentsChoices[Name][] };

/** The choices of a URL. If one is not accepted, the first applies instead, and there is a problem. */
export function readChoices(
  locale: Locale,
  query: URLSearchParams,
): { chosen: CommentsChoices; problem: string | undefined } {
  const { t } = locale;
  const problems: string[] = [];
  const read = <Choice extends string>(name: string, label: string, accepted: readonly Choice[]): Choice => {
    const text = query.get(name) || (accepted[0] as Choice);
    const known = accepted.find((each) => each === text);
    if (known === undefined) {
      problems.push(
        t("filters.invalidValue", {
          name: label,
          value: quoted(locale, text),
          accepted: accepted.join(", "),
        }),
      );
    }
    return known ?? (accepted[0] as Choice);
  };
  const chosen = {
    rating: read("rating", t("comments.rating"), choices.rating),
    sort: read("sort", t("campaigns.sort"), choices.sort),
    by: read("by", t("comments.by"), choices.by),
    status: read("status", t("comments.status"), choices.status),
  };
  return { chosen, problem: problems[0] };
}

/** The parameters of choices, without those that have their default values. */
export function choicesQuery(chosen: CommentsChoices): Record<string, string> {
  const names = Object.keys(choices) as (keyof CommentsChoices)[];
  return Object.fromEntries(
    names.flatMap((name) => (chosen[name] === choices[name][0] ? [] : [[name, chosen[name]]])),
  );
}
