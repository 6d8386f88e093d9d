// The subject of a campaign, which may be empty, and in any language and direction.

import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { isolate } from "./isolated-text.ts";

/** In a page. */
export function subjectOf({ strings }: Locale, { subject }: { subject: string }): Html {
  const text = subject.trim();
  return text === "" ? html`${strings.campaign.untitled}` : html`<bdi class="subject" lang="">${text}</bdi>`;
}

/** In a text without elements, such as a title or a label. */
export function subjectText({ strings }: Locale, { subject }: { subject: string }): string {
  return isolate(subject.trim() || strings.campaign.untitled);
}
