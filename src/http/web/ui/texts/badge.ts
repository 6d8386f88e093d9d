// Badges: a state in a word or a number.

import type { SurveyKind } from "../../../../campaign/events/event.ts";
import { enpsKindOf } from "../../../../campaign/events/tally.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";

type Tone = "neutral" | "good" | "bad" | "warn" | "accent";

export function badge(text: string, tone: Tone = "neutral"): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A rating from 0 to 10, in the colors of detractors, passives and promoters. */
export function scoreBadge({ t }: Locale, score: number): Html {
  const tone = { promoter: "high", passive: "middle", detractor: "low" }[enpsKindOf(score)];
  return html`<span class="score ${tone}"><span aria-hidden="true">${score}</span><span class="visually-hidden">${t("ui.ratingOf", { score })}</span></span>`;
}

/** Shows what a recipient answered, or nothing for a comment alone. Only eNPS ratings have colors. */
export function reactionBadge(
  locale: Locale,
  kind: SurveyKind,
  reaction: string | number | undefined,
): HtmlValue {
  if (kind === "enps" && typeof reaction === "number") return scoreBadge(locale, reaction);
  return reaction !== undefined && html`<span class="score" lang="" dir="auto">${reaction}</span>`;
}
