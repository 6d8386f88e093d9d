// Badges: a state in a word or a number.

import { type Html, html } from "../../html.ts";

export type Tone = "neutral" | "good" | "bad" | "warn" | "accent";

export function badge(text: string, tone: Tone = "neutral"): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A rating from 0 to 10, in the colors of detractors, passives and promoters. */
export function scoreBadge(score: number): Html {
  const tone = score >= 9 ? "high" : score <= 6 ? "low" : "middle";
  return html`<span class="score ${tone}">${score}</span>`;
}
