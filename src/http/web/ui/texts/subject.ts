// The subject of a campaign, which may be empty, and in any language and direction.

import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { isolate } from "./isolated-text.ts";

/** A longer one may not fit the lines that the style sheet gives it. */
const longSubject = 24;

/** In a page, cut after a few lines, with the whole text as a tooltip. On paper it is whole. */
export function subjectOf({ t }: Locale, { subject }: { subject: string }): Html {
  const text = subject.trim();
  if (text === "") return html`${t("campaign.untitled")}`;
  const tooltip = text.length > longSubject && html` title="${text}"`;
  return html`<bdi class="subject" lang=""${tooltip}>${text}</bdi>`;
}

/** In a text without elements, such as a title or a label. */
export function subjectText(locale: Locale, campaign: { subject: string }): string {
  return isolate(plainSubject(locale, campaign));
}

/** In a file. */
export function plainSubject({ t }: Locale, { subject }: { subject: string }): string {
  return subject.trim() || t("campaign.untitled");
}
