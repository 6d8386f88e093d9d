// Writes what a colleague would say of a period, each clause with a link to where the page shows it.

import type { Comparison } from "../campaign/calendar/period.ts";
import type { Clauses } from "../campaign/clauses.ts";
import { truncate } from "../campaign/fields/quote.ts";
import type { Range } from "../campaign/ranges.ts";
import { type Html, html } from "./html.ts";
import { isolatedText, plainText } from "./isolated-text.ts";
import type { Locale } from "./locale.ts";
import { changeSince } from "./rate-difference.ts";
import { likelyEndText } from "./same-age-text.ts";
import { plainSubject } from "./subject-text.ts";

export interface ClauseUrls {
  list: string;
  rate: string;
  comments: string;
  campaign: (id: number) => string;
}

export function writeClauses(
  locale: Locale,
  { sent, rate, soFar, fresh, ranked, bounces, complaints, comments }: Clauses,
  { compare, urls }: { compare: Comparison; urls: ClauseUrls },
): Html {
  const { rich, t, format } = locale;
  const named = ({ stored: { campaign }, rate }: NonNullable<Clauses["fresh" | "ranked"]>) => ({
    href: urls.campaign(campaign.id),
    subject: isolatedText(t("ui.quoted", { text: truncate(plainSubject(locale, campaign)) })),
    rate: format.rate(rate?.value ?? 0),
  });
  const endText = ({ likelyEnd }: { likelyEnd: Range | undefined }) =>
    likelyEnd && `, ${likelyEndText(locale, likelyEnd)}`;
  const parts = [
    rich("sentence.sent", { ...sent, isAll: String(sent.counting === sent.campaigns), href: urls.list }),
    rate &&
      html`${rich("sentence.rate", { href: urls.rate, rate: format.rate(rate.rate.value), counting: sent.counting })}${changeText(locale, rate, compare)}`,
    soFar &&
      html`${rich("sentence.soFar", { href: urls.rate, rate: format.rate(soFar.rate.value), side: soFar.side ?? 2 })}${endText(soFar)}`,
    ".",
    fresh && html` ${rich("sentence.fresh", { ...named(fresh), side: fresh.side ?? 2 })}${endText(fresh)}.`,
    ranked && html` ${rich("sentence.ranked", { ...named(ranked), which: ranked.which })}.`,
    bounces &&
      html` ${rich("sentence.bounces", { href: urls.list, rate: format.rate(bounces.rate), usual: format.rate(bounces.usual.value) })}.`,
    complaints &&
      html` ${rich("sentence.complaints", { href: urls.list, rate: format.fineRate(complaints.rate) })}.`,
    comments &&
      html`<span class="with-comments"> ${rich("sentence.comments", { ...comments, isAll: String(comments.isAll), href: urls.comments })}.</span>`,
  ];
  return html`<p>${parts}</p>`;
}

/** The same without links. */
export function clausesText(locale: Locale, clauses: Clauses, compare: Comparison): string {
  return plainText(
    writeClauses(locale, clauses, {
      compare,
      urls: { list: "", rate: "", comments: "", campaign: () => "" },
    }),
  );
}

function changeText(locale: Locale, rate: NonNullable<Clauses["rate"]>, compare: Comparison): string {
  const change = changeSince(locale, { name: "openRate", ...rate }, compare);
  if (!change) return "";
  // That of a year before says enough.
  return change.direction === "flat" ? `, ${change.text}` : `, ${change.text} (${change.comparedWith})`;
}
